package memory

// Threshold is the similarity from which two memories say the same.
const Threshold = 0.72

// Action is what comes of a candidate.
type Action string

// The actions.
const (
	Noop      Action = "noop"
	Add       Action = "add"
	Update    Action = "update"
	Supersede Action = "supersede"
	Reject    Action = "reject"
)

// Why a candidate that passed [Check] is treated as it is.
const (
	Same        Reason = "same"        // the memory says all of it
	Similar     Reason = "similar"     // and something more
	Contradicts Reason = "contradicts" // the same subject, another answer
	Outdated    Reason = "outdated"    // it was said before what is held now
	WasArchived Reason = "archived"    // an archived memory says it, and nothing newer has come up
	New         Reason = "new"
	Forgotten   Reason = "forgotten" // the user wanted it gone
)

// Verdict is the action for one candidate.
type Verdict struct {
	Action Action  `json:"action"`
	Target string  `json:"target,omitempty"` // id of the memory it concerns
	Score  float64 `json:"score"`
	Reason Reason  `json:"reason"`
}

// Judge decides about candidates in the light of the memories there are.
type Judge struct {
	memories  map[string]Memory
	forgotten func(fingerprint string) bool
}

// NewJudge knows active and archived memories. forgotten (nil = nothing was)
// answers whether a fingerprint (see [Fingerprints]) lies under a tombstone.
func NewJudge(existing []Memory, forgotten func(fingerprint string) bool) *Judge {
	j := &Judge{memories: map[string]Memory{}, forgotten: forgotten}
	for _, m := range existing {
		j.Put(m)
	}
	return j
}

// Put makes a memory known that was written, changed or archived meanwhile.
func (j *Judge) Put(m Memory) { j.memories[m.ID] = m }

// Decide checks a candidate and says what to do with it.
func (j *Judge) Decide(c Candidate) Verdict { return Verdict{Action: Add, Reason: New} }

// Fingerprints returns what a memory is known by once it is forgotten: its title
// and its body without order, case, endings and small words. They hold words of
// the text; only a keyed hash of them may be kept.
func Fingerprints(title, body string) []string { return nil }
