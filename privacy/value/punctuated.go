package value

import "strings"

// PunctuatedPassword reports whether a value is words and numbers joined by punctuation, as people write passwords:
// Liverpool.fc, D0ku.Ablage, Winter*24. Names from code have no capital and no digit in such places, or contain words
// that are typical of programs.
func PunctuatedPassword(v string) bool {
	n := CountKinds(v)
	if !fewSymbols(v, n, 3) || n.Upper+n.Digits == 0 {
		return false
	}
	for i := range len(v) {
		switch c := v[i]; {
		case Alphanumeric(c):
		case strings.IndexByte(".*+_-!$&%#@^~?", c) < 0:
			return false
		case c == '-' && i > 0 && v[i-1] == c, c == '.' && i+1 == len(v):
			return false
		}
	}
	if n.Digits > 0 && n.Upper > 0 && strings.Trim(v, Letters+"0123456789._-") != "" {
		return true // names from code are not joined that way
	}
	return !HasCodeWord(v, n.Digits == 0)
}

// fewSymbols reports whether a value is as long as passwords that people think up, and has letters and between one and
// most symbols.
func fewSymbols(v string, n kinds, most int) bool {
	return len(v) >= 7 && len(v) <= 40 && n.Lower >= 3 && n.Other > 0 && n.Other <= most
}

// HasCodeWord reports whether one of the words of a value is typical of names in programs; if strict, the value must
// also be written like such a name.
func HasCodeWord(v string, strict bool) bool {
	var room [MaxWords]string
	words, long := NameWords(v, room[:0]), false
	parts := 1
	for i := range len(v) {
		if !Alphanumeric(v[i]) {
			parts++
		}
	}
	if strict && len(words) != parts || len(words) > MaxWords {
		return true // letters of both cases in one part, or a symbol at the end
	}
	for _, w := range words {
		if strict && len(w) < 2 || CodeWord(w) || InList(w, programWords) {
			return true
		}
		long = long || len(w) > 2
	}
	return !long
}

// CodeWord reports whether programs, forms or messages use a word, so that it is hardly part of a passphrase.
func CodeWord(w string) bool {
	return StopWords[w] || codeOrFormWord(w) || InList(w, Examples) || KeyStrength(w) != NotSecret
}

// codeOrFormWord reports whether a word is in the lists of such words.
func codeOrFormWord(w string) bool {
	return InList(w, DescriptionWords) || InList(w, ComponentWords) || InList(w, codeWords)
}

// WordWithSymbol reports whether a value is letters with a symbol where no sentence has one: Kuh!stall, MossHeron!.
func WordWithSymbol(v string) bool {
	n := CountKinds(v)
	if !fewSymbols(v, n, 2) || n.Digits > 0 {
		return false
	}
	for i := range len(v) {
		if c := v[i]; !Alphanumeric(c) && (strings.IndexByte("!#$%&*+?^~@", c) < 0 || i == 0) {
			return false
		}
	}
	inner := v[1 : len(v)-1]
	if CountKinds(inner).Other == 0 && CountKinds(inner).Upper == 0 {
		return false // an exclamation
	}
	return !HasCodeWord(v, false) && !Expression(v)
}
