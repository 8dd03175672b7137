package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"keepmum/lazyregexp"
)

// fold breaks each line of a text that is wider than a window between two words. It continues below the last column of
// the line, which two spaces separate from the one before.
func fold(text string, width int) string {
	if width <= 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(foldLine(line, width))
	}
	return b.String()
}

func foldLine(line string, width int) string {
	body := strings.TrimRight(line, "\n")
	if visible(body) <= width {
		return line
	}
	begin := hangAt(body, width)
	gap := strings.Repeat(" ", visible(body[:begin]))
	lines := strings.Split(foldWords(body[begin:], width-len(gap)), "\n")
	return body[:begin] + strings.Join(lines, "\n"+gap) + line[len(body):]
}

// hangAt returns where the text begins below which a line continues: the last column if that leaves a third of the
// window, otherwise a column in the first quarter.
func hangAt(line string, width int) (begin int) {
	early := 0
	for _, gap := range columnGaps.FindAllStringIndex(line, -1) {
		begin = gap[1]
		if visible(line[:begin]) <= width/4 {
			early = begin
		}
	}
	if visible(line[:begin]) > width*2/3 {
		return early
	}
	return begin
}

// foldWords breaks a text at its spaces, and keeps those within a line.
func foldWords(text string, width int) string {
	var b strings.Builder
	at := 0
	for _, word := range spacedWords.FindAllString(text, -1) {
		if n := visible(word); at > 0 && at+n > width {
			word = strings.TrimLeft(word, " ")
			b.WriteString("\n")
			at = 0
		}
		b.WriteString(word)
		at += visible(word)
	}
	return b.String()
}

var (
	columnGaps  = lazyregexp.New(`  +|\t`)
	spacedWords = lazyregexp.New(` *[^ ]+`)
)

var colourCodes = lazyregexp.New("\x1b\\[[0-9;]*m")

// visible returns the number of characters that a reader sees.
func visible(s string) int {
	if strings.Contains(s, "\x1b") {
		s = colourCodes.ReplaceAllString(s, "")
	}
	return utf8.RuneCountInString(s)
}

// wrap joins words to lines of a maximum width.
func wrap(words []string, gap string, width int) (lines []string) {
	line := ""
	for _, w := range words {
		switch {
		case line == "":
			line = w
		case visible(line)+len(gap)+visible(w) > width:
			lines, line = append(lines, line), w
		default:
			line += gap + w
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// examples writes commands. One that is too wide continues on the next line after a backslash, as a shell reads it, and
// never breaks inside quotes; an explanation after two spaces is folded.
func (h *helper) examples(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		command := strings.TrimSpace(line)
		if visible(line) <= h.width || strings.Contains(command, "  ") {
			fmt.Fprintln(&h.b, foldLine(line, h.width))
			continue
		}
		lines := wrap(shellWords(command), " ", h.width-len("    ")-len(" \\"))
		fmt.Fprintln(&h.b, "  "+strings.Join(lines, " \\\n    "))
	}
}

// shellWords splits a command at the spaces that are not quoted.
func shellWords(command string) []string {
	quote := rune(0)
	return strings.FieldsFunc(command, func(r rune) bool {
		switch {
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		case r == quote:
			quote = 0
		}
		return r == ' ' && quote == 0
	})
}
