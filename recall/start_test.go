package recall

import (
	"strings"
	"testing"
	"time"

	"keepmum/store"
)

func TestAStartNamesEachFileOnce(t *testing.T) {
	d := digestOf([]store.Line{
		{ID: 1, Type: store.KindPrompt, Role: string(store.RoleUser), Text: "add a test for the limit of tenants"},
		{ID: 2, Type: store.KindObservation, Tool: "Edit", Title: "Edit limiter.go"},
		{ID: 3, Type: store.KindObservation, Tool: "Edit", Title: "Edit doc.go"},
		{ID: 4, Type: store.KindObservation, Tool: "Bash", Title: "Bash go vet ./...", Failed: true},
	})
	d.files = []File{{"F1", "queue.go", "unchanged"}, {"F2", "limiter.go", "unchanged"}, {"F3", "go.mod", "gone"}}
	w := newWriter(Ask{Tokens: 400, MaxEntries: 5, Now: time.UnixMilli(0)}, nil)
	w.session(store.SessionRow{Agent: "claude"}, d)
	const want = `; edited F2 limiter.go (unchanged since), doc.go; unchanged since: F1 queue.go; gone since: F3 go.mod; ` +
		`failed last: Bash go vet ./... (4)`
	if text := w.block(ReasonRecency).Text; !strings.Contains(text, want) {
		t.Errorf("told:\n%s", text)
	}
}

func TestAMemoryThatTheLineOfTheSessionSaysIsNotToldAgain(t *testing.T) {
	w := newWriter(Ask{Tokens: 400, MaxEntries: 5, Now: time.UnixMilli(0)}, nil)
	n := notedOf([]store.NoteRow{{ID: 7, Type: store.NoteDecision, Text: "Limits are per tenant"}})
	w.noted(store.SessionRow{Agent: "claude"}, n, digest{})
	if !w.says("limits are per tenant.") || w.says("Limits are per user") {
		t.Errorf("told:\n%s", w.block(ReasonRecency).Text)
	}
}
