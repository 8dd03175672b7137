// Package legible answers one question: what does a text look like if a screen obeys none of it?
//
// What a tool printed, a repository's name or a path may come from someone who wants to clear the screen, set its
// title, write to the clipboard, or show words in another order than a program reads them.
package legible

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// obeyed reports whether a screen obeys a character or hides it. Joiners and soft hyphens belong to the spelling of
// words, and some signs of numbers are visible.
func obeyed(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' && r != '\n' && r != '\t' || r == 0x7f
	case r == '\u200c' || r == '\u200d' || r == '\u00ad' || unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r >= 0xfdd0 && r <= 0xfdef
}

// Text returns a text with such characters, and bytes that are no characters, as visible escapes: \x1b, \u202e. Lines
// may end as on Windows.
func Text(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, obeyed) {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	for i, r := range s {
		_, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !obeyed(r):
			b.WriteRune(r)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// JSON returns a JSON document of the same meaning with such characters as escapes.
func JSON(doc []byte) []byte {
	if !bytes.ContainsFunc(doc, obeyed) {
		return doc
	}
	var b bytes.Buffer
	for _, r := range string(doc) {
		switch {
		case !obeyed(r):
			b.WriteRune(r)
		case r > 0xffff: // JSON has no escape for these but that of UTF-16
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}
