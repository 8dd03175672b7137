package store

import (
	"context"
	"slices"
	"sort"
)

// scoredDoc is a candidate with its score.
type scoredDoc struct {
	doc   *candidate
	score float64
}

// rescore scores the candidates by everything known about them, best first.
func (ix *index) rescore(ctx context.Context, sc *scorer, docs []*candidate,
	terms map[int64]uint64) ([]scoredDoc, error) {
	t, err := ix.talkOf(ctx, docs)
	if err != nil {
		return nil, err
	}
	own := make([]float64, len(docs))
	sessions, works := map[int64]*whole{}, map[int64]*whole{}
	for i, d := range docs {
		score, tf := sc.score(d, terms[d.ID], t.around(i))
		own[i] = score
		if d.Kind == KindPrompt {
			addTo(sessions, d.Session, tf)
		} else if d.Kind == KindObservation {
			addTo(works, d.work(), tf)
		}
	}
	out := make([]scoredDoc, len(docs))
	for i, d := range docs {
		out[i] = scoredDoc{d, own[i]}
		if d.Kind == KindPrompt {
			out[i].score += t.credit(i, own) + sessionCredit*sc.whole(sessions[d.Session])
		} else if d.Kind == KindObservation {
			out[i].score += workCredit * sc.whole(works[d.work()])
		}
	}
	sortScored(out)
	return withoutRepeats(out), nil
}

// work returns what a document belongs to: its turn, otherwise its session (as a negative number).
func (c *candidate) work() int64 {
	if c.Turn != 0 {
		return c.Turn
	}
	return -c.Session
}

// repeatShare is the part of a summary's score that another document of its turn must reach to be shown instead. A
// summary's title counts much and repeats words.
const repeatShare = 0.5

// withoutRepeats drops the summaries of turns and sessions for which another good document was found: they would fill
// the list with repetitions. Documents come best first.
func withoutRepeats(docs []scoredDoc) []scoredDoc {
	told := map[int64]float64{} // by turn, or by session as a negative number
	for _, d := range docs {
		if d.doc.Kind == KindSummary {
			continue
		}
		for _, of := range []int64{d.doc.ID, d.doc.Turn, -d.doc.Session} {
			told[of] = max(told[of], d.score)
		}
	}
	return slices.DeleteFunc(docs, func(d scoredDoc) bool {
		of := d.doc.Turn
		if of == 0 {
			of = -d.doc.Session
		}
		return d.doc.Kind == KindSummary && told[of] > repeatShare*d.score
	})
}

// credit returns what a prompt gains from the prompts around it: an answer seldom repeats the words of its question.
func (t *talk) credit(i int, own []float64) float64 {
	of := func(n int) float64 {
		if at := t.near[i][n]; at >= 0 && at < len(own) {
			return own[at]
		}
		return 0
	}
	return nextCredit*(of(1)+of(2)) + secondCredit*(of(0)+of(3))
}

// sortScored sorts the best first; ties go to the newest.
func sortScored(docs []scoredDoc) {
	sort.Slice(docs, func(i, j int) bool {
		a, b := docs[i], docs[j]
		switch {
		case a.score != b.score:
			return a.score > b.score
		case a.doc.At != b.doc.At:
			return a.doc.At > b.doc.At
		}
		return a.doc.ID > b.doc.ID
	})
}

// whole counts the query's terms in all the prompts of a session, or in all the work of a turn, as one document.
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
