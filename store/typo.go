package store

import (
	"context"
	"encoding/json"
	"strings"
)

const (
	maxCorrections = 2 // words corrected per query: each takes hundreds of index look-ups
	minTypo        = 4 // letters; shorter words have too many neighbours
)

const existQuery = `SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM docs_fts WHERE docs_fts MATCH value)`

// correct returns the most frequent word at edit distance one from a word that no document contains. It assumes that
// the first letter is right, which it nearly always is.
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
		if df <= bestDF {
			continue
		}
		if other.word, err = ix.written(ctx, other, t.word); err != nil {
			return term{}, 0, err
		}
		if other.word != "" {
			best, bestDF = other, df
		}
	}
	ix.db.terms.correct(t.word, best, frequency{bestDF, ix.n})
	return best, bestDF, nil
}

const (
	writtenIn = 8        // documents with a stem that are searched for the word
	writtenBy = 64 << 10 // bytes of each of their columns
)

const writtenQuery = `SELECT coalesce(title, '') || ' ' || coalesce(substr(body, 1, ?1),
	substr(coalesce(input, ''), 1, ?1) || ' ' || substr(coalesce(output, ''), 1, ?1))
	FROM docs WHERE id IN (SELECT rowid & 0xFFFFFFFFFF FROM docs_fts WHERE docs_fts MATCH ?2 ORDER BY rowid DESC LIMIT ?3)`

// written returns the word of a stem as it is written in a document, or "" if no such word is close to what was typed:
// the index contains stems, and an edit that has the same stem need not be a word.
func (ix *index) written(ctx context.Context, t term, typed string) (string, error) {
	var texts []string
	if err := ix.list(ctx, &texts, writtenQuery, writtenBy, match(t), writtenIn); err != nil {
		return "", err
	}
	best, least := "", 3 // more than two edits away is another word
	for _, text := range texts {
		words(strings.NewReplacer(`\n`, " ", `\t`, " ").Replace(text), func(w string, _ int) bool { // a text may be JSON
			look := func(part string, _ int) {
				part = fold(part)
				if part != "" && part[0] == typed[0] && stem(part) == t.stem {
					if d := distance(typed, part); d < least {
						best, least = part, d
					}
				}
			}
			look(w, 0)
			splitWord(w, look)
			return least > 1
		})
	}
	return best, nil
}

// distance counts letters that are missing, added, replaced, or swapped with the next one.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			other := 1
			if a[i-1] == b[j-1] {
				other = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+other)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}

// correctable reports whether a word may be misspelt.
func correctable(t term) bool {
	return !t.ident && !t.open && len(t.word) >= minTypo && len(t.word) <= 20 && plainLetters(t.word)
}

// exist returns the edits of a word that some document contains.
func (ix *index) exist(ctx context.Context, t term) (found []string, err error) {
	seen := map[string]bool{t.stem: true}
	var tries []string
	for _, w := range edits(t.word) {
		if st := stem(w); !seen[st] && !stopWords[w] {
			seen[st] = true
			tries = append(tries, w) // letters only: needs no quotes
		}
	}
	if known, ok, err := ix.known(ctx, t.word[:1], tries); ok || err != nil {
		return known, err
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

// edits returns the words at edit distance one from w that begin with its first letter.
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
