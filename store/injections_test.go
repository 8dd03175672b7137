package store

import (
	"slices"
	"testing"
	"time"

	"keepmum/privacy"
)

// After a compaction a session has been told nothing yet, and what several sessions were told is known.
func TestWhatASessionWasToldSinceItsCompaction(t *testing.T) {
	db := openTest(t)
	said := Prompt{Session: SessionRef{Project: Project{Name: privacy.Const("shop")}, Agent: privacy.Const("claude")},
		Text: privacy.Const("hello"), At: time.Now()}
	tell := func(session, reason string, ids ...int64) int64 {
		t.Helper()
		said.Session.Native = clean(session)
		if _, err := db.PutPrompt(t.Context(), said); err != nil {
			t.Fatal(err)
		}
		row, err := db.FindSession(t.Context(), said.Session.Agent, said.Session.Native)
		if err != nil {
			t.Fatal(err)
		}
		in := Injection{Project: row.Project, Session: row.ID, Reason: reason}
		for _, id := range ids {
			in.Entries = append(in.Entries, Injected{ID: id, Type: KindPrompt})
		}
		if _, err := db.PutInjection(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		return row.ID
	}
	a := tell("a", "fts", 7, 8)
	tell("b", "fts", 7)
	tell("a", ReasonCompacted, 9)
	tell("a", "fts", 10)
	if told, err := db.Told(t.Context(), a); err != nil || !slices.Equal(told, []int64{9, 10}) {
		t.Errorf("told since the compaction: %v, %v", told, err)
	}
	if often, err := db.ToldOften(t.Context(), 1, 2); err != nil || !slices.Equal(often, []int64{7}) {
		t.Errorf("told to two sessions: %v, %v", often, err)
	}
}
