package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"keepmum/legible"
)

// style is text of which some characters stand for nothing but styles. They become control sequences on their way to a
// terminal, so a text has no control sequence of its own.
type style string

const (
	boldMark  style = "\ufdd0"
	dimMark   style = "\ufdd1"
	foundMark style = "\ufdd2"
	offMark   style = "\ufdd3"
)

func isStyle(r rune) bool { return strings.ContainsRune(string(boldMark+dimMark+foundMark+offMark), r) }

// tell prints text for people, in lines that are no wider than their window.
func (a *app) tell(w io.Writer, format string, args ...any) {
	fmt.Fprint(w, fold(a.harmless(w, fmt.Sprintf(format, unstyled(args)...)), a.widthOf(w)))
}

// unstyled returns arguments of which only those of type style have styles: a stored text may contain the same
// characters.
func unstyled(args []any) []any {
	out := slices.Clone(args)
	for i, arg := range args {
		if _, ours := arg.(style); ours {
			continue
		}
		if text := fmt.Sprint(arg); strings.ContainsFunc(text, isStyle) {
			out[i] = legible.Text(text)
		}
	}
	return out
}

// unstyledText returns a text as a style that has none.
func unstyledText(text string) style {
	if strings.ContainsFunc(text, isStyle) {
		text = legible.Text(text)
	}
	return style(text)
}

// harmless returns a text with our own styles, and with everything else that a terminal would obey as visible escapes.
func (a *app) harmless(w io.Writer, text string) string {
	if !strings.ContainsFunc(text, isStyle) || !a.onTerminal(w) {
		return legible.Text(text)
	}
	var b strings.Builder
	for {
		at := strings.IndexFunc(text, isStyle)
		if at < 0 {
			return b.String() + legible.Text(text)
		}
		mark, rest := text[at:at+len(offMark)], text[at+len(offMark):]
		b.WriteString(legible.Text(text[:at]) + styled(style(mark)))
		text = rest
	}
}

// copyOut writes to the byte what programs read, and harmless text to a terminal.
func (a *app) copyOut(from io.Reader) error {
	if _, ok := terminalOf(a.out); !ok {
		_, err := io.Copy(a.out, from)
		return err
	}
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		fmt.Fprint(a.out, legible.Text(line))
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// styled returns the control sequence of a style.
func styled(mark style) string {
	return map[style]string{boldMark: "\x1b[1m", dimMark: "\x1b[2m", foundMark: "\x1b[33m", offMark: "\x1b[0m"}[mark]
}
