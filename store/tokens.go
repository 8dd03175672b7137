package store

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// unescapeRune writes the rune of `\uXXXX` (or of a surrogate pair) and returns how many bytes it read.
func unescapeRune(b *strings.Builder, s string) int {
	r, ok := hexRune(s)
	if !ok {
		b.WriteByte('u')
		return 2
	}
	if utf16.IsSurrogate(r) {
		if low, ok := hexRune(s[6:]); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				b.WriteRune(both)
				return 12
			}
		}
		r = utf8.RuneError
	}
	b.WriteRune(r)
	return 6
}

func hexRune(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}

// laterLetters are marks in the tokenizer's version of Unicode.
var laterLetters = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x19B0, Hi: 0x19C0, Stride: 1},
	{Lo: 0x19C8, Hi: 0x19C9, Stride: 1}, {Lo: 0x1CF2, Hi: 0x1CF3, Stride: 1}}}

// isWord reports what the index's tokenizer (unicode61) treats as part of a word, of characters beyond ASCII.
func isWord(r rune) bool {
	return unicode.IsLetter(r) && !unicode.Is(laterLetters, r) || unicode.IsNumber(r) || isDiacritic(r) ||
		unicode.Is(unicode.Co, r)
}

// isPart is [isWord] for the parts of words that are added to the index: all marks are in words. It must not change,
// because an entry is removed from the index with the text that it was added with.
func isPart(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || unicode.Is(unicode.Co, r)
}

// isDiacritic reports whether the tokenizer takes a combining mark for a diacritic, and drops it. At other marks it
// ends the word.
func isDiacritic(r rune) bool {
	const first, of = 0x0300, uint64(0x361F808029FDF) // bits for U+0300 to U+0331, as in SQLite's fts5_unicode2.c
	return r >= first && r < first+64 && of>>(r-first)&1 != 0
}

// isWordByte is [isWord] for ASCII.
func isWordByte(b byte) bool {
	// bits for '0'–'9', and for 'A'–'Z' and 'a'–'z' minus 64
	const digits, letters uint64 = 0x03FF_0000_0000_0000, 0x07FF_FFFE_07FF_FFFE
	return b < 64 && digits>>b&1 != 0 || b >= 64 && letters>>(b-64)&1 != 0
}

// words calls f with each word of a text and its position; f returns false to stop.
func words(s string, f func(word string, start int) bool) { wordsOf(s, isWord, f) }

// wordsOf is [words] for words of ASCII and certain other characters.
func wordsOf(s string, of func(rune) bool, f func(word string, start int) bool) {
	for i := 0; i < len(s); {
		start := skip(s, i, of, false)
		if start == len(s) {
			return
		}
		i = skip(s, start, of, true)
		if !f(s[start:i], start) {
			return
		}
	}
}

// skip returns the end of a run of bytes that are (or are not) part of a word.
func skip(s string, i int, of func(rune) bool, word bool) int {
	for i < len(s) {
		if b := s[i]; b < utf8.RuneSelf {
			if isWordByte(b) != word {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if of(r) != word {
			return i
		}
		i += n
	}
	return i
}

func countTokens(s string) (n int) {
	wordsOf(s, isPart, func(string, int) bool { n++; return true })
	return n
}

// identParts returns the parts of the identifiers in texts (parseURL: parse url; utf8: utf 8), and those of words in
// scripts without spaces between words, so that the index finds what is inside a word. It also counts the words.
func identParts(texts ...string) (parts string, tokens int) {
	var b strings.Builder
	seen := map[string]bool{}
	add := func(part string, _ int) {
		if p := strings.ToLower(part); !seen[p] {
			seen[p] = true
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(p)
		}
	}
	for _, s := range texts {
		wordsOf(s, isPart, func(w string, _ int) bool {
			tokens++
			splitWord(w, add)
			return true
		})
	}
	return b.String(), tokens
}

// splitWord calls f for each part of a word that has several, with its position.
func splitWord(w string, f func(part string, at int)) {
	if oneCase(w) {
		return
	}
	if hasWide(w) {
		splitWide(w, true, f)
		return
	}
	start, cut := 0, false
	for i := 1; i < len(w); i++ {
		if !boundary(w, i) {
			continue
		}
		if i-start >= 2 {
			f(w[start:i], start)
		}
		start, cut = i, true
	}
	if cut && len(w)-start >= 2 {
		f(w[start:], start)
	}
}

// oneCase reports whether a word is lower case after its first letter.
func oneCase(w string) bool {
	for i := 1; i < len(w); i++ {
		if class(w[i]) != lower {
			return false
		}
	}
	return class(w[0]) == lower || class(w[0]) == upper
}

// boundary reports whether a new part of an identifier begins at i: aB, ABc, a1, 1a.
func boundary(w string, i int) bool {
	a, b := class(w[i-1]), class(w[i])
	if a == upper && b == upper {
		return i+1 < len(w) && class(w[i+1]) == lower
	}
	return a != b && !(a == upper && b == lower) && a != other && b != other
}

type byteClass uint8

const (
	other byteClass = iota
	lower
	upper
	digit
)

func class(c byte) byteClass {
	switch {
	case c >= 'a' && c <= 'z':
		return lower
	case c >= 'A' && c <= 'Z':
		return upper
	case c >= '0' && c <= '9':
		return digit
	}
	return other
}
