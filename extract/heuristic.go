package extract

import (
	"cmp"
	"context"
	"slices"

	"keepmum/privacy"
	"keepmum/sorting"
)

// Heuristic finds what is worth remembering without a model. It is safe for concurrent use.
type Heuristic struct {
	cues  *table
	bar   float64 // minimum chance of what is kept
	least float64 // and of what is proposed
}

// New returns a heuristic.
func New() *Heuristic {
	t, err := newTable()
	if err != nil {
		panic(err) // the table is embedded; a test parses it
	}
	return &Heuristic{&t, t.curve.reaches(enough), t.curve.reaches(floor)}
}

// Limits on what one session yields.
const (
	maxKept       = 2   // memories: people rarely say what is meant to last
	maxAsked      = 5   // memories, if the user asks to remember them
	maxBelow      = 5   // proposals
	maxCandidates = 8   // candidates from a model
	enough        = .5  // minimum share worth keeping for a memory
	floor         = .15 // and for a proposal
)

// Extract proposes candidates and summarises the session. The background may be nil: then every word counts as rare.
func (h *Heuristic) Extract(ctx context.Context, s Session, b Background) Result {
	talk := converse(s)
	found := h.statements(talk)
	found = append(found, causes(talk)...)
	keepBest(found)
	out := Result{By: "heuristic", Summary: summarise(ctx, talk, b)}
	about := topic(talk)
	if slices.ContainsFunc(found, func(f finding) bool { return (f.why == "" || f.withdrawn()) && f.states(about) }) {
		about = privacy.Clean{} // nothing came up while working on what is a memory itself, or no longer holds
	}
	for _, f := range found {
		c := f.candidate(ctx, s, about, b)
		if f.why == "" {
			out.Candidates = append(out.Candidates, c)
		} else {
			out.Below = append(out.Below, Below{c, f.why})
		}
	}
	sorting.Stable(out.Below, func(a, b Below) int { return cmp.Compare(b.Confidence, a.Confidence) })
	out.Below = out.Below[:min(len(out.Below), maxBelow)]
	return out
}
