package store

import (
	"unicode"
	"unicode/utf8"
)

// Some scripts have no spaces between words, so a sentence is one word to the index's tokenizer. What is found of it
// are single characters, pairs of adjacent ones, and words of other scripts among them.

// wide reports whether a character is of such a script. The marks that lengthen a vowel are of no script.
func wide(r rune) bool {
	return r >= 0x0e00 && (r == 'ー' || r == 'ｰ' ||
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao,
			unicode.Khmer, unicode.Myanmar))
}

func hasWide(w string) bool {
	for i := 0; i < len(w); i++ {
		if w[i] >= 0xe0 {
			for _, r := range w[i:] {
				if wide(r) {
					return true
				}
			}
			return false
		}
	}
	return false
}

// splitWide calls f for each part of a word with wide characters: for the single characters if all is set, as in a
// document, otherwise only for those without another one next to them.
func splitWide(w string, all bool, f func(part string, at int)) {
	for at := 0; at < len(w); {
		end, n := runIn(w, at)
		switch {
		case n == 0:
			f(w[at:end], at)
			splitWord(w[at:end], func(part string, in int) { f(part, at+in) })
		case n == 1 && (!all || end-at < len(w)):
			f(w[at:end], at)
		case n > 1:
			splitRun(w[at:end], all, func(part string, in int) { f(part, at+in) })
		}
		at = end
	}
}

// runIn returns the end of a run of characters that are all wide or all not, and how many wide ones it has.
func runIn(w string, at int) (end, n int) {
	first, _ := utf8.DecodeRuneInString(w[at:])
	kind := wide(first)
	for end = at; end < len(w); {
		r, size := utf8.DecodeRuneInString(w[end:])
		if wide(r) != kind {
			break
		}
		if end += size; kind {
			n++
		}
	}
	return end, n
}

// splitRun calls f for each pair of adjacent characters, and for each character if all is set.
func splitRun(run string, all bool, f func(part string, at int)) {
	prev := -1
	for i, r := range run {
		end := i + utf8.RuneLen(r)
		if prev >= 0 {
			f(run[prev:end], prev)
		}
		if all {
			f(run[i:end], i)
		}
		prev = i
	}
}
