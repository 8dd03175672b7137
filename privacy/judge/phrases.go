package judge

import (
	"keepmum/privacy/value"
)

// Capitalised reports whether a value looks chosen, in places that leave hardly any doubt: with a capital and
// lower-case letters one digit is enough, also at the end.
func Capitalised(v string) bool {
	n := value.CountKinds(v)
	return n.Upper > 0 && n.Lower > 2 && value.AlnumForm(v) && !TypeName(v)
}

// TypeName reports whether a value is written like the name of a type or function: words with capitals, the last of
// which is a word for a secret.
func TypeName(v string) bool {
	if !value.Identifier(v) || len(v) > 48 {
		return false
	}
	var room [value.MaxWords]string
	words := value.NameWords(v, room[:0])
	if len(words) < 2 {
		return false
	}
	last := words[len(words)-1]
	if value.InList(words[0], " secret password hidden masked sensitive protected ") &&
		value.InList(last, " str string bytes field type text input value ") {
		return true
	}
	return value.CamelWords(v) && (words[0] == "test" ||
		value.InList(last, " key keys token tokens secret secrets password "))
}
