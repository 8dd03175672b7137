package judge

import (
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
