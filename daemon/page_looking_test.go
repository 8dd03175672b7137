package daemon

import (
	"fmt"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/privacy"
	"keepmum/store"
)

// Whoever looks at memories and proposals changes nothing of them: what fades keeps fading,
// and the count of what waits is no look at it. Who asks the API for a memory uses it.
func TestLookingAtThePageChangesNothing(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	fillPage(t, r)
	memory := into[api.MemoryList](t, r.ask(t, "GET", "/memories", "")).Memories[0]
	gate := r.d.intake.Gate()
	clean := func(s string) privacy.Clean { c, _ := gate.Text(s); return c }
	proposal := store.Proposal{Project: 1, Form: "learning", Title: clean("Prices are integer euros"),
		Body:     clean("Never floats, since rounding lost us money twice in April."),
		Sentence: clean("please"), Why: "below_the_bar", Confidence: 0.4, Session: clean("claude/s1"), At: time.Now()}
	if _, err := r.d.db.PutProposal(t.Context(), proposal); err != nil {
		t.Fatal(err)
	}
	looked := func() int64 {
		t.Helper()
		p, err := r.d.db.Proposal(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		return p.Looked
	}
	used := func() int64 {
		t.Helper()
		r.d.flushAccess(t.Context())
		return into[api.MemoryList](t, r.ask(t, "GET", "/memories", "")).Memories[0].Accesses
	}
	l.sees("memories", "Review 1 proposal")
	if looked() != 0 {
		t.Error("a count of proposals is a look at them")
	}
	l.sees("review", "Compare with a memory", "<ins>")
	if looked() == 0 {
		t.Error("who reviewed a proposal did not see it")
	}
	for _, room := range []string{fmt.Sprintf("memory/%d", memory.Entry), "memory/" + memory.ID,
		fmt.Sprintf("entry/%d", memory.Entry), "memories?q=prices", "search?q=prices&type=memory", "told", "today"} {
		l.sees(room, "<h1>")
	}
	if n := used(); n != 0 {
		t.Errorf("used %d times by looking", n)
	}
	r.ask(t, "GET", "/memories/"+memory.ID, "")
	if n := used(); n != 1 {
		t.Errorf("used %d times by asking once", n)
	}
}
