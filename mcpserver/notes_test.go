package mcpserver

import (
	"strings"
	"testing"

	"keepmum/api"
)

func TestAnAgentNotesWhatIsBeingDone(t *testing.T) {
	dir, project := memory(t)
	client := api.NewClient(string(dir), "")
	s := connect(t, Options{Client: client, Dir: project})
	note := map[string]any{"type": "task", "text": "Move payments to Adyen", "progress": 40}
	if text, failed := call(t, s, "session_note", note); failed || !strings.HasPrefix(text, "Noted: [") ||
		!strings.Contains(text, "in session claude/s1") {
		t.Fatalf("got %q", text)
	}
	var d api.SessionDigest
	if err := client.Get(t.Context(), "/sessions/digest", map[string][]string{"directory": {project}}, &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Notes) != 1 || d.Notes[0].Agent != "agent" || *d.Notes[0].Progress != 40 {
		t.Errorf("got %+v", d)
	}
	done := map[string]any{"type": "done", "text": "Payments use Adyen"}
	if text, failed := call(t, s, "session_note", done); failed {
		t.Errorf("got %q", text)
	}
	find := map[string]any{"query": "payments use adyen"}
	if text, failed := call(t, s, "memory_search", find); failed || !strings.Contains(text, "note by the agent: done") {
		t.Errorf("got %q", text)
	}
	note["progress"] = 140
	if text, failed := call(t, s, "session_note", note); !failed || !strings.Contains(text, "progress must be 0..100") {
		t.Errorf("got %q", text)
	}
	fact := map[string]any{"title": "Payments use Stripe and nothing else", "key": "payments/provider"}
	if text, failed := call(t, s, "memory_remember", fact); failed || !strings.HasPrefix(text, "Written: [") {
		t.Errorf("got %q", text)
	}
	then := map[string]any{"query": "payments Stripe", "type": "memory", "as_of": "2020-01-01"}
	if text, failed := call(t, s, "memory_search", then); failed || strings.Contains(text, "nothing else") {
		t.Errorf("as of a day before it: %q", text)
	}
}
