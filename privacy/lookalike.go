package privacy

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// lookalike returns the Latin letter that nobody can tell from a letter of
// another alphabet: in a word with Latin letters it stands for that.
func lookalike(r rune) (byte, bool) {
	const size = 2 // bytes of each of the others
	const others = "АΑВΒСЕΕНΗІΙКΚМΜΝОΟРΡЅТΤХΧУΥΖаαвсԁеһніιјкκмоοрρԛѕтѵνԝху"
	const latin = "AABBCEEHHIIKKMMNOOPPSTTXXYYZaabcdehhiijkkmooppqstvvwxy"
	if r < 0x370 || r > 0x52F {
		return 0, false
	}
	i := strings.IndexRune(others, r)
	if i < 0 {
		return 0, false
	}
	return latin[i/size], true
}

// mixedScripts returns the stretches around names of secrets that have letters
// of two alphabets which look the same.
func mixedScripts(text string) (parts []stretch) {
	for _, lead := range []byte{0xCE, 0xCF, 0xD0, 0xD1, 0xD2, 0xD4} { // the first bytes of those alphabets
		for at := 0; ; {
			i := strings.IndexByte(text[at:], lead)
			if i < 0 {
				break
			}
			at += i
			r, n := utf8.DecodeRuneInString(text[at:])
			if _, ok := lookalike(r); ok && beside(text, at, at+n) && disguised(text, at) {
				parts = append(parts, stretch{max(0, at-viewReach), min(len(text), at+viewReach)})
				at += viewReach / 2
			}
			at = min(at+n, len(text))
		}
	}
	return parts
}

// beside reports whether a Latin letter stands next to [from, to).
func beside(text string, from, to int) bool {
	return from > 0 && latin(text[from-1]) || to < len(text) && latin(text[to])
}

// disguised reports whether the word around a letter is, read as Latin, the
// name of a secret.
func disguised(text string, at int) bool {
	const reach = 24
	v := latinView(text, stretch{max(0, at-reach), min(len(text), at+reach)})
	from, to := nameAt(string(v.text), sort.Search(len(v.from), func(i int) bool { return int(v.from[i]) >= at })+1)
	return keyStrength(string(v.text[from:to])) > weakKey
}

func latin(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// latinView writes the Latin letter for each that looks like it.
func latinView(text string, part stretch) *view {
	v := newView(part.to - part.from)
	for i := part.from; i < part.to; {
		r, n := utf8.DecodeRuneInString(text[i:])
		if c, ok := lookalike(r); ok {
			v.put(c, i)
		} else {
			n = min(n, part.to-i)
			for k := range n {
				v.put(text[i+k], i+k)
			}
		}
		i += n
		v.end = i
	}
	return v
}
