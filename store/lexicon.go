package store

import (
	"hash/maphash"
	"slices"
)

// lexeme is a word as scores compare it: a hash of its stem. One that is only
// a part of the word before it has the highest bit set. Two words that share a
// hash are taken for one; among 2³¹ that does not change a ranking.
type lexeme uint32

const partBit lexeme = 1 << 31

func (l lexeme) part() bool { return l&partBit != 0 }

func (l lexeme) whole() lexeme { return l &^ partBit }

func lexemeOf(stem string) lexeme { return lexeme(hash(stem)) &^ partBit }

// hash is FNV-1a.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// lexicon remembers the lexemes of words: stemming a word takes far longer than
// finding it, and few words make up most of all texts. It has one slot for all
// words of a place, knows a word by its hash alone, and is for one goroutine.
type lexicon struct {
	seed  maphash.Seed
	slots []slot
	text  []lexeme // of the text that is read
}

// slot holds no pointer: there are many, and each look goes to another.
type slot struct {
	key     uint64
	n       uint32
	lexemes [maxLexemes]lexeme
}

const (
	lexiconSlots = 1 << 16
	maxLexemes   = 5 // of a word that is remembered, so that a slot is half a cache line
)

// look appends the lexeme of a word, followed by those of its parts.
func (l *lexicon) look(w string) {
	key := maphash.String(l.seed, w) | 1 // an empty slot has none
	s := &l.slots[key>>1%lexiconSlots]
	if s.key == key {
		l.text = append(l.text, s.lexemes[:s.n]...)
		return
	}
	known := len(l.text)
	l.text = appendLexemes(l.text, w)
	if n := copy(s.lexemes[:], l.text[known:]); n == len(l.text)-known {
		s.key, s.n = key, uint32(n)
	} else {
		s.key = 0
	}
}

func appendLexemes(out []lexeme, w string) []lexeme {
	out = append(out, lexemeOf(stem(fold(w))))
	splitWord(w, func(part string) { out = append(out, lexemeOf(stem(fold(part)))|partBit) })
	return out
}

// read returns the lexemes of a text, and how many of them begin in its first
// head bytes.
func (l *lexicon) read(text string, head int) (all []lexeme, near int) {
	if l.slots == nil {
		l.slots, l.seed = make([]slot, lexiconSlots), maphash.MakeSeed()
	}
	l.text = l.text[:0]
	words(text, func(w string, start int) bool {
		l.look(w)
		if start < head {
			near = len(l.text)
		}
		return true
	})
	return slices.Clone(l.text), near
}
