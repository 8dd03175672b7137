package judge

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// RareWords reports whether a value in quotes, or with a dash where names have none, is words that somebody chose:
// programs, forms and messages use none of them. Small words may be between others.
func RareWords(v string) bool {
	if len(v) < 6 || len(v) > 64 || strings.Trim(v, value.Letters+"-_") != "" {
		return false
	}
	var room [value.MaxWords]string
	words := value.NameWords(v, room[:0])
	for n, w := range words {
		if n > 0 && n < len(words)-1 && value.InList(w, " in is of at on as are the and to for with over ") {
			continue
		}
		if len(w) < 3 || len(w) > 12 || value.CodeWord(w) {
			return false
		}
	}
	return len(words) > 1 || len(words) == 1 && value.LowerASCII(v) == v
}

// SpacedPassphrase returns the end of a value of words between blanks that can only be a password: in quotes, or up to
// the end of its line, after the name of a password. A message has capitals, small words or a full stop.
func SpacedPassphrase(s *scan.Scanner, name string, a Assignment) int {
	shared := a.Sep == Equals && (SuffixFold(name, "shared-key") || SuffixFold(name, "psk"))
	if flag := a.Quoted && (shared || a.Sep == Blank && Flag(s, a)); flag && a.End-a.Start <= 64 {
		return a.flagPhrase(s.Text)
	}
	phrase := SuffixFold(name, "phrase")
	if a.Sep != Equals && a.Sep != Colon && !(a.Sep == Blank && phrase) {
		return 0
	}
	end := a.End
	if !a.Quoted {
		if n := strings.IndexAny(s.Text[a.Start:min(len(s.Text), a.Start+64)], "\r\n"); n >= 0 {
			end = a.Start + n
		} else if end = min(len(s.Text), a.Start+64); end < len(s.Text) {
			return 0
		}
	}
	v := s.Text[a.Start:end]
	if strings.IndexByte(v, ' ') < 0 {
		return 0
	}
	words, digits, marked := 0, false, strings.ContainsAny(v, "#&+*~")
	// a message starts with a capital; it contains numbers, but no word with a digit in it
	titled := value.LowerASCII(v) != v
	for word := range strings.FieldsSeq(v) {
		word = value.LowerASCII(word)
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-!#&+*~") != "" || len(word) > 12 ||
			value.StopWords[word] && !a.Env || value.InList(word, value.DescriptionWords) ||
			value.InList(word, value.Examples) && (!a.Env && !(phrase && words > 0) || len(word) > 3) {
			return 0
		}
		words++
		digits = digits || value.Mixed(word) || value.Integer(word) && !titled
	}
	switch {
	case words < 2 || words > 8 || marked && !(a.Quoted && digits), titled && !a.Quoted &&
		!(phrase && words > 2 && v[0] >= 'a'):
		return 0
	case a.Sep == Blank && !a.Quoted && !digits:
		return 0
	case AppPassword(v), a.Quoted && (digits || Capitals(name) || words > 2 && !titled && strings.IndexByte(v, '-') < 0),
		words > 2 && phrase:
		return end
	}
	return 0
}

// AppPassword reports whether a value is four groups of four lower-case letters, like the app passwords of mail
// providers and phone makers.
func AppPassword(v string) bool {
	if len(v) != 19 {
		return false
	}
	for i := range len(v) {
		if c := v[i]; i%5 == 4 && c != v[4] || i%5 != 4 && (c < 'a' || c > 'z') {
			return false
		}
	}
	return v[4] == ' ' || v[4] == '-'
}

// flagPhrase returns the end of a passphrase in quotes after a flag: several words, none of which a message uses.
func (a Assignment) flagPhrase(text string) int {
	words := 0
	for word := range strings.FieldsSeq(text[a.Start:a.End]) {
		if value.StopWords[word] || strings.ContainsAny(word, "$<>{}") {
			return 0
		}
		words++
	}
	if words < 2 {
		return 0
	}
	return a.End
}

// JoinedPassphrase reports whether a value is three or more words joined by one sort of separator, like generated
// passphrases: correct-horse-battery-staple.
func JoinedPassphrase(v string) bool {
	i := strings.IndexAny(v, "-_.")
	if i < 3 || len(v) > 96 {
		return false
	}
	words := 0
	for word := range strings.SplitSeq(v, v[i:i+1]) {
		low := strings.ToLower(word)
		if len(word) < 3 || len(word) > 10 || strings.Trim(low, "abcdefghijklmnopqrstuvwxyz") != "" || word[1:] != low[1:] ||
			value.StopWords[low] || value.InList(low, value.DescriptionWords) || value.InList(low, value.ComponentWords) {
			return false
		}
		words++
	}
	return words >= 3
}

// PassphraseWords reports whether a value in the place of a password is words, none of which labels or messages use.
func PassphraseWords(v string) bool {
	if len(v) < 6 || len(v) > 64 || value.Placeholder(v) || strings.ContainsAny(v, "<>{}()[]$=/\\\"|:;") ||
		strings.IndexByte(".?", v[len(v)-1]) >= 0 {
		return false
	}
	words := 0
	for word := range strings.FieldsSeq(v) {
		low := strings.ToLower(strings.Trim(word, ",.!-_'"))
		if value.StopWords[low] || value.InList(low, value.DescriptionWords) || value.InList(low, value.Examples) ||
			value.InList(low, " mot passe ") || value.LabelWord(low) || value.KeyStrength(low) >= value.TokenKey {
			return false
		}
		words++
	}
	return words > 1 && words < 7
}
