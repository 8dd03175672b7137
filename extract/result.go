package extract

import (
	"context"

	"keepmum/memory"
	"keepmum/privacy"
)

// Result is what a session yielded.
type Result struct {
	Candidates []memory.Candidate
	Below      []Below // what did not reach the threshold, surest first
	Summary    Summary
	By         string // "heuristic", or the model that answered
	Prompt     string // version of the prompt; "" without a model
	Windows    int    // windows that the session was divided into; 0 without a model
	Retried    int    // answers that were asked for again
	Fallback   string // why the heuristic answered although a model is configured: a code, never text
}

// Below is a candidate that is not sure enough to become a memory, but may be shown to the user as a proposal. Its
// Confidence is how sure it is.
type Below struct {
	memory.Candidate
	Why Why
}

// Why says why something did not become a memory: a code, never text.
type Why string

// The reasons, for people who ask why nothing was written.
const (
	Unsure    Why = "below_the_bar" // said by the user, but perhaps not meant as a rule
	ByAgent   Why = "agents_word"   // found by the agent and confirmed by nobody
	NoObject  Why = "no_object"     // it does not say what it is about
	TakenBack Why = "taken_back"    // withdrawn later in the session
	Repeated  Why = "said_again"    // a later one in the session is about the same
	TooMany   Why = "too_many"      // the session yielded enough already
	NoFolder  Why = "no_folder"     // nobody knows which project it was said in
)

// Propose turns the candidates into proposals, for one reason.
func (r *Result) Propose(why Why) {
	for _, c := range r.Candidates {
		r.Below = append(r.Below, Below{c, why})
	}
	r.Candidates = nil
}

// Reasons not to use a model's answer.
const (
	FellHeld        = "held"        // the second gate held the question back
	FellJunk        = "junk"        // two answers were unusable
	FellUnavailable = "unavailable" // no model answered
	FellTooLong     = "too_long"    // the model's context cannot hold a window
	FellRefused     = "refused"     // the model's host is not trusted
)

// Summary says what happened in a session, in a model's words or in ours.
type Summary struct {
	Title       privacy.Clean
	Description privacy.Clean // one sentence
	Intent      privacy.Clean // what the user wanted, up to 150 words
	Happened    privacy.Clean // up to 200 words
	Tags        []privacy.Clean
}

// Background knows the words of one project: how many of its documents contain each word, and how many documents there
// are.
type Background interface {
	DocumentFrequencies(ctx context.Context, words []string) (df map[string]int, docs int, err error)
}
