package store

import "context"

const (
	minOpen = 3  // letters before a star
	maxOpen = 12 // words that a star matches: the most frequent ones
)

// openQuery reads only the alphabetically first words with the prefix: counting all words that begin with a few letters
// would read much of the index.
const openQuery = `SELECT term FROM (SELECT term, doc FROM docs_terms WHERE term >= ?1
	AND term < ?1 || char(0x10FFFF) LIMIT 200) ORDER BY doc DESC, term LIMIT 0 + ?2`

// widen adds the words that a star matches to the terms of a query.
func (ix *index) widen(ctx context.Context, terms []term) ([]term, error) {
	known := map[string]bool{}
	for _, t := range terms {
		known[t.stem] = true
	}
	out := terms[:len(terms):len(terms)]
	for _, t := range terms {
		if !t.open || len(t.word) < minOpen {
			continue
		}
		var stems []string
		if err := ix.list(ctx, &stems, openQuery, t.word, maxOpen); err != nil {
			return nil, err
		}
		for _, s := range stems {
			if w := unstem(s); w != "" && !known[s] && len(out) < maxTerms {
				known[s] = true
				out = append(out, term{word: w, stem: s})
			}
		}
	}
	return out, nil
}

// unstem returns a word with a stem, because whatever is looked up is stemmed, and a stem may have one of its own
// (university: univers: univ). It returns "" if there is none.
func unstem(s string) string {
	for _, ending := range []string{"", "e", "s"} {
		if stem(s+ending) == s {
			return s + ending
		}
	}
	return ""
}
