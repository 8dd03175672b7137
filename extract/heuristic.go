package extract

import "context"

// Heuristic finds what is worth remembering without a model. It may be used by
// several goroutines at once.
type Heuristic struct{ lexicon *lexicon }

// New returns a heuristic that is ready for use.
func New() *Heuristic {
	l, err := newLexicon()
	if err != nil {
		panic(err) // the lexicon is part of the program; a test reads it
	}
	return &Heuristic{l}
}

// Extract proposes candidates and sums the session up. The background may be
// nil: then every word counts as rare.
func (h *Heuristic) Extract(ctx context.Context, s Session, b Background) Result {
	c := h.converse(s)
	found := fromUser(c)
	found = append(found, fromWork(c)...)
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

// confidence of a score: the bar that must be passed is 0.6, twice the bar is
// as sure as it gets.
func confidence(score, bar float64) float64 {
	c := 0.6 + 0.3*(score-bar)/bar
	return float64(int(min(c, 0.95)*100)) / 100
}
