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

// rareWordsJoined reports whether a literal next to the name of an account is words joined by dots, dashes or brackets
// that are no name in a program.
func rareWordsJoined(v string) bool {
	if len(v) < 7 || len(v) > 40 || strings.IndexByte("([{.-_", v[len(v)-1]) >= 0 ||
		strings.Trim(v, value.Letters+"0123456789.-_()[]") != "" || strings.Contains(v, "()") || strings.Contains(v, "..") ||
		value.Placeholder(v) || value.UuidLike(v) || value.Integer(v) {
		return false
	}
	if i := strings.IndexAny(v, "(["); i >= 0 && strings.IndexByte(")]", v[len(v)-1]) >= 0 && value.Balanced(v) {
		return false // a call
	}
	first, _, _ := strings.Cut(value.LowerASCII(v), ".")
	own, all := rareWords(v)
	return all && own > 1 && !value.InList(first, " see ask read ")
}

// innerCapitals reports whether a literal is words joined by dashes, one of which has a capital that is not its first
// letter: no program writes names this way.
func innerCapitals(v string) bool {
	if v[0] < 'a' || strings.IndexByte(v, '-') < 0 || value.LowerASCII(v) == v ||
		strings.Trim(v, value.Letters+"-") != "" {
		return false
	}
	for part := range strings.SplitSeq(v, "-") {
		if len(part) < 3 || len(part) > 16 || value.LowerASCII(part[1:]) != part[1:] {
			return false
		}
	}
	own, _ := rareWords(v)
	return own > 0
}

// numberedWord reports whether a literal is words followed by a number, one of which programs do not use: MooseKey42,
// but not PasswordField2.
func numberedWord(v string) bool {
	own, _ := rareWords(v)
	return own > 0 && value.Digit(v[len(v)-1]) && !strings.HasPrefix(value.LowerASCII(v), "test")
}
