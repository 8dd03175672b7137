package store

import "context"

const (
	maxCorrections = 2 // of one query
	minTypo        = 4 // letters; shorter words have too many neighbours
)

const existsQuery = `SELECT count(*) FROM (SELECT 1 FROM docs_fts WHERE docs_fts MATCH ? LIMIT 1)`

// correct looks for the most frequent word at one edit from a word that
// nothing holds. The first letter is taken as right: it nearly always is.
func (ix *index) correct(ctx context.Context, t term) (term, float64, error) {
	if len(t.word) < minTypo || len(t.word) > 20 || !plainLetters(t.word) {
		return term{}, 0, nil
	}
	var bestTerm term
	var bestDF float64
	seen := map[string]bool{t.stem: true}
	for _, w := range edits(t.word) {
		st := stem(w)
		if seen[st] || stopWords[w] {
			continue
		}
		seen[st] = true
		var found int
		if err := ix.conn.GetContext(ctx, &found, existsQuery, `"`+w+`"`); err != nil {
			return term{}, 0, err
		}
		if found == 0 {
			continue
		}
		other := term{word: w, stem: st, ident: t.ident}
		df, err := ix.frequency(ctx, other)
		if err != nil {
			return term{}, 0, err
		}
		if df > bestDF {
			bestTerm, bestDF = other, df
		}
	}
	return bestTerm, bestDF, nil
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
