package main

import (
	"strings"
	"unicode"

	"keepmum/lazyregexp"
)

// styles are the only control sequences that our own output has: bold, dim, colours.
var styles = lazyregexp.New(`^\x1b\[[0-9;]*m`)

// harmless replaces what a terminal would obey instead of showing it. A repository's name, a path, and what a tool
// printed may come from someone who wants to clear the screen, set its title, or write to the clipboard.
func harmless(text string) string {
	obeyed := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
	if !strings.ContainsFunc(text, obeyed) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		if obeyed(r) && (r != '\x1b' || !styles.MatchString(text[i:])) {
			r = unicode.ReplacementChar
		}
		b.WriteRune(r)
	}
	return b.String()
}
