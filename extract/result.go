package extract

import (
	"context"

	"keepmum/memory"
	"keepmum/privacy"
)

// Result is what a session gave.
type Result struct {
	Candidates []memory.Candidate
	Summary    Summary
	By         string // "heuristic", or the model that answered
	Prompt     string // version of the wording the model was asked in, "" without one
	Windows    int    // questions the session was divided into; 0 without a model
	Retried    int    // answers that were asked for once more
	Fallback   string // why the heuristic answered although there is a model: a code, never text
}

// Why a model's answer was not used.
const (
	FellHeld        = "held"        // the second gate kept the question back
	FellJunk        = "junk"        // two answers were unusable
	FellUnavailable = "unavailable" // no model answered
	FellTooLong     = "too_long"    // the model's context holds no window
	FellRefused     = "refused"     // the place of the model is not trusted
)

// Summary says what happened in a session, in the words of a model or in ours.
type Summary struct {
	Title       privacy.Clean
	Description privacy.Clean // one sentence
	Intent      privacy.Clean // what the user wanted, at most 150 words
	Happened    privacy.Clean // at most 200 words
	Tags        []privacy.Clean
}

// Background knows the words of a project: in how many of its documents each
// of them stands, and how many documents there are. It is made for one project.
type Background interface {
	DocumentFrequencies(ctx context.Context, words []string) (df map[string]int, docs int, err error)
}
