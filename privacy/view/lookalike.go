package view

import (
	"sort"
	"strings"
	"unicode/utf8"

	"keepmum/privacy/assign"
	"keepmum/privacy/pair"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// lookalike returns the Latin letter that looks the same as a letter of another alphabet; in a word with Latin letters
// it is read as that letter.
func lookalike(r rune) (byte, bool) {
	const size = 2 // bytes of each of the other letters
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

// mixedScripts returns the parts of a text around names of secrets that mix letters of two alphabets that look the
// same.
func mixedScripts(text string) (parts []scan.Stretch) {
	for _, lead := range []byte{0xCE, 0xCF, 0xD0, 0xD1, 0xD2, 0xD4} { // first bytes of those alphabets
		for at := 0; ; {
			i := strings.IndexByte(text[at:], lead)
			if i < 0 {
				break
			}
			at += i
			r, n := utf8.DecodeRuneInString(text[at:])
			if _, ok := lookalike(r); ok && beside(text, at, at+n) && disguised(text, at) {
				parts = append(parts, scan.Stretch{From: max(0, at-pair.ViewReach), To: min(len(text), at+pair.ViewReach)})
				at += pair.ViewReach / 2
			}
			at = min(at+n, len(text))
		}
	}
	return parts
}

// beside reports whether a Latin letter is next to [from, to).
func beside(text string, from, to int) bool {
	return from > 0 && value.Letter(text[from-1]) || to < len(text) && value.Letter(text[to])
}

// disguised reports whether the word around a letter, read as Latin, is the name of a secret.
func disguised(text string, at int) bool {
	const reach = 24
	v := latinView(text, scan.Stretch{From: max(0, at-reach), To: min(len(text), at+reach)})
	from, to := assign.NameAt(string(v.Text), sort.Search(len(v.From), func(i int) bool { return int(v.From[i]) >= at })+1)
	return value.KeyStrength(string(v.Text[from:to])) > value.WeakKey
}

// latinView replaces letters by the Latin letters that look the same.
func latinView(text string, part scan.Stretch) *viewAt {
	v := newView(part.To - part.From)
	for i := part.From; i < part.To; {
		r, n := utf8.DecodeRuneInString(text[i:])
		if c, ok := lookalike(r); ok {
			v.put(c, i)
		} else {
			n = min(n, part.To-i)
			for k := range n {
				v.put(text[i+k], i+k)
			}
		}
		i += n
		v.End = i
	}
	return v
}
