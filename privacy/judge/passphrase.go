package judge

import (
	"strings"
	"unicode"

	"keepmum/privacy/assign"
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

// SpacedPassphrase returns the end of a value of words between blanks that the learned judge considers a password, or
// that can only be one: in quotes, in an element, or up to the end of its line, after the name of a password.
func SpacedPassphrase(s *scan.Scanner, name string, a assign.Assignment) int {
	shared := a.Sep == assign.Equals && (value.EndsFold(name, "shared-key") || value.EndsFold(name, "psk"))
	if a.Quoted && a.End-a.Start <= maxSpaced && shared {
		return flagPhrase(a, s.Text)
	}
	switch a.Sep {
	case assign.Equals, assign.Colon, assign.Element:
	case assign.Blank:
		if !a.Quoted && !value.EndsFold(name, "phrase") {
			return 0
		}
	default:
		return 0
	}
	end := spacedEnd(a, s.Text)
	v := s.Text[a.Start:end]
	if strings.IndexByte(v, ' ') < 0 {
		return 0
	}
	if mayBePhrase(a, v) {
		a.End, a.Words = end, true
		if secretByWeights(s, value.PasswordKey, name, v, a) {
			return end
		}
	}
	if a.Sep != assign.Element && certainPhrase(v, name, a) {
		return end
	}
	return 0
}

// mayBePhrase reports whether a value with blanks is worth judging: no code, nothing to be filled in, not too long.
func mayBePhrase(a assign.Assignment, v string) bool {
	if len(v) > longestPhrase || strings.ContainsAny(v, "$<>{}[]=/\n") || value.Placeholder(v) {
		return false
	}
	return a.Quoted || a.Sep == assign.Element || startsPhrase(a, v)
}

// certainPhrase reports whether a value with blanks can only be a passphrase: plain words, none of which a message in a
// translation has. The fitted weights are not sure of those where messages stand, too: "password": "four plain words".
func certainPhrase(v, name string, a assign.Assignment) bool {
	phrase := value.EndsFold(name, "phrase")
	w := chosenWords(v, a.Env, phrase)
	if w.n < 2 || w.n > 8 || strings.ContainsAny(v, "#&+*~") && !(a.Quoted && w.digits) {
		return false
	}
	named := AppPassword(v) || phrase && w.n > 2
	if a.Quoted {
		return named || w.unlikeMessage(v) || assign.Capitals(name)
	}
	return named && (!w.titled || v[0] >= 'a') && (a.Sep != assign.Blank || w.digits)
}

// startsPhrase reports whether a value without quotes may go on after its first word: in a command another argument
// follows, and after a password of its own a sentence goes on.
func startsPhrase(a assign.Assignment, v string) bool {
	first, _, _ := strings.Cut(v, " ")
	plain := strings.IndexFunc(first, func(c rune) bool { return !unicode.IsLetter(c) }) < 0 || value.Integer(first)
	return plain && strings.IndexByte(v, '"') < 0 && (a.Sep != assign.Equals || a.Spaced || AppPassword(v))
}

const maxSpaced = 64 // bytes of such a value

// spacedEnd returns the end of a value with blanks: its quote or element, the end of its line, or its start if that is
// far.
func spacedEnd(a assign.Assignment, text string) int {
	if a.Quoted || a.Sep == assign.Element {
		return a.End
	}
	limit := min(len(text), a.Start+maxSpaced)
	if n := strings.IndexAny(text[a.Start:limit], "\r\n"); n >= 0 {
		return a.Start + n
	}
	if limit < len(text) {
		return a.Start
	}
	return limit
}

// spacedWords is what a value with blanks consists of.
type spacedWords struct {
	n, long int  // words, and those of three letters and more
	digits  bool // a word has some
	titled  bool // it has capitals: a message starts with one, and contains numbers, but no word with a digit in it
}

// unlikeMessage reports whether words in quotes are no message: one has digits, or there are three without capitals and
// dashes.
func (w spacedWords) unlikeMessage(v string) bool {
	return w.digits || w.n > 2 && w.long > 1 && !w.titled && strings.IndexByte(v, '-') < 0
}

// chosenWords reads the words of a value with blanks, and counts none if one of them is unlikely in a passphrase.
func chosenWords(v string, env, phrase bool) (w spacedWords) {
	w.titled = value.LowerASCII(v) != v
	for word := range strings.FieldsSeq(v) {
		word = value.LowerASCII(word)
		if len(word) > 12 || strings.Trim(word, value.SmallLetters+"0123456789-!#&+*~") != "" {
			return spacedWords{}
		}
		if value.StopWords[word] && !env || value.InList(word, value.DescriptionWords) {
			return spacedWords{}
		}
		if value.InList(word, value.Examples) && (len(word) > 3 || !env && !(phrase && w.n > 0)) {
			return spacedWords{}
		}
		w.n++
		w.long += min(1, len(word)/3)
		w.digits = w.digits || value.Mixed(word) || value.Integer(word) && !w.titled
	}
	return w
}

// flagPhrase returns the end of a passphrase in quotes after a flag: several words, none of which a message uses.
func flagPhrase(a assign.Assignment, text string) int {
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
		if len(word) < 3 || len(word) > 10 || strings.Trim(low, value.SmallLetters) != "" || word[1:] != low[1:] {
			return false
		}
		if value.InList(low, value.ComponentWords) {
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
		if value.InList(low, value.Examples) || value.InList(low, " mot passe ") ||
			value.LabelWord(low) || value.KeyStrength(low) >= value.TokenKey {
			return false
		}
		words++
	}
	return words > 1 && words < 7
}

// AppPassword reports whether a value is four groups of four lower-case letters, like the app passwords of mail
// providers and phone makers.
func AppPassword(v string) bool {
	if len(v) != 19 || v[4] != ' ' && v[4] != '-' {
		return false
	}
	for group := range strings.SplitSeq(v, v[4:5]) {
		if len(group) != 4 || strings.Trim(group, value.SmallLetters) != "" {
			return false
		}
	}
	return true
}
