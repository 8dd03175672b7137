package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Statements returns what a memory or a proposal says first, in the form in which texts are compared: its title and its
// first paragraph. Order, case and punctuation remain, because other words in the same order, feature/A and feature-A,
// or A after B and B after A are not the same.
func Statements(title, body string) []string {
	first, _, _ := strings.Cut(strings.TrimSpace(body), "\n\n")
	var out []string
	for _, text := range []string{title, first} {
		if text = uncapitalised(text); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// uncapitalised returns a sentence without the capital at its start and the stop at its end.
func uncapitalised(text string) string {
	text = strings.TrimRight(strings.Join(strings.Fields(text), " "), ".! ")
	first, n := utf8.DecodeRuneInString(text)
	if n == 0 {
		return ""
	}
	return string(unicode.ToLower(first)) + text[n:]
}
