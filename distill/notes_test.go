package distill_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"keepmum/distill"
	"keepmum/memory"
	"keepmum/store"
)

// noted stores a note as a hook would.
func (r *rig) noted(session, kind, text string, byAgent bool, file string) int64 {
	r.t.Helper()
	root := r.text("/home/dev/shop")
	n := store.Note{Type: kind, Text: r.text(text), Progress: -1, At: r.now.Add(-30 * time.Minute), File: r.text(file),
		Session: store.SessionRef{Agent: r.text("claude"), Native: r.text(session), Dir: root,
			Project: store.Project{Name: r.text("shop"), Aliases: []store.Alias{{Kind: store.AliasDir, Value: root}}}}}
	if byAgent {
		n.Who = r.text("agent")
	}
	got, err := r.db.PutNote(r.t.Context(), n)
	if err != nil {
		r.t.Fatal(err)
	}
	return got.ID
}

// remembered returns the memories of the shop project, by title.
func (r *rig) remembered() map[string]memory.Memory {
	r.t.Helper()
	tree, err := memory.Open(filepath.Join(r.home, "projects", "shop", "memory"), r.world.Gate)
	if err != nil {
		r.t.Fatal(err)
	}
	l, err := tree.Load()
	if err != nil {
		r.t.Fatal(err)
	}
	out := map[string]memory.Memory{}
	for _, m := range l.Memories() {
		out[m.Title] = m
	}
	return out
}

func TestWhatWasNotedOnPurposeBecomesAMemoryInItsOwnWords(t *testing.T) {
	r := newRig(t)
	r.noted("s1", store.NoteTask, "Move the payments over to Adyen", false, "")
	id := r.noted("s1", store.NoteDecision, "keep Stripe for refunds until May", false, "")
	r.noted("s1", store.NoteFinding, "the webhook signs the raw body", true, "pay/hook.go")
	r.noted("s1", store.NoteNext, "wire the webhook of the shop", true, "")
	rep := r.sync(distill.SyncOptions{Window: distill.Window{Since: r.now.Add(-time.Minute)}})
	got := r.remembered()
	if len(got) != 2 || rep.Learnings != 2 {
		t.Fatalf("%d memories, %d reported: %v", len(got), rep.Learnings, got)
	}
	user, agent := got["keep Stripe for refunds until May"], got["the webhook signs the raw body"]
	if user.Confidence != 0.9 || user.Kind != memory.Fact || user.Sources[0].Ref != "#"+strconv.FormatInt(id, 10) {
		t.Errorf("the user's decision: %+v", user)
	}
	if agent.Confidence != 0.6 || agent.Body != "In `pay/hook.go`." || !slices.Contains(agent.Tags, "finding") {
		t.Errorf("the agent's finding: %+v", agent)
	}
	before := r.files()["projects/shop/memory/"+user.Path]
	r.sync(distill.SyncOptions{Force: true})
	if rep := r.sync(distill.SyncOptions{}); len(rep.Actions) != 0 {
		t.Errorf("looked at again: %+v", rep.Actions)
	}
	if after := r.files()["projects/shop/memory/"+user.Path]; after != before || len(r.remembered()) != 2 {
		t.Errorf("said again: %s", after)
	}
}

func TestAnAgentsNoteIsTrustedMoreOnceASecondSessionSaysIt(t *testing.T) {
	r := newRig(t)
	const said = "the invoice importer needs the UTF-8 BOM of the bank"
	r.noted("s1", store.NoteFinding, said, true, "")
	r.sync(distill.SyncOptions{})
	r.noted("s1", store.NoteFinding, said, true, "")
	r.sync(distill.SyncOptions{})
	if got := r.remembered()[said].Confidence; got != 0.6 {
		t.Errorf("the same session said it twice: %v", got)
	}
	r.noted("s2", store.NoteFinding, said, true, "")
	r.sync(distill.SyncOptions{})
	if got := r.remembered(); len(got) != 1 || got[said].Confidence != 0.75 || len(got[said].Sources) != 2 {
		t.Errorf("two sessions said it: %+v", got)
	}
}

func TestANoteOfAnotherProjectOrTimeWaitsForItsRun(t *testing.T) {
	r := newRig(t)
	r.noted("s1", store.NoteDecision, "keep Stripe for refunds until May", false, "")
	day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	r.sync(distill.SyncOptions{Window: distill.Window{Since: day, Until: day.AddDate(0, 0, 7)}})
	r.sync(distill.SyncOptions{Agents: []string{"codex"}})
	rep := r.sync(distill.SyncOptions{DryRun: true})
	if len(rep.Actions) != 1 || rep.Actions[0].Action != memory.Add {
		t.Errorf("a dry run says: %+v", rep.Actions)
	}
	if _, err := os.Stat(filepath.Join(r.home, "projects", "shop", "memory", "learnings")); err == nil {
		t.Error("written by a run that was not about it")
	}
	r.sync(distill.SyncOptions{})
	if len(r.remembered()) != 1 {
		t.Error("not written by the run that is about it")
	}
}

func TestALongNoteIsTitleAndBody(t *testing.T) {
	r := newRig(t)
	long := "Refunds stay with Stripe until May\nbecause the contract with Adyen begins then, and " +
		strings.Repeat("the old refunds must be booked where they were paid ", 4)
	r.noted("s1", store.NoteDecision, long, false, "")
	r.sync(distill.SyncOptions{})
	m := r.remembered()["Refunds stay with Stripe until May"]
	if m.Primitive != memory.Decision || !strings.Contains(m.Body, "contract with Adyen") {
		t.Errorf("%+v", m)
	}
}
