package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"keepmum/legible"
)

// Within the program, a style is a character that stands for nothing else, and becomes a control sequence on its way to
// a terminal: so a text has no control sequence of its own.
const (
	boldMark = '\ufdd0' + iota
	dimMark
	foundMark
	offMark
)

// tell prints text for people, in lines that are no wider than their window.
func (a *app) tell(w io.Writer, format string, args ...any) {
	fmt.Fprint(w, fold(a.harmless(w, fmt.Sprintf(format, args...)), a.widthOf(w)))
}

// harmless returns a text with our own styles, and with everything else that a terminal would obey as visible escapes.
func (a *app) harmless(w io.Writer, text string) string {
	isStyle := func(r rune) bool { return r >= boldMark && r <= offMark }
	if !strings.ContainsFunc(text, isStyle) || !a.onTerminal(w) {
		return legible.Text(text)
	}
	var b strings.Builder
	for {
		at := strings.IndexFunc(text, isStyle)
		if at < 0 {
			return b.String() + legible.Text(text)
		}
		style, rest := text[at:at+len(string(offMark))], text[at+len(string(offMark)):]
		b.WriteString(legible.Text(text[:at]) + styled(style))
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
func styled(style string) string {
	return map[string]string{string(boldMark): "\x1b[1m", string(dimMark): "\x1b[2m", string(foundMark): "\x1b[33m",
		string(offMark): "\x1b[0m"}[style]
}
