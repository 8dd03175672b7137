// Terminal writes the README's picture of a terminal, light and dark, from the real output of a command.
//
//	go run ./tools/terminal/main.go -out docs/images/demo -- bin/mum demo
package main

import (
	"flag"
	"fmt"
	"html"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// GitHub shows a README about 830 pixels wide: at 116 columns the letters are still 12 pixels high. Each part of the
// output is cut after 7 lines, so that all of it fits on a screen.
const (
	columns    = 116
	partLines  = 7
	charWidth  = 8.4
	lineHeight = 19
	margin     = 18
)

type theme struct{ name, back, text, soft, tag, good string }

// marked matches what the picture colours: tags of removed secrets, and lines that prove their absence.
var marked = regexp.MustCompile(`\[(?:REDACTED|EXCLUDED):[^\]…]*[\]…]|^   gone  \S+|^\$ .*|^\d\. .*`)

func main() {
	out := flag.String("out", "docs/images/demo", "path of the pictures, without -light.svg and -dark.svg")
	flag.Parse()
	args := flag.Args()
	if len(args) == 0 {
		log.Fatal("usage: terminal [-out PATH] -- COMMAND [ARGUMENT…]")
	}
	cmd := exec.Command(args[0], args[1:]...)
	home, err := os.MkdirTemp("", "terminal")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(home) }()
	cmd.Env = append(os.Environ(), "HOME="+home, "MUM_HOME="+filepath.Join(home, ".mum"))
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		log.Fatal(err)
	}
	shown := append([]string{filepath.Base(args[0])}, args[1:]...)
	lines := folded("$ " + strings.Join(shown, " ") + "\n" + shortened(strings.TrimSpace(string(text))))
	for _, t := range []theme{
		{"light", "#f6f8fa", "#1f2328", "#59636e", "#cf222e", "#1a7f37"},
		{"dark", "#161b22", "#e6edf3", "#9198a1", "#ff7b72", "#3fb950"},
	} {
		if err := os.WriteFile(*out+"-"+t.name+".svg", []byte(draw(lines, t)), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// shortened cuts each part of the output, which an empty line ends.
func shortened(text string) string {
	parts := regexp.MustCompile(`\n\s*\n`).Split(text, -1)
	for i, part := range parts {
		if lines := strings.Split(part, "\n"); len(lines) > partLines {
			parts[i] = strings.Join(lines[:partLines], "\n") + "\n   …"
		}
	}
	return strings.Join(parts, "\n\n")
}

// folded breaks long lines between words; the rest is indented as the line is.
func folded(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))] + "  "
		for len([]rune(line)) > columns {
			runes := []rune(line)
			end := columns
			for end > len(indent) && runes[end] != ' ' {
				end--
			}
			if end == len(indent) {
				break
			}
			out = append(out, string(runes[:end]))
			line = indent + strings.TrimLeft(string(runes[end:]), " ")
		}
		out = append(out, line)
	}
	return out
}

func draw(lines []string, t theme) string {
	width, height := columns*charWidth+2*margin, len(lines)*lineHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" height="%d">
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:%s;white-space:pre}
.soft{fill:%s}.tag{fill:%s;font-weight:600}.good{fill:%s;font-weight:600}.head{font-weight:600}</style>
<rect width="100%%" height="100%%" rx="8" fill="%s"/>
`, width, height, width, height, t.text, t.soft, t.tag, t.good, t.back)
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" textLength=\"%.1f\" xml:space=\"preserve\">%s</text>\n", margin,
				margin+i*lineHeight+14, float64(len([]rune(line)))*charWidth, coloured(line))
		}
	}
	return b.String() + "</svg>\n"
}

func coloured(line string) string {
	var b strings.Builder
	at := 0
	for _, m := range marked.FindAllStringIndex(line, -1) {
		b.WriteString(html.EscapeString(line[at:m[0]]))
		found := line[m[0]:m[1]]
		class := "head"
		switch {
		case strings.HasPrefix(found, "["):
			class = "tag"
		case strings.HasPrefix(found, "   gone"):
			class = "good"
		}
		fmt.Fprintf(&b, `<tspan class="%s">%s</tspan>`, class, html.EscapeString(found))
		at = m[1]
	}
	return b.String() + html.EscapeString(line[at:])
}
