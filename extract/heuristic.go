package extract

import (
	"cmp"
	"context"
	"slices"
)

// Heuristic finds what is worth remembering without a model. It may be used by
// several goroutines at once.
type Heuristic struct {
	cues *table
	bar  float64 // the chance from which on something is kept
}

// New returns a heuristic that is ready for use.
func New() *Heuristic {
	t, err := newTable()
	if err != nil {
		panic(err) // it is part of the program; a test reads it
	}
	return &Heuristic{&t, t.curve.reaches(enough)}
}

// Bounds of what one session yields.
const (
	maxKept       = 2   // memories: people say little on purpose
	maxBelow      = 5   // proposals
	maxCandidates = 8   // of a model
	enough        = .5  // the share worth keeping from which on something is kept
	floor         = .15 // and proposed
)

// Extract proposes candidates and sums the session up. The background may be
// nil: then every word counts as rare.
func (h *Heuristic) Extract(ctx context.Context, s Session, b Background) Result {
	talk := converse(s)
	found := h.statements(talk)
	found = append(found, causes(talk)...)
	lastWord(found)
	out := Result{By: "heuristic", Summary: summarise(ctx, talk, b)}
	about := topic(talk)
	for _, f := range found {
		c := f.candidate(ctx, s, about, b)
		if f.why == "" {
			out.Candidates = append(out.Candidates, c)
		} else {
			out.Below = append(out.Below, Below{c, f.why})
		}
	}
	slices.SortStableFunc(out.Below, func(a, b Below) int { return cmp.Compare(b.Confidence, a.Confidence) })
	out.Below = out.Below[:min(len(out.Below), maxBelow)]
	return out
}
