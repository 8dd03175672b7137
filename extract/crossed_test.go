package extract

import (
	"flag"
	"fmt"
	"slices"
	"testing"
)

var cross = flag.Bool("cross", false, "extract from each tuned session with weights that were fitted without it and the others of its fold")

const folds = 6

// crossedJudges are the judges of each fold: fitted to all but its sessions.
func crossedJudges(t *testing.T, h *Heuristic, sessions []labelled) []*judges {
	g := testGate(t)
	turns, _ := lessons(t, h)
	rows := make([]lesson, len(sessions))
	for i, l := range sessions {
		rows[i] = lived(h, g, l)
	}
	out := make([]*judges, folds)
	for k := range folds {
		known := lesson{slices.Clone(turns.keep), slices.Clone(turns.choice), slices.Clone(turns.found)}
		for i, r := range rows {
			if i%folds != k {
				known.add(r)
			}
		}
		out[k] = &judges{keep: fit(known.keep), choice: fit(known.choice), found: fit(known.found)}
	}
	return out
}

func crossedTally(t *testing.T, h *Heuristic, sessions []labelled, of []*judges) (sum tally) {
	g := testGate(t)
	for k := range folds {
		h.judges = of[k]
		for i, l := range sessions {
			if i%folds == k {
				sum.count(l, h.Extract(t.Context(), l.session(g), nil).Candidates)
			}
		}
	}
	return sum
}

// TestCrossedSessions says how well the whole of the extraction does on
// sessions that its weights do not know. It is what bars are chosen by.
func TestCrossedSessions(t *testing.T) {
	if !*cross {
		t.Skip("-cross is not given")
	}
	h, sessions := New(), load(t, "tuned")
	of := crossedJudges(t, h, sessions)
	sum := crossedTally(t, h, sessions, of)
	for _, f := range sum.faults {
		t.Log(f)
	}
	fmt.Printf("crossed %v\n", sum)
}
