package memory

import (
	"time"

	"keepmum/privacy"
)

// Primitive is what a memory is.
type Primitive string

// The primitives. Each has a directory of its own.
const (
	Decision Primitive = "decision"
	Learning Primitive = "learning"
)

// Kind is what sort of learning it is; a decision has none.
type Kind string

// The kinds of a learning.
const (
	Insight    Kind = "insight"
	Procedure  Kind = "procedure"
	Friction   Kind = "friction"
	Pitfall    Kind = "pitfall"
	Preference Kind = "preference"
	Fact       Kind = "fact" // the title is the statement; the body may be empty
)

// Outcome says how it went, where that is known.
type Outcome string

// The outcomes.
const (
	Worked  Outcome = "worked"
	Failed  Outcome = "failed"
	Unknown Outcome = "unknown"
)

// Source is where a memory comes from.
type Source struct {
	Session privacy.Clean // agent/native id
	Ref     privacy.Clean // a line of the transcript, or an observation's id
}

// Candidate is what a session may have taught, whoever proposes it. It becomes a
// memory only through the checks and the decision of this package.
type Candidate struct {
	Primitive  Primitive
	Kind       Kind
	Title      privacy.Clean // 3 to 12 words
	Body       privacy.Clean // why, alternatives, context
	Tags       []privacy.Clean
	Confidence float64 // 0 to 1
	Outcome    Outcome
	Told       bool      // the user said so in as many words ("remember", "always", "never")
	At         time.Time // when it was said: sessions are not read in the order they happened
	Sources    []Source
	Key        string // in the form of [ParseKey]; "" = none
	Links      []Link
	Standing   bool   // the user said it of all times ("always", "never", "from now on"): it holds on every branch at once
	Branch     Branch // where it was learned, if it does not hold elsewhere yet
}
