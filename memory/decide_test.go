package memory_test

import (
	"testing"
	"time"

	"keepmum/memory"
	"keepmum/privacy"
)

func (s said) candidate(t testing.TB, at time.Time) memory.Candidate {
	t.Helper()
	return memory.Candidate{Primitive: memory.Decision, Title: clean(t, s.title), Body: clean(t, s.body), Confidence: 0.8, At: at,
		Sources: []memory.Source{{Session: privacy.Const("claude/later")}}}
}

func (s said) memory(id string, at time.Time) memory.Memory {
	return memory.Memory{ID: id, Primitive: memory.Decision, Title: s.title, Body: s.body, Confidence: 0.8, Created: at, Updated: at, ValidFrom: at,
		Sources: []memory.Origin{{Session: "codex/earlier"}}}
}

// TestDecideAgreesWithPeople holds the share of pairs that are decided as the author
// of the pairs would, for the half that the numbers were chosen on and for the half
// they were not.
func TestDecideAgreesWithPeople(t *testing.T) {
	const atLeast = 0.8
	for half, name := range []string{"seen", "unseen"} {
		right, all := 0, 0
		for i, p := range pairs() {
			if i%2 != half {
				continue
			}
			all++
			got := memory.NewJudge([]memory.Memory{p.old.memory("old", noon())}, nil).Decide(p.new.candidate(t, noon().Add(time.Hour)))
			if got.Action == p.want {
				right++
			} else {
				t.Logf("%s: %s: got %s (%s, %.2f), want %s", name, p.name, got.Action, got.Reason, got.Score, p.want)
			}
		}
		t.Logf("%s: %d of %d", name, right, all)
		if float64(right) < atLeast*float64(all) {
			t.Errorf("%s: %d of %d are decided as a person would", name, right, all)
		}
	}
}
