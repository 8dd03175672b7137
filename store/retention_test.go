package store

import (
	"testing"
	"time"
)

func TestRawTextGoesOnceItIsOldAndSummarised(t *testing.T) {
	db := openTest(t)
	say := func(session string, at time.Time) int64 {
		p, err := db.PutPrompt(t.Context(), Prompt{Session: ref("p", session), Text: clean("look into it"), At: at})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.PutObservation(t.Context(),
			Observation{Session: ref("p", session), Tool: clean("Bash"), Title: clean("Bash tests"),
				Output: clean("zebra output"), At: at}); err != nil {
			t.Fatal(err)
		}
		return p.ID
	}
	summarised := say("old", ago(100*24*time.Hour))
	say("old without a summary", ago(100*24*time.Hour))
	fresh := say("new", ago(time.Hour))
	for _, turn := range []int64{fresh, summarised} {
		if err := db.CompleteJob(t.Context(), claimTurn(t, db, turn),
			Summary{Text: clean("Looked into it."), Type: clean("discovery")}); err != nil {
			t.Fatal(err)
		}
	}
	n, err := db.DropRaw(t.Context(), ago(90*24*time.Hour))
	if err != nil || n != 1 {
		t.Errorf("got %d, %v", n, err)
	}
	if got := search(t, db, Query{Text: "zebra"}); len(got.Hits) != 2 {
		t.Errorf("got %d documents with the raw text, want 2", len(got.Hits))
	}
	if got := search(t, db, Query{Text: "tests", Tool: "Bash"}); len(got.Hits) != 3 {
		t.Errorf("got %d documents by title, want 3", len(got.Hits))
	}
	checkIndex(t, db)
}
