package store

import (
	"hash/maphash"
	"slices"
)

// lexeme is a word in the form that scores compare: a hash of its stem. The highest bit is set for a part of the word
// before it. Two words with the same hash are treated as one; with 2³¹ values that does not change a ranking.
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

// lexicon caches the lexemes of words: stemming a word takes far longer than looking it up, and a few words make up
// most of any text. Each slot holds one word, identified by hash alone; a word replaces an earlier one in its slot. A
// lexicon is for one goroutine.
type lexicon struct {
	seed      maphash.Seed
	plain     []plainWord
	compounds []compound
	text      []lexeme // of the text being read
}

// plainWord is small, because there are many and each look-up touches another one.
type plainWord struct {
	hash   uint32
	lexeme lexeme // with partBit set, the word has parts and is in compounds
}

type compound struct {
	hash    uint64
	n       uint32
	lexemes [maxLexemes]lexeme
}

const (
	plainWords = 1 << 16
	compounds  = 1 << 13
	maxLexemes = 5 // of a cached word
)

// look appends the lexeme of a word and those of its parts.
func (l *lexicon) look(w string) {
	hash := maphash.String(l.seed, w)
	s := &l.plain[hash%plainWords]
	if s.hash == uint32(hash>>32) {
		if s.lexeme&partBit == 0 {
			l.text = append(l.text, s.lexeme)
			return
		}
		if c := &l.compounds[hash%compounds]; c.hash == hash {
			l.text = append(l.text, c.lexemes[:c.n]...)
			return
		}
	}
	known := len(l.text)
	l.text = appendLexemes(l.text, w)
	l.remember(hash, l.text[known:])
}

func (l *lexicon) remember(hash uint64, of []lexeme) {
	s := plainWord{uint32(hash >> 32), of[0]}
	if len(of) > maxLexemes {
		return
	}
	if len(of) > 1 {
		s.lexeme = partBit
		c := &l.compounds[hash%compounds]
		c.hash, c.n = hash, uint32(copy(c.lexemes[:], of))
	}
	l.plain[hash%plainWords] = s
}

func appendLexemes(out []lexeme, w string) []lexeme {
	out = append(out, lexemeOf(stem(fold(w))))
	splitWord(w, func(part string, _ int) { out = append(out, lexemeOf(stem(fold(part)))|partBit) })
	return out
}

// read returns the lexemes of a text, and how many of them start in its first head bytes.
func (l *lexicon) read(text string, head int) (all []lexeme, near int) {
	if l.plain == nil {
		l.seed, l.plain, l.compounds = maphash.MakeSeed(), make([]plainWord, plainWords), make([]compound, compounds)
		for i := range l.plain {
			l.plain[i].lexeme = partBit // an empty slot
		}
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
