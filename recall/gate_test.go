package recall_test

import (
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

func TestTheGateKnowsHowMuchOtherSessionsContain(t *testing.T) {
	best := said{turns: []string{"a group is always at most forty passengers, never more at boarding, whatever the purser says", "Noted."}}
	prompt := "forty passengers of a group at boarding, and the purser"
	db, id := chats(t, best, said{day: 1, turns: []string{"a group must pay", "Noted."}})
	if got := opened(t, db, id, prompt).Others; got != 0 {
		t.Errorf("beside a session that has one word of the prompt: %v", got)
	}
	db, id = chats(t, best, said{day: 1, turns: []string{"forty passengers, the group is boarding, says the purser", "Noted."}})
	if got := opened(t, db, id, prompt).Others; got <= 0 {
		t.Errorf("beside a session that has all of it: %v", got)
	}
}
