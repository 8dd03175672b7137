package speech

import (
	"slices"
	"strings"
	"sync"

	"keepmum/privacy/fnvmap"
	"keepmum/privacy/languages"
)

// wordClasses are the kinds of words that may be between what a sentence is about and the value.
var wordClasses = [...]string{
	"", "account", "code", "thing", "password", "enter", "key", "for", "and", "to", "with", "is",
}

const stemClasses = 5 // the first kinds: a word of them counts with other endings, too

// classTable contains the words of these kinds, and the hashes of their first letters, which most other words do not
// share.
type classTable struct {
	kinds  fnvmap.Map[uint8]
	begins [1 << 10]uint64
	enters [256]bool // first bytes of words of entering
}

const stemLetters = 5 // bytes of the shortest stem

func (t *classTable) mark(sum uint64) { t.begins[sum>>6%uint64(len(t.begins))] |= 1 << (sum % 64) }
func (t *classTable) has(sum uint64) bool {
	return t.begins[sum>>6%uint64(len(t.begins))]>>(sum%64)&1 != 0
}

// between contains the words of these kinds.
var between = sync.OnceValue(func() *classTable {
	order := []string{"account", "code", "thing", "password", "key", "for", "and", "to", "with", "enter", "is"}
	kinds := map[string]uint8{}
	for _, kind := range order {
		for _, w := range languages.ByKind()[kind] {
			kinds[strings.TrimSpace(w)] = uint8(slices.Index(wordClasses[:], kind))
		}
	}
	out := &classTable{}
	out.kinds.Grow(len(kinds))
	for w, kind := range kinds {
		out.kinds.Put(fnvmap.Hash(w), kind)
		out.mark(fnvmap.Hash(w[:min(len(w), stemLetters)]))
		if wordClasses[kind] == "enter" {
			out.enters[w[0]], out.enters[w[0]&^0x20] = true, true
		}
	}
	return out
})

// ClassOf returns what sort of word it is: its own kind, or that of the longest stem that has one.
func ClassOf(word string) string {
	switch word {
	case "":
		return "nothing"
	case "#":
		return "#"
	}
	words, stem := between(), uint8(0)
	sum := uint64(fnvmap.Start)
	for i := range len(word) {
		c := word[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if i >= stemLetters {
			if i == stemLetters && !words.has(sum) {
				return "word"
			}
			if kind := words.kinds.Get(sum); kind > 0 && kind <= stemClasses {
				stem = kind
			}
		}
		sum = (sum ^ uint64(c)) * fnvmap.Prime
	}
	if len(word) <= stemLetters && !words.has(sum) {
		return "word"
	}
	if kind := words.kinds.Get(sum); kind > 0 {
		return wordClasses[kind]
	}
	if stem > 0 {
		return wordClasses[stem]
	}
	return "word"
}
