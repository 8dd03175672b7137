package pair

import (
	"strings"
	"sync"

	"keepmum/privacy/judge"
	"keepmum/privacy/rules"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// OtherLanguageWords are words for a password or a key in other languages, in letters that the automaton can contain.
func OtherLanguageWords() (out []string) {
	for _, kind := range []string{"password", "key"} {
		for _, w := range rules.Languages()[kind] {
			if judge.ASCII(w) {
				out = append(out, value.LowerASCII(w))
			}
		}
	}
	return out
}

// NonASCIICues searches a text that can contain other alphabets for cues in them.
func NonASCIICues(s *scan.Scanner) {
	if s.Latin {
		return
	}
	words := distantWords()
	for at := nextLead(s.Text, 0); at+1 < len(s.Text); at = nextLead(s.Text, at+1) {
		for _, w := range words[leadOf(s.Text[at:])] {
			if strings.HasPrefix(s.Text[at:], w.tail) && strings.HasSuffix(s.Text[:at], w.head) {
				scan.Cued(s, w.of, at-len(w.head), at+len(w.tail))
			}
		}
	}
}

// distantWord is a cue, split before its first letter beyond ASCII.
type distantWord struct {
	head, tail string
	of         scan.CueOf
}

// distantWords are the cues with letters beyond ASCII, by the first two bytes of their first such letter.
var distantWords = sync.OnceValue(func() *[1 << 12][]distantWord {
	out := new([1 << 12][]distantWord)
	words, of := judge.NonASCIICues()
	for n, w := range words {
		at := strings.IndexFunc(w, func(r rune) bool { return r >= 0x80 })
		lead := leadOf(w[at:])
		out[lead] = append(out[lead], distantWord{w[:at], w[at:], of[n]})
	}
	return out
})

// leadOf returns a number for the first two bytes of a letter.
func leadOf(letter string) int { return int(letter[0]&0x3f)<<6 | int(letter[1]&0x3f) }

// nextLead returns where the next letter beyond ASCII starts.
func nextLead(text string, at int) int {
	for at+8 <= len(text) && judge.ASCII(text[at:at+8]) {
		at += 8
	}
	for at < len(text) && text[at] < 0xc0 {
		at++
	}
	return at
}

// NameInOtherLanguage judges the name of a setting that is, or ends with, such a word: heslo=, "clave":, CHIAVE_API =.
func NameInOtherLanguage(s *scan.Scanner, end int) {
	if strings.HasPrefix(s.Text[end:], "ña") {
		end += len("ña")
	}
	if settingNamed(s, end) {
		Name(s, end)
	}
}

// settingNamed reports whether the word that ends at an offset is part of the name of a setting.
func settingNamed(s *scan.Scanner, end int) bool {
	from, to := judge.NameAt(s.Text, end)
	to = judge.SkipBlanks(s.Text, judge.SkipClosers(s.Text, to))
	if to >= len(s.Text) || s.Text[to] != ':' {
		return to < len(s.Text) && s.Text[to] == '='
	}
	before := strings.TrimRight(s.Text[value.LineStart(s.Text, from, 160):from], " \t-")
	return before == "" || strings.IndexByte("\"'{,(", before[len(before)-1]) >= 0
}
