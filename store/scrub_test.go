package store

import (
	"strings"
	"testing"

	"keepmum/privacy"
)

func TestAScrubTakesOutWhatOlderRulesLetPass(t *testing.T) {
	db := openTest(t)
	key := "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	put(t, db, "p", "s", "nothing to see here")
	put(t, db, "p", "s", "the deploy token is "+key)
	if _, err := db.PutObservation(t.Context(),
		Observation{Session: ref("p", "s"), Tool: clean("Bash"), Title: clean("Bash deploy"),
			Input: clean(`{"command":"deploy --token ` + key + `"}`), Output: clean(`{"stdout":"done"}`),
			Files: []privacy.Clean{clean("a/" + key)}}); err != nil {
		t.Fatal(err)
	}
	gate, err := privacy.New(privacy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dry, err := db.Scrub(t.Context(), gate, ScrubOptions{All: true, DryRun: true})
	if err != nil || dry.Scanned != 3 || dry.Changed != 2 {
		t.Errorf("a dry run gave %+v, %v", dry, err)
	}
	if bytesOnDisk(t, db, strings.ToLower(key)) == 0 {
		t.Error("a dry run changed something")
	}
	rep, err := db.Scrub(t.Context(), gate, ScrubOptions{All: true})
	if err != nil || rep.Changed != 2 {
		t.Errorf("got %+v, %v", rep, err)
	}
	if n := bytesOnDisk(t, db, strings.ToLower(key)); n != 0 {
		t.Errorf("the key stands %d times on disk", n)
	}
	if again, err := db.Scrub(t.Context(), gate, ScrubOptions{All: true}); err != nil || again.Changed != 0 {
		t.Errorf("a second scrub gave %+v, %v", again, err)
	}
	if res := search(t, db, Query{Text: "deploy"}); len(res.Hits) != 2 {
		t.Errorf("got %+v", res)
	}
	checkIndex(t, db)
}
