package privacy

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// lookalikes are letters of other alphabets that nobody can tell from a Latin
// one. In a word with Latin letters they stand for it.
func lookalike(r rune) (byte, bool) {
	switch r {
	case '\u0410', '\u0391':
		return 'A', true
	case '\u0412', '\u0392':
		return 'B', true
	case '\u0421':
		return 'C', true
	case '\u0415', '\u0395':
		return 'E', true
	case '\u041d', '\u0397':
		return 'H', true
	case '\u0406', '\u0399':
		return 'I', true
	case '\u041a', '\u039a':
		return 'K', true
	case '\u041c', '\u039c':
		return 'M', true
	case '\u039d':
		return 'N', true
	case '\u041e', '\u039f':
		return 'O', true
	case '\u0420', '\u03a1':
		return 'P', true
	case '\u0405':
		return 'S', true
	case '\u0422', '\u03a4':
		return 'T', true
	case '\u0425', '\u03a7':
		return 'X', true
	case '\u0423', '\u03a5':
		return 'Y', true
	case '\u0396':
		return 'Z', true
	case '\u0430', '\u03b1':
		return 'a', true
	case '\u0432':
		return 'b', true
	case '\u0441':
		return 'c', true
	case '\u0501':
		return 'd', true
	case '\u0435':
		return 'e', true
	case '\u04bb', '\u043d':
		return 'h', true
	case '\u0456', '\u03b9':
		return 'i', true
	case '\u0458':
		return 'j', true
	case '\u043a', '\u03ba':
		return 'k', true
	case '\u043c':
		return 'm', true
	case '\u043e', '\u03bf':
		return 'o', true
	case '\u0440', '\u03c1':
		return 'p', true
	case '\u051b':
		return 'q', true
	case '\u0455':
		return 's', true
	case '\u0442':
		return 't', true
	case '\u0475', '\u03bd':
		return 'v', true
	case '\u051d':
		return 'w', true
	case '\u0445':
		return 'x', true
	case '\u0443':
		return 'y', true
	}
	return 0, false
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
