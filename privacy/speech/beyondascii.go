package speech

import (
	"iter"
	"strings"
	"sync"

	"keepmum/privacy/languages"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// NonASCIICue is a cue that has letters beyond ASCII.
type NonASCIICue struct {
	Start, Letter, End int // Letter is its first letter beyond ASCII
	Of                 scan.CueOf
	NameOnly           bool // it is a cue only as the name of a setting
}

// BeyondASCII returns the cues of a text that have letters beyond ASCII.
func BeyondASCII(text string) iter.Seq[NonASCIICue] {
	return func(yield func(NonASCIICue) bool) {
		words := nonASCIIWords()
		for at := nextLead(text, 0); at+1 < len(text); at = nextLead(text, at+1) {
			for _, w := range words[leadOf(text[at:])] {
				found := strings.HasPrefix(text[at:], w.tail) && strings.HasSuffix(text[:at], w.head)
				if found && !yield(NonASCIICue{at - len(w.head), at, at + len(w.tail), w.of, w.nameOnly}) {
					return
				}
			}
		}
	}
}

// nonASCIIWord is a cue, split before its first letter beyond ASCII.
type nonASCIIWord struct {
	head, tail string
	of         scan.CueOf
	nameOnly   bool // no cue in a sentence
}

// nonASCIIWords are the cues with letters beyond ASCII, by the first two bytes of their first such letter.
var nonASCIIWords = sync.OnceValue(func() *[1 << 12][]nonASCIIWord {
	out := new([1 << 12][]nonASCIIWord)
	add := func(w string, of scan.CueOf, nameOnly bool) {
		at := strings.IndexFunc(w, func(r rune) bool { return r >= 0x80 })
		lead := leadOf(w[at:])
		out[lead] = append(out[lead], nonASCIIWord{w[:at], w[at:], of, nameOnly})
	}
	words, of := NonASCIICues()
	for n, w := range words {
		add(w, of[n], false)
		if up := strings.ToUpper(w); up != w && !value.ASCII(up) {
			add(up, of[n], true)
		}
	}
	for _, w := range languages.ByKind()["name"] {
		if !value.ASCII(w) {
			add(w, scan.CueKey, true)
		}
	}
	return out
})

// leadOf returns a number for the first two bytes of a letter.
func leadOf(letter string) int { return int(letter[0]&0x3f)<<6 | int(letter[1]&0x3f) }

// nextLead returns where the next letter beyond ASCII starts.
func nextLead(text string, at int) int {
	for at+8 <= len(text) && value.ASCII(text[at:at+8]) {
		at += 8
	}
	for at < len(text) && text[at] < 0xc0 {
		at++
	}
	return at
}
