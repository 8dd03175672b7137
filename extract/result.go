package extract

import (
	"context"

	"keepmum/memory"
	"keepmum/privacy"
)

// Result is what a session gave.
type Result struct {
	Candidates []memory.Candidate
	Below      []Below // what did not pass the bar, the surest first
	Summary    Summary
	By         string // "heuristic", or the model that answered
	Prompt     string // version of the wording the model was asked in, "" without one
	Windows    int    // questions the session was divided into; 0 without a model
	Retried    int    // answers that were asked for once more
	Fallback   string // why the heuristic answered although there is a model: a code, never text
}

// Below is what is not sure enough to be a memory, and may be shown to the user
// as a proposal: its Confidence is how sure it is.
type Below struct {
	memory.Candidate
	Why Why
}

// Why says why something is no memory: a code, never text.
type Why string

// The reasons, for people who ask why nothing was written.
const (
	Unsure    Why = "below_the_bar" // said by the user, but not surely on purpose or for long
	ByAgent   Why = "agents_word"   // the agent found it out; nobody confirmed it
	NoObject  Why = "no_object"     // what it is about was not said
	TakenBack Why = "taken_back"    // a later word of the session says otherwise
	Repeated  Why = "said_again"    // a surer one of the session says the same
	TooMany   Why = "too_many"      // the session taught enough
)

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
	Intent      privacy.Clean // what the user wanted, up to 150 words
	Happened    privacy.Clean // up to 200 words
	Tags        []privacy.Clean
}

// Background knows the words of a project: in how many of its documents each
// of them stands, and how many documents there are. It is made for one project.
type Background interface {
	DocumentFrequencies(ctx context.Context, words []string) (df map[string]int, docs int, err error)
}
