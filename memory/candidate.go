package memory

import (
	"time"

	"keepmum/privacy"
)

// Primitive is the basic type of a memory.
type Primitive string

// The primitives. Each has its own directory.
const (
	Decision Primitive = "decision"
	Learning Primitive = "learning"
)

// Kind is the kind of a learning; a decision has none.
type Kind string

// The kinds of a learning.
const (
	Insight    Kind = "insight"
	Procedure  Kind = "procedure"
	Friction   Kind = "friction"
	Pitfall    Kind = "pitfall"
	Preference Kind = "preference"
	Fact       Kind = "fact" // the title is the whole statement; the body may be empty
)

// Outcome says how something turned out, if that is known.
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

// Candidate is what a session may have taught, whoever proposes it. It becomes a memory only after this package's
// checks and decision.
type Candidate struct {
	Primitive  Primitive
	Kind       Kind
	Title      privacy.Clean // 3 to 12 words
	Body       privacy.Clean // why, alternatives, context
	Tags       []privacy.Clean
	Confidence float64 // 0 to 1
	Outcome    Outcome
	Told       bool      // the user said so explicitly ("remember", "always", "never")
	Guessed    bool      // the word of an agent, which does not say that the user said so
	At         time.Time // when it was said: sessions are not read in chronological order
	Sources    []Source
	Key        string // in the form of [ParseKey]; "" = none
	Links      []Link
	Standing   bool   // said for all times ("always", "never", "from now on"): it applies on every branch at once
	Branch     Branch // where it was learned, if it does not apply elsewhere yet
}
