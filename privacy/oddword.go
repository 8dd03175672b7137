package privacy

import "strings"

// ownWords counts the words of a value that are none of programs, forms or messages,
// and reports whether all of them are such.
func ownWords(v string) (own int, all bool) {
	var room [maxWords]string
	all = true
	for _, w := range nameWords(v, room[:0]) {
		if smallWords[w] || in(w, kindWords) || in(w, partWords) || in(w, examples) || in(w, codeWords) || in(w, programWords) || keyStrength(w) != notSecret {
			all = false
		} else if len(w) > 2 {
			own++
		}
	}
	return own, all
}

// oddWord reports whether a literal beside the name of an account is words joined by
// dots, dashes or brackets that no program calls anything.
func oddWord(v string) bool {
	if len(v) < 7 || len(v) > 40 || strings.IndexByte("([{.-_", v[len(v)-1]) >= 0 || strings.Trim(v, letters+"0123456789.-_()[]") != "" || strings.Contains(v, "()") || strings.Contains(v, "..") || dummy(v) || uuidLike(v) || integer(v) {
		return false
	}
	if i := strings.IndexAny(v, "(["); i >= 0 && strings.IndexByte(")]", v[len(v)-1]) >= 0 && balanced(v) {
		return false // a call
	}
	first, _, _ := strings.Cut(lowerASCII(v), ".")
	own, all := ownWords(v)
	return all && own > 1 && !in(first, " see ask read ")
}

// humped reports whether a literal is words joined by dashes of which one has a capital
// but not the first: no program writes names so.
func humped(v string) bool {
	if v[0] < 'a' || strings.IndexByte(v, '-') < 0 || lowerASCII(v) == v || strings.Trim(v, letters+"-") != "" {
		return false
	}
	for part := range strings.SplitSeq(v, "-") {
		if len(part) < 3 || len(part) > 16 || lowerASCII(part[1:]) != part[1:] {
			return false
		}
	}
	own, _ := ownWords(v)
	return own > 0
}

// numberedWord reports whether a literal is words with a number behind them, of which
// one is none of programs: MooseKey42, but not PasswordField2.
func numberedWord(v string) bool {
	own, _ := ownWords(v)
	return own > 0 && digit(v[len(v)-1]) && !strings.HasPrefix(lowerASCII(v), "test")
}
