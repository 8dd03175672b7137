package memory

import "time"

// Step is what a maintenance does to one memory.
type Step struct {
	Action Operation `json:"action"`
	Source string    `json:"source"`           // id of the memory
	Target string    `json:"target,omitempty"` // id of the one it goes into
	Reason Reason    `json:"reason"`
	Score  float64   `json:"score,omitempty"`
}

// Operation is what is done.
type Operation string

// The operations.
const (
	OpMerge   Operation = "merge"
	OpArchive Operation = "archive"
)

// Why a maintenance archives.
const (
	NearDuplicate Reason = "near_duplicate"
	Faded         Reason = "faded"
	Junk          Reason = "junk"
	Superseded    Reason = "superseded"
)

// Proposal is something a maintenance noticed and leaves to a model or a person.
type Proposal struct {
	Members []string `json:"members"` // ids of memories, or of summaries
	Tags    []string `json:"tags,omitempty"`
	Topic   string   `json:"topic,omitempty"`
}

// Counts sums a plan up.
type Counts struct {
	Merged       int `json:"merged"`
	Archived     int `json:"archived"`
	Consolidated int `json:"consolidated"`
	Decayed      int `json:"decayed"` // fading, and not archived yet
	Unchanged    int `json:"unchanged"`
}

// Plan is what a maintenance would do.
type Plan struct {
	At             time.Time   `json:"at"`
	Steps          []Step      `json:"actions"`
	Consolidate    []Proposal  `json:"consolidate"`   // memories that belong together
	CrossSession   []Proposal  `json:"cross_session"` // topics of several summaries, and of no memory
	Contradictions [][2]string `json:"contradictions"`
	Counts         Counts      `json:"counts"`
}

// PlanMaintenance says what there is to do. access holds when memories were last
// shown, by id.
func PlanMaintenance(l Listing, access map[string]time.Time, now time.Time, d Decay) Plan {
	return Plan{At: now}
}

// Applied is what came of a plan.
type Applied struct {
	Done    []Step   `json:"done"`
	Skipped []Step   `json:"skipped"` // a file was changed meanwhile: the next run sees to it
	Paths   []string `json:"paths"`   // written, below the root
}

// Apply carries a plan out.
func Apply(t *Tree, l Listing, p Plan, by Stamp) (Applied, error) { return Applied{}, nil }
