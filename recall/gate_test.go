package recall_test

import (
	"math"
	"testing"

	"keepmum/recall"
	"keepmum/store"
)

// opened returns the features of the gate for a prompt, with an order that prefers the longest statement.
func opened(t *testing.T, db *store.DB, project int64, prompt string) recall.Gate {
	t.Helper()
	var m recall.Model
	m.Order[8] = 1 // the length
	f, found, err := recall.GateExample(t.Context(), db, &m, store.Subjects{Text: prompt, Projects: []int64{project}})
	if err != nil || !found {
		t.Fatalf("found %v, %v", found, err)
	}
	return f
}

func TestTheGateCountsRareWordsOfTheBestStatement(t *testing.T) {
	rule := "a group is always at most forty passengers, never more at boarding"
	db, id := chats(t, said{turns: []string{rule, "Noted."}})
	four := opened(t, db, id, "forty passengers of a group at boarding")
	if four.Fourth <= 0 || four.Known != 1 {
		t.Errorf("four words in common: %+v", four)
	}
	three := opened(t, db, id, "forty passengers of a group and their zebras")
	if three.Fourth != 0 || three.Known <= 0 || three.Known >= 1 {
		t.Errorf("three words in common, and a new one: %+v", three)
	}
}

func TestTheGateComparesWithTheStatementsOfOtherSessionsButOne(t *testing.T) {
	best := said{turns: []string{
		"a group is always at most forty passengers, never more at boarding, because the purser cannot count more", "Noted."}}
	near := said{day: 1, turns: []string{"a group must always board at noon, whatever the purser says", "Noted."}}
	far := said{day: 2, turns: []string{"a group must always pay", "Noted."}}
	db, id := chats(t, best, near)
	if got := opened(t, db, id, "forty passengers of a group").Margin; got != 0 {
		t.Errorf("beside one session, the margin is %v", got)
	}
	db, id = chats(t, best, near, far)
	length := func(s said) float64 { return math.Log(float64(1 + len(s.turns[0]))) }
	got, want := opened(t, db, id, "forty passengers of a group").Margin, (length(best)-length(far))/math.Log(20)
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("beside two sessions, the margin is %v instead of %v", got, want)
	}
}

// A rule and its amendment are more evidence for each other, not against each other.
func TestTheGateTakesTwoSessionsAboutOneSubjectTogether(t *testing.T) {
	rule := said{turns: []string{
		"a group is always at most forty passengers, never more at boarding, because the purser cannot count more", "Noted."}}
	amended := said{day: 1, turns: []string{
		"a group is at most sixty passengers at boarding, the purser has a scanner", "Noted."}}
	other := said{day: 2, turns: []string{"passengers of a group always pay together", "Noted."}}
	db, id := chats(t, rule, amended)
	both := opened(t, db, id, "forty passengers of a group at boarding")
	if both.Same <= 0 || both.Second != 0 {
		t.Errorf("beside the amendment: %+v", both)
	}
	db, id = chats(t, rule, other)
	if got := opened(t, db, id, "forty passengers of a group at boarding"); got.Same >= both.Same {
		t.Errorf("beside another subject it is %v, not less than %v", got.Same, both.Same)
	}
	db, id = chats(t, rule, amended, other)
	if got := opened(t, db, id, "forty passengers of a group at boarding"); got.Second <= 0 || got.Second >= 1 {
		t.Errorf("the third session has %v of it", got.Second)
	}
}
