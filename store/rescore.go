package store

import (
	"context"
	"sort"
)

// rescore weighs the candidates by all that is known of them, best first.
func (ix *index) rescore(ctx context.Context, text string, terms []term, docs []fullRow) ([]scoredDoc, error) {
	t, err := ix.talkOf(ctx, docs)
	if err != nil {
		return nil, err
	}
	sc := newScorer(text, terms, ix.avg)
	own := make(map[int64]float64, len(docs))
	sessions := map[int64]*whole{}
	for i := range docs {
		d := &docs[i]
		score, tf := sc.score(d, t.around(d.ID))
		own[d.ID] = score
		if d.Kind == KindPrompt {
			addTo(sessions, d.docRow.Session, tf)
		}
	}
	out := make([]scoredDoc, len(docs))
	for i := range docs {
		d := &docs[i]
		out[i] = scoredDoc{d, own[d.ID]}
		if d.Kind == KindPrompt {
			out[i].score += t.credit(d.ID, own) + sessionCredit*sc.whole(sessions[d.docRow.Session])
		}
	}
	sortScored(out)
	return out, nil
}

// credit is what a prompt gains from those around it: an answer seldom repeats
// the words of its question.
func (t *talk) credit(id int64, own map[int64]float64) float64 {
	return nextCredit*(own[t.neighbour(id, -1)]+own[t.neighbour(id, 1)]) +
		secondCredit*(own[t.neighbour(id, -2)]+own[t.neighbour(id, 2)])
}

// sortScored puts the best first; ties go to the newest.
func sortScored(docs []scoredDoc) {
	sort.Slice(docs, func(i, j int) bool {
		a, b := docs[i], docs[j]
		switch {
		case a.score != b.score:
			return a.score > b.score
		case a.row.At != b.row.At:
			return a.row.At > b.row.At
		}
		return a.row.ID > b.row.ID
	})
}

// whole is what the prompts of a session hold of the query, as one document.
type whole struct{ tf []float64 }

func addTo(sessions map[int64]*whole, id int64, tf []float64) {
	w := sessions[id]
	if w == nil {
		w = &whole{make([]float64, len(tf))}
		sessions[id] = w
	}
	for i, f := range tf {
		w.tf[i] += min(f, 1)
	}
}
