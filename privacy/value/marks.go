package value

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// WithoutMarks returns a value with its Latin letters as they are without accents, carons and the like: people make
// passwords of the words of all languages in the same way.
func WithoutMarks(v string) string {
	if !strings.ContainsFunc(v, marked) {
		return v
	}
	return strings.Map(func(r rune) rune {
		if !marked(r) {
			return r
		}
		return []rune(norm.NFD.String(string(r)))[0]
	}, v)
}

// marked reports whether a rune is a Latin letter beyond ASCII.
func marked(r rune) bool { return r >= 0x80 && unicode.Is(unicode.Latin, r) }
