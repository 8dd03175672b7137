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
