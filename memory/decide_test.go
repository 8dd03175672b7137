package memory_test

import (
	"testing"
	"time"

	"keepmum/memory"
	"keepmum/privacy"
)

func (s said) candidate(t testing.TB, at time.Time) memory.Candidate {
	t.Helper()
	return memory.Candidate{Primitive: memory.Decision, Title: clean(t, s.title), Body: clean(t, s.body), Confidence: 0.8,
		At:      at,
		Sources: []memory.Source{{Session: privacy.Const("claude/later")}}}
}

func (s said) memory(id string, at time.Time) memory.Memory {
	return memory.Memory{ID: id, Primitive: memory.Decision, Title: s.title, Body: s.body, Confidence: 0.8, Created: at,
		Updated: at, ValidFrom: at,
		Sources: []memory.Origin{{Session: "codex/earlier"}}}
}

// TestDecideAgreesWithPeople checks the share of pairs that are decided as the author of the pairs would: those that
// the thresholds were chosen on, those that were read later, and those that influenced nothing.
func TestDecideAgreesWithPeople(t *testing.T) {
	const atLeast = 0.8
	half := func(rest int) (out []pair) {
		for i, p := range pairs() {
			if i%2 == rest {
				out = append(out, p)
			}
		}
		return out
	}
	for _, set := range []struct {
		name  string
		pairs []pair
	}{{"seen", half(0)}, {"held back", half(1)}, {"later", laterPairs()}, {"last", lastPairs()}} {
		right := 0
		for _, p := range set.pairs {
			got := memory.NewJudge([]memory.Memory{p.old.memory("old", noon())},
				nil).Decide(p.new.candidate(t, noon().Add(time.Hour)))
			if got.Action == p.want {
				right++
				continue
			}
			t.Logf("%s: %s: got %s (%s, %.2f), want %s", set.name, p.name, got.Action, got.Reason, got.Score, p.want)
		}
		t.Logf("%s: %d of %d", set.name, right, len(set.pairs))
		if float64(right) < atLeast*float64(len(set.pairs)) {
			t.Errorf("%s: %d of %d are decided as a person would", set.name, right, len(set.pairs))
		}
	}
}
