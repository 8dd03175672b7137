package privacy

import "strings"

// wordsJoined reports whether a value is three or more words joined by one sort of
// separator, as generators of passphrases write them: correct-horse-battery-staple.
func wordsJoined(v string) bool {
	i := strings.IndexAny(v, "-_.")
	if i < 3 || len(v) > 96 {
		return false
	}
	words := 0
	for word := range strings.SplitSeq(v, v[i:i+1]) {
		low := strings.ToLower(word)
		if len(word) < 3 || len(word) > 10 || strings.Trim(low, "abcdefghijklmnopqrstuvwxyz") != "" || word[1:] != low[1:] || smallWords[low] || in(low, kindWords) || in(low, partWords) {
			return false
		}
		words++
	}
	return words >= 3
}

// partWords are in the names of the parts of programs, and hardly in passphrases.
const partWords = " app api web test prod dev stage staging service store config settings input form page view button label title help hint policy manager provider handler controller admin root main core common shared base data model table column row index icon group role name sign signin signup logout my the aws gcp azure sha "

// wordsApart returns the end of a value of words between blanks that only a
// password can be: in quotes, or up to the end of its line, behind the name of
// one. A message has capitals, small words or a full stop.
func (s *scanner) wordsApart(name string, a assignment) int {
	if flag := a.sep == blank && a.quoted && s.flag(a); flag && a.end-a.start <= 64 {
		return a.flagPhrase(s.text)
	} else if a.sep != equals && a.sep != colon {
		return 0
	}
	end := a.end
	if !a.quoted {
		if n := strings.IndexAny(s.text[a.start:min(len(s.text), a.start+64)], "\r\n"); n >= 0 {
			end = a.start + n
		} else if end = min(len(s.text), a.start+64); end < len(s.text) {
			return 0
		}
	}
	v := s.text[a.start:end]
	words, digits := 0, false
	titled := lowerASCII(v) != v // a message begins with a capital; it holds numbers, no word with a digit in it
	for word := range strings.FieldsSeq(v) {
		word = lowerASCII(word)
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-!") != "" || len(word) > 10 || smallWords[word] || in(word, kindWords) || in(word, examples) {
			return 0
		}
		words++
		digits = digits || mixed(word) || integer(word) && !titled
	}
	switch {
	case words < 2 || words > 8 || titled && !a.quoted:
		return 0
	case fourByFour(v), a.quoted && (digits || capitals(name)), words > 2 && strings.HasSuffix(strings.ToLower(name), "phrase"):
		return end
	}
	return 0
}

// fourByFour reports whether a value is four groups of four small letters, as
// the passwords that mail providers and phone makers give to programs.
func fourByFour(v string) bool {
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

// flagPhrase returns the end of a passphrase in quotes behind a flag: several
// words of which none is one of a message.
func (a assignment) flagPhrase(text string) int {
	words := 0
	for word := range strings.FieldsSeq(text[a.start:a.end]) {
		if smallWords[word] || strings.ContainsAny(word, "$<>{}") {
			return 0
		}
		words++
	}
	if words < 2 {
		return 0
	}
	return a.end
}
