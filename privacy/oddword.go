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
	if len(v) < 7 || len(v) > 40 || strings.IndexByte("([{.-_", v[len(v)-1]) >= 0 || strings.Trim(v, letters+"0123456789.-_()[]") != "" || strings.Contains(v, "()") || strings.Contains(v, "..") || dummy(v) || fileLike(v) || uuidLike(v) || integer(v) {
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
	if v[0] < 'a' || strings.IndexByte(v, '-') < 0 || lowerASCII(v) == v || strings.Trim(v, letters+"-") != "" || saysSecret(v) {
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

// bracketWord reports whether the value of a line of YAML is a word with brackets in it
// and more behind them: no program calls a function there.
func (s *scanner) bracketWord(v string, a assignment) bool {
	last := strings.LastIndexAny(v, ")]")
	open := strings.IndexAny(v, "([")
	if a.sep != colon || !a.line || a.loose || len(v) < 8 || len(v) > 40 || open < 3 || last < open+2 || last == len(v)-1 || strings.Trim(v, letters+"0123456789.-_()[]!") != "" {
		return false
	}
	inner, tail := v[open+1:last], strings.Trim(v[last+1:], ".-_!")
	if tail == "" || integer(inner) || strings.ContainsAny(inner, "([.") {
		return false
	}
	if _, all := ownWords(v); !all {
		return false
	}
	from := lineStart(s.text, a.start, 80)
	return strings.IndexByte(strings.TrimLeft(s.text[from:a.start], " -"), '-') > 0 || s.accountBeside(from, a.end)
}

// keyOfWords reports whether a value in a line of settings or in quotes is a row of
// words that somebody picked to encrypt or to sign with.
func (s *scanner) keyOfWords(from int, words []string, a assignment) bool {
	const least = 5
	n := len(words)
	if n < 2 || words[n-1] != "key" || !in(words[n-2], " encryption encrypt enc cipher crypto signing sign hmac jwt cookie ") || a.sep != equals && a.sep != colon {
		return false
	}
	v := s.text[a.start:a.end]
	i := strings.IndexAny(v, "-_")
	if i < 1 || len(v) > 96 || strings.Trim(v, "abcdefghijklmnopqrstuvwxyz0123456789"+v[i:i+1]) != "" || dummy(v) || !a.quoted && !s.configLine(from, a) {
		return false
	}
	count := 0
	for w := range strings.SplitSeq(v, v[i:i+1]) {
		if w == "" || in(w, partWords) || in(w, codeWords) || in(w, programWords) || in(w, kindWords) || in(w, examples) || in(w, standInWords) || keyStrength(w) != notSecret {
			return false
		}
		count++
	}
	return count >= least
}

// standInWords are in values that ask for another, and in the names of keys that a
// service keeps.
const standInWords = " your very long random here please change replace insert generate openssl char chars bytes least must secure safe strong unique kms alias hsm eu us west east north south region cluster tenant project projects disk customer managed encryption encrypt signing release bucket archive storage billing payments network volume queue topic snapshot image registry company "
