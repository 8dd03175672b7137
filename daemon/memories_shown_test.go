package daemon

import (
	"fmt"
	"testing"

	"keepmum/api"
)

// A number stays in transcripts, so whoever looks it up must learn what became of the memory.
func TestAMemoryThatIsShownSaysWhoseItIsAndWhatBecameOfIt(t *testing.T) {
	r, repo := startRig(t, t.TempDir()), repository(t)
	heard := r.says(t, "s1", repo, "we looked at the login sessions of the customers today")
	add := func(title string) api.Memory {
		return into[api.MemoryWritten](t, r.post(t, "/memories", api.MemoryAdd{Title: title, Kind: "fact", Origin: "agent",
			Agent: "mcp", Directory: repo, Evidence: []int64{heard}})).Memory
	}
	old := add("Login sessions expire after 20 minutes")
	now := add("Login sessions expire after 8 hours")
	shown := into[api.Observations](t, r.ask(t, "GET", fmt.Sprintf("/observation/%d,%d", old.Entry, now.Entry), ""))
	for i, want := range []struct {
		state string
		by    int64
	}{{"superseded", now.Entry}, {"active", 0}} {
		o := shown.Observations[i]
		if o.State != want.state || o.ReplacedBy != want.by || o.Origin != "agent" || o.Confidence == 0 {
			t.Errorf("%d: %+v", i, o)
		}
		if len(o.Evidence) != 1 || o.Evidence[0] != heard {
			t.Errorf("%d was learned from %v", i, o.Evidence)
		}
	}
	around := into[api.Timeline](t, r.ask(t, "GET", fmt.Sprintf("/timeline/%d", now.Entry), ""))
	if around.ID != heard || around.Session != "s1" || len(around.Moments) == 0 {
		t.Errorf("around it: %+v", around)
	}
	if got := r.ask(t, "GET", fmt.Sprintf("/memories/%d", old.Entry), ""); into[api.Memory](t, got).By != "agent" {
		t.Errorf("got %s", got.body)
	}
}
