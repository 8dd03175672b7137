package judge

import (
	"strings"

	"keepmum/privacy/value"
)

// rareWords counts the words of a value that programs, forms and messages do not use, and reports whether that is all
// of them.
func rareWords(v string) (own int, all bool) {
	var room [value.MaxWords]string
	all = true
	for _, w := range value.NameWords(v, room[:0]) {
		if value.CodeWord(w) || value.InList(w, value.ProgramWords) {
			all = false
		} else if len(w) > 2 {
			own++
		}
	}
	return own, all
}

// numberedWord reports whether a literal is words followed by a number, one of which programs do not use: MooseKey42,
// but not PasswordField2.
func numberedWord(v string) bool {
	own, _ := rareWords(v)
	return own > 0 && value.Digit(v[len(v)-1]) && !strings.HasPrefix(value.LowerASCII(v), "test")
}
