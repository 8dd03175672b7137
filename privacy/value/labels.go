package value

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// LabelWord reports whether a value is one word for "password", "token", "secret", "key" or "code" in a language with
// Latin letters, as in translation files. The word may have an ending.
func LabelWord(v string) bool {
	const ending = 4 // letters
	word := strings.TrimRight(v, ":*?!. ")
	if len(word) < 4 || len(word) > 24 || strings.ContainsAny(word, " 0123456789_-./:@#$%&=+") {
		return false
	}
	low := strings.ToLower(word)
	_, first := utf8.DecodeRuneInString(word)
	_, lowFirst := utf8.DecodeRuneInString(low)
	if low[lowFirst:] != word[first:] && strings.ToUpper(word) != word {
		return false // no label has a capital inside a word
	}
	return slices.ContainsFunc(labelStems[low[0]], func(stem string) bool {
		return strings.HasPrefix(low, stem) && len(low)-len(stem) <= ending
	})
}
