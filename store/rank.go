package store

import (
	"slices"

	"keepmum/sorting"
)

// RankText is a text that is not in this machine's database.
type RankText struct{ Title, Body string }

// Ranked is how well a text answers a query; At is its index among the texts.
type Ranked struct {
	At      int
	Score   float64
	Snippet string // HTML, with the words of the query marked
}

// Rank orders texts by a query with the scorer that ranks the memories of this machine. How rare a word is depends on
// the given texts alone. Texts without any word of the query are left out.
func Rank(query string, texts []RankText) []Ranked {
	terms := parse(query)
	var read lexicon
	docs := make([]*candidate, len(texts))
	length := 0.0
	for i, t := range texts {
		title, _ := read.read(t.Title, len(t.Title))
		d := &candidate{Kind: KindMemory, title: slices.Clone(title)}
		body, _ := read.read(t.Body, len(t.Body))
		d.body = slices.Clone(body)
		d.Tokens = int64(len(d.title) + len(d.body))
		length += float64(d.Tokens)
		docs[i] = d
	}
	weigh := newScorer(query, terms, map[Kind]float64{KindMemory: length / float64(max(len(texts), 1))})
	held := make([]float64, len(terms))
	for _, d := range docs {
		for i, n := range weigh.holds(d) {
			held[i] += n
		}
	}
	for i := range terms {
		terms[i].df, terms[i].idf = held[i], idf(float64(max(len(texts), fewDocuments)), held[i])
	}
	var out []Ranked
	for i, d := range docs {
		if score, _ := weigh.score(d, 0, nil); score > 0 {
			out = append(out, Ranked{i, score, weigh.snippet(texts[i].Body, d.body)})
		}
	}
	sorting.Stable(out, func(a, b Ranked) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return out
}

// holds returns 1 for each term that a document contains.
func (s *scorer) holds(d *candidate) []float64 {
	t := tally{tf: make([]float64, len(s.terms))}
	s.count(&t, d.title, 1, 1)
	s.count(&t, d.body, 1, 1)
	for i := range t.tf {
		t.tf[i] = min(t.tf[i], 1)
	}
	return t.tf
}
