package connect

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/hooks"
)

// Of two members of one name an agent reads the last one only, so an entry in the first would never run, and nobody
// knows which of the two the user means.
func TestAMemberThatIsThereTwiceIsAConflict(t *testing.T) {
	const stop = `{"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}`
	for _, c := range []struct{ agent, file, text, twice string }{
		{hooks.Claude, ".claude/settings.json", `{"hooks": ` + stop + `, "hooks": ` + stop + `}`, `"hooks"`},
		{hooks.Claude, ".claude/settings.json", `{"hooks": {"Stop": [], "Stop": []}}`, `"Stop"`},
		{hooks.Claude, ".claude.json", `{"mcpServers": {}, "mcpServers": {"docs": {"command": "docs"}}}`, `"mcpServers"`},
		{hooks.Cursor, ".cursor/hooks.json", `{"version": 1, "hooks": {}, "hooks": {"stop": [{"command": "a"}]}}`, `"hooks"`},
	} {
		o := machine(t)
		file := filepath.Join(o.UserHome, filepath.FromSlash(c.file))
		put(t, file, c.text)
		_, err := o.Connect(c.agent)
		if !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), c.twice+" is there 2 times") {
			t.Errorf("%s: %v", c.text, err)
		}
		if got := get(t, file); got != c.text {
			t.Errorf("%s became %s", c.text, got)
		}
	}
}

// To remove our entries from one of two would leave the others to run, or take the user's away.
func TestWhatIsThereTwiceIsNotDisconnectedInPart(t *testing.T) {
	o := machine(t)
	mustConnect(t, o, hooks.Claude)
	ours := strings.TrimSuffix(strings.TrimSpace(get(t, o.claudeFile())), "}")
	text := ours + `, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}}`
	put(t, o.claudeFile(), text)
	if _, err := o.Disconnect(hooks.Claude); !errors.Is(err, ErrConflict) {
		t.Errorf("got %v", err)
	}
	if s, err := o.State(hooks.Claude); err != nil || s.Connected {
		t.Errorf("%+v, %v", s, err)
	}
}

// What is not ours to edit may be there twice.
func TestAnotherMemberMayBeThereTwice(t *testing.T) {
	o := machine(t)
	const text = `{"model": "a", "model": "b", "hooks": {"Own": [], "Own": []}}`
	put(t, o.claudeFile(), text)
	mustConnect(t, o, hooks.Claude)
	mustDisconnect(t, o, hooks.Claude)
	if got := get(t, o.claudeFile()); got != text {
		t.Errorf("%s", got)
	}
}
