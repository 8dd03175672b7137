package daemon

import (
	"fmt"
	"slices"
	"strings"
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
	l.sees("review", "Compare with a similar memory", "<ins>")
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

// One view of a hook event has all of it: the time until it was kept, what the agent was told for
// it, what was removed, and what was sent of it to a model, and where.
func TestOneViewOfAHookEventHasAllThatItCost(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	fillPage(t, r)
	for _, said := range []string{
		`"hook_event_name":"UserPromptSubmit",` +
			`"prompt":"the nightly refunds export of the quokka ledger lacks its checksum again"`,
		`"hook_event_name":"UserPromptSubmit",` +
			`"prompt":"from now on the refunds export of the quokka ledger always has its checksum written ` +
			`before the upload, because the warehouse refuses files without it"`,
		`"hook_event_name":"Stop",` +
			`"last_assistant_message":"The refunds export of the quokka ledger writes its checksum first now."`,
	} {
		r.ask(t, "POST", "/hooks/claude", `{"session_id":"s8","cwd":"/home/dev/shop",`+said+`}`)
	}
	prompt := `{"hook_event_name":"UserPromptSubmit","session_id":"s9","cwd":"/home/dev/shop",` +
		`"prompt":"the warehouse refuses the refunds export of the quokka ledger, its checksum is missing ` +
		`after the upload, ghp_u8aB3dE5fG7hJ9kL1mN2pQ4rS6tV8wX0yZaB"}`
	if got := r.ask(t, "POST", "/hooks/claude", prompt); !strings.Contains(got.body, "mum-context") {
		t.Fatalf("%d: told %s", got.status, got.body)
	}
	entry := into[api.Feed](t, r.ask(t, "GET", "/feed?limit=1", "")).Events[0].ID
	jobs, err := r.d.db.Jobs(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(jobs, func(j store.Job) bool { return j.Turn == entry })
	if i < 0 {
		t.Fatalf("no job for turn %d: %+v", entry, jobs)
	}
	gate := r.d.intake.Gate()
	host, _ := gate.Text("models.example:443")
	if err := r.d.db.RecordEgress(t.Context(), store.Egress{Host: host, Model: privacy.Const("m"),
		Purpose: privacy.Const("summary"), Bytes: 1536, Job: jobs[i].ID}); err != nil {
		t.Fatal(err)
	}
	l.sees(fmt.Sprintf("entry/%d", entry), "About this event", " ms</td>", "1 entry, ", " tokens</a>",
		"github-token × 1", "1.5 KiB", "left this machine", "models.example:443 (summary)")
}
