package page

import (
	"strings"
	"testing"

	"keepmum/api"
)

func TestAFindingOfTheDoctorIsNotContradicted(t *testing.T) {
	p := New(Options{Key: "k"})
	for state, praised := range map[string]bool{"ok": true, "warning": false, "error": false} {
		d := healthData{Stats: api.Stats{Prompts: 1}, Checks: []api.Check{{Check: "claude", State: state}}}
		text, err := p.fill("health", frame{Data: d})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(text, "No problem is known"); got != praised {
			t.Errorf("%s: praised %v", state, got)
		}
	}
}

// What is remembered through MCP alone was sent by an agent, too; and what is not done for a project is a problem.
func TestHealthSaysNothingThatIsNotSo(t *testing.T) {
	p := New(Options{Key: "k"})
	blocked := healthData{Stats: api.Stats{Prompts: 1}}
	blocked.Status.Blocked = []api.Blocked{{Project: "shop", Why: "its memories cannot be read"}}
	for not, d := range map[string]healthData{"No agent has sent": {Stats: api.Stats{Memories: 1}},
		"No problem is known": blocked} {
		if text, err := p.fill("health", frame{Data: d}); err != nil || strings.Contains(text, not) {
			t.Errorf("it says %q: %v", not, err)
		}
	}
}
