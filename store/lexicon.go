package store

import (
	"slices"
	"strings"
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
// words of a hash, and is for one goroutine.
type lexicon struct {
	slots []slot
	text  []lexeme // of the text that is read
}

type slot struct {
	word    string
	lexemes []lexeme
}

const (
	lexiconSlots  = 1 << 15
	maxRemembered = 40 // bytes of a word; longer ones are seldom seen again
)

// look returns the lexeme of a word, followed by those of its parts.
func (l *lexicon) look(w string) []lexeme {
	if len(w) > maxRemembered {
		return lexemes(w)
	}
	if l.slots == nil {
		l.slots = make([]slot, lexiconSlots)
	}
	s := &l.slots[hash(w)%lexiconSlots]
	if s.word != w {
		*s = slot{strings.Clone(w), lexemes(w)}
	}
	return s.lexemes
}

func lexemes(w string) []lexeme {
	out := []lexeme{lexemeOf(stem(fold(w)))}
	splitWord(w, func(part string) { out = append(out, lexemeOf(stem(fold(part)))|partBit) })
	return out
}

// read returns the lexemes of a text, and how many of them begin in its first
// head bytes.
func (l *lexicon) read(text string, head int) (all []lexeme, near int) {
	l.text = l.text[:0]
	words(text, func(w string, start int) bool {
		l.text = append(l.text, l.look(w)...)
		if start < head {
			near = len(l.text)
		}
		return true
	})
	return slices.Clone(l.text), near
}
