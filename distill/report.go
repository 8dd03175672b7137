package distill

import (
	"time"

	"keepmum/memory"
	"keepmum/privacy"
)

// Report is the result of a sync run.
type Report struct {
	RunID     string
	DryRun    bool
	Scanned   int // sessions found
	Indexed   int // of these, read and catalogued because they had something new
	Extracted int // searched for memories
	Decisions int // added
	Learnings int // added
	Proposed  int // proposed to the user
	Updated   int // memories that were updated or superseded
	Skipped   int // sessions skipped; Why says why
	Failed    int
	Why       map[string]int // reason → number of sessions skipped
	Waiting   int            // sessions still in the queue
	Problems  []privacy.Clean
	Actions   []Action
	Stopped   bool // it ended early
	Window    Window
	Took      time.Duration
	projects  map[string]bool
	indexed   map[string]bool // keys of the sessions that this run read
}

// Action is what was done with one candidate.
type Action struct {
	Session   privacy.Clean    `json:"session"`
	Project   privacy.Clean    `json:"project"`
	Primitive memory.Primitive `json:"primitive"`
	Title     privacy.Clean    `json:"candidate_title"`
	Action    memory.Action    `json:"action"`
	Reason    memory.Reason    `json:"reason"`
	Target    string           `json:"target,omitempty"`
	Score     float64          `json:"score"`
	Path      string           `json:"path,omitempty"` // relative to the root of the memories
}

// Partly reports whether a part of the run failed.
func (r *Report) Partly() bool { return r.Failed > 0 }

// leave counts a session that is skipped.
func (r *Report) leave(why string) {
	if r.Why == nil {
		r.Why = map[string]int{}
	}
	r.Why[why]++
	r.Skipped++
}

// processedUnchanged corrects the count for an unchanged session that was processed after all, because it was waiting
// in the queue.
func (r *Report) processedUnchanged() {
	if r.Why["unchanged"] > 0 {
		r.Why["unchanged"]--
		r.Skipped--
	}
	if r.Why["unchanged"] == 0 {
		delete(r.Why, "unchanged")
	}
}

// count adds what was done with a candidate.
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
