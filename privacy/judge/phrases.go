package judge

import (
	"strings"

	"keepmum/privacy/value"
)

// Capitalised reports whether a value looks chosen, in places that leave hardly any doubt: with a capital and
// lower-case letters one digit is enough, also at the end.
func Capitalised(v string) bool {
	n := value.CountKinds(v)
	return n.Upper > 0 && n.Lower > 2 && value.AlnumForm(v) && !TypeName(v)
}

// skipPurpose skips "for the staging database is": what a sentence puts between the word for a secret and the secret.
func skipPurpose(text string, i int) (int, bool) {
	end := min(len(text), i+96)
	word, _, _ := strings.Cut(text[i:end], " ")
	if !value.InList(strings.ToLower(word),
		" for to of on at in für fuer von vom zum zur am auf der den dem de du des della dello del di do da van voor pour "+
			"en you that we i ") {
		return 0, false
	}
	for n := 0; n < 12 && i < end; n++ {
		word, _, more := strings.Cut(text[i:end], " ")
		if !more || strings.ContainsAny(word, "\n\"'(){};") || n > 0 && value.InList(value.LowerASCII(word), trailers) {
			return 0, false
		}
		next := SkipBlanks(text, i+len(word))
		if value.InList(strings.ToLower(word), " is = was: are ist lautet lautet: est es é è era será sarà ") ||
			n > 0 && strings.HasSuffix(word, ":") {
			return next, true
		}
		i = next
	}
	return 0, false
}

// trailers lead to numbers in changelogs.
const trailers = " closes: fixes: refs: see: bug: bugs: issue: issues: "

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
