package store

import (
	"context"
	"encoding/json"
)

const (
	maxCorrections = 2 // of one query are looked for: each takes hundreds of looks into the index
	minTypo        = 4 // letters; shorter words have too many neighbours
)

const existQuery = `SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM docs_fts WHERE docs_fts MATCH value)`

// correct looks for the most frequent word at one edit from a word that
// nothing holds. The first letter is taken as right: it nearly always is.
func (ix *index) correct(ctx context.Context, t term) (term, float64, error) {
	if other, df, ok := ix.db.terms.correction(t.word, ix.n); ok {
		return other, df, nil
	}
	found, err := ix.exist(ctx, t)
	if err != nil {
		return term{}, 0, err
	}
	var best term
	var bestDF float64
	for _, w := range found {
		other := term{word: w, stem: stem(w)}
		df, err := ix.frequency(ctx, other)
		if err != nil {
			return term{}, 0, err
		}
		if df > bestDF {
			best, bestDF = other, df
		}
	}
	ix.db.terms.correct(t.word, best, frequency{bestDF, ix.n})
	return best, bestDF, nil
}

// correctable says that a word may be a misspelt one.
func correctable(t term) bool {
	return !t.ident && !t.open && len(t.word) >= minTypo && len(t.word) <= 20 && plainLetters(t.word)
}

// exist returns those edits of a word that a document holds.
func (ix *index) exist(ctx context.Context, t term) (found []string, err error) {
	seen := map[string]bool{t.stem: true}
	var tries []string
	for _, w := range edits(t.word) {
		if st := stem(w); !seen[st] && !stopWords[w] {
			seen[st] = true
			tries = append(tries, w) // letters only: needs no quotes
		}
	}
	list, err := json.Marshal(tries)
	if err != nil {
		return nil, err
	}
	return found, ix.list(ctx, &found, existQuery, string(list))
}

func plainLetters(w string) bool {
	for i := 0; i < len(w); i++ {
		if class(w[i]) != lower {
			return false
		}
	}
	return true
}

// edits are the words at one edit from w that begin with its first letter.
func edits(w string) []string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	var out []string
	for i := 1; i <= len(w); i++ {
		if i < len(w) {
			out = append(out, w[:i]+w[i+1:])
		}
		if i+1 < len(w) {
			out = append(out, w[:i]+w[i+1:i+2]+w[i:i+1]+w[i+2:])
		}
		for _, c := range letters {
			if i < len(w) {
				out = append(out, w[:i]+string(c)+w[i+1:])
			}
			out = append(out, w[:i]+string(c)+w[i:])
		}
	}
	return out
}
