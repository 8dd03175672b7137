package extract

import (
	"context"
	"errors"
)

// Heuristic finds what is worth remembering without a model. It may be used by
// several goroutines at once.
type Heuristic struct {
	lexicon *lexicon
	judges  *judges
	bars    bars
}

// New returns a heuristic that is ready for use.
func New() *Heuristic {
	l, err := newLexicon()
	j, errJ := newJudges()
	if err = errors.Join(err, errJ); err != nil {
		panic(err) // both are part of the program; a test reads them
	}
	return &Heuristic{l, j, defaultBars()}
}

// Extract proposes candidates and sums the session up. The background may be
// nil: then every word counts as rare.
func (h *Heuristic) Extract(ctx context.Context, s Session, b Background) Result {
	c := h.converse(s)
	found := h.fromUser(c)
	found = append(found, h.fromWork(c)...)
	found = lastWord(found)
	out := Result{By: "heuristic", Summary: summarise(ctx, c, b)}
	about := topic(c)
	for _, f := range found {
		out.Candidates = append(out.Candidates, f.candidate(ctx, s, about, b))
	}
	return out
}

// maxCandidates bounds what one session can teach.
const maxCandidates = 8

// confidence of a chance that passed a bar.
func confidence(chance float64) float64 {
	return float64(int(min(max(chance, 0.6), 0.95)*100)) / 100
}
