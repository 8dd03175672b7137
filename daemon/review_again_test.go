package daemon

import (
	"testing"
	"time"

	"keepmum/api"
	"keepmum/privacy"
	"keepmum/store"
)

// Who takes a keep back and then keeps after all has the memory.
func TestAProposalThatIsKeptAgainIsAMemory(t *testing.T) {
	r := startRig(t, t.TempDir())
	fillPage(t, r)
	p := store.Proposal{Title: privacy.Const("Use tabs in Go"),
		Body:     privacy.Const("Tabs in Go files, as gofmt does: think of nothing."),
		Sentence: privacy.Const("please use tabs"), Why: "below_the_bar"}
	p.Project, p.Form, p.Kind, p.Confidence = 1, "learning", "preference", 0.4
	p.Session, p.At = privacy.Const("claude/s1"), time.Now()
	if _, err := r.d.db.PutProposal(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		act  string
		want int
	}{{"keep", 2}, {"undo", 1}, {"keep", 2}, {"undo", 1}, {"drop", 1}} {
		into[api.Reviewed](t, r.ask(t, "POST", "/review/1/"+step.act, "{}"))
		if got := into[api.MemoryList](t, r.ask(t, "GET", "/memories", "")).Memories; len(got) != step.want {
			t.Errorf("%s: %d memories, want %d", step.act, len(got), step.want)
		}
	}
}
