package distill

import (
	"time"

	"keepmum/memory"
	"keepmum/privacy"
)

// Report is what came of a run of sync.
type Report struct {
	RunID     string
	DryRun    bool
	Scanned   int // sessions that are there
	Indexed   int // of these, read and catalogued: they said something new
	Extracted int // looked at for memories
	Decisions int // added
	Learnings int // added
	Proposed  int // for the user to judge
	Updated   int // memories that were updated or superseded
	Skipped   int // sessions that were left alone; Why says why
	Failed    int
	Why       map[string]int // reasons for which sessions were left alone
	Waiting   int            // sessions that are still in the queue
	Problems  []privacy.Clean
	Actions   []Action
	Stopped   bool // it ended early
	Window    Window
	Took      time.Duration
	projects  map[string]bool
	indexed   map[string]bool // keys of the sessions that this run read
}

// Action is what became of one candidate.
type Action struct {
	Session   privacy.Clean    `json:"session"`
	Project   privacy.Clean    `json:"project"`
	Primitive memory.Primitive `json:"primitive"`
	Title     privacy.Clean    `json:"candidate_title"`
	Action    memory.Action    `json:"action"`
	Reason    memory.Reason    `json:"reason"`
	Target    string           `json:"target,omitempty"`
	Score     float64          `json:"score"`
	Path      string           `json:"path,omitempty"` // below the root of the memories
}

// Partly reports whether a part of the run failed.
func (r *Report) Partly() bool { return r.Failed > 0 }

func (r *Report) leave(why string) {
	if r.Why == nil {
		r.Why = map[string]int{}
	}
	r.Why[why]++
	r.Skipped++
}

// took says that a session that was left alone for being unchanged was looked
// at all the same, because it waited in the queue.
func (r *Report) took() {
	if r.Why["unchanged"] > 0 {
		r.Why["unchanged"]--
		r.Skipped--
	}
	if r.Why["unchanged"] == 0 {
		delete(r.Why, "unchanged")
	}
}

func (r *Report) count(a Action) {
	r.Actions = append(r.Actions, a)
	switch a.Action {
	case memory.Add, memory.Supersede:
		if a.Primitive == memory.Decision {
			r.Decisions++
		} else {
			r.Learnings++
		}
		if a.Action == memory.Supersede {
			r.Updated++
		}
	case memory.Update:
		r.Updated++
	case Proposed:
		r.Proposed++
	}
}
