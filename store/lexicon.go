package store

import (
	"hash/fnv"
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

func lexemeOf(stem string) lexeme {
	h := fnv.New32a()
	_, _ = h.Write([]byte(stem)) // never fails
	return lexeme(h.Sum32()) &^ partBit
}

// lexicon remembers the lexemes of words: stemming a word takes ten times as
// long as looking it up, and few words make up most of all texts. It is for
// one goroutine.
type lexicon struct {
	words map[string][]lexeme
	text  []lexeme // of the text that is read
}

const (
	maxLexicon    = 30_000
	maxRemembered = 40 // bytes of a word; longer ones are seldom seen again
)

// look returns the lexeme of a word, followed by those of its parts.
func (l *lexicon) look(w string) []lexeme {
	if found, ok := l.words[w]; ok {
		return found
	}
	out := []lexeme{lexemeOf(stem(fold(w)))}
	splitWord(w, func(part string) { out = append(out, lexemeOf(stem(fold(part)))|partBit) })
	if len(w) > maxRemembered {
		return out
	}
	if l.words == nil || len(l.words) >= maxLexicon {
		l.words = make(map[string][]lexeme, 1024)
	}
	l.words[strings.Clone(w)] = out
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
