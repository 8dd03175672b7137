package e2e

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// commands makes a script in which the agent runs some commands, one after the other.
func (r *rig) commands(name string, lines ...string) string {
	r.t.Helper()
	var turns [][]map[string]any
	for _, line := range lines {
		call := map[string]any{"type": "tool_use", "name": "Bash", "input": map[string]any{"command": line}}
		switch r.agent.name {
		case "codex":
			call["name"], call["input"] = "exec_command", map[string]any{"cmd": line}
		case "opencode":
			call["name"], call["input"] = "bash", map[string]any{"command": line, "description": "Run it"}
		}
		turns = append(turns, []map[string]any{call})
	}
	turns = append(turns, []map[string]any{{"type": "text", "text": "That is how it stands."}})
	text, err := json.Marshal(map[string]any{"prompt": "Please " + name + ".", "aux": "Checks", "turns": turns})
	if err != nil {
		r.t.Fatal(err)
	}
	file := filepath.Join(r.dir, strings.ReplaceAll(name, " ", "-")+".json")
	r.write(file, string(text))
	return file
}

// TestAFailureThatWasMendedTwiceBringsItsOneLine: the real agent's model reads what fixed a
// failure in the answer to its failed command, where the agent has a field for it.
func TestAFailureThatWasMendedTwiceBringsItsOneLine(t *testing.T) {
	const line = "2 earlier sessions had this failure: passed after `sh build.sh prices`"
	forEachAgent(t, func(t *testing.T, r *rig) {
		r.write(filepath.Join(r.project, "check.sh"),
			"[ -e built ] || { echo \"error: the price table of run $$ is missing\" >&2; exit 3; }\necho fine\n")
		r.write(filepath.Join(r.project, "build.sh"), "echo building $1; touch built\n")
		r.write(filepath.Join(r.project, "other.sh"), "echo 'error: the printer of the shop is out of paper' >&2; exit 4\n")
		unbuilt := func() {
			if err := os.Remove(filepath.Join(r.project, "built")); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"mend it once", "mend it twice"} {
			unbuilt()
			s := r.session(r.commands(name, "sh check.sh", "sh build.sh prices", "sh check.sh"))
			if strings.Contains(s.last(), "had this failure") {
				t.Errorf("%s: told too early", name)
			}
		}
		r.mum("gotchas", "--all") // reads the sessions at once
		unbuilt()
		s := r.session(r.commands("check it again", "sh check.sh", "sh check.sh"))
		want := 1
		if r.agent.name == "opencode" { // its contract has no field for it
			want = 0
		}
		if n := strings.Count(s.last(), line); n != want {
			t.Errorf("the line came %d times, want %d: %.3000s", n, want, s.last()[max(0, len(s.last())-3000):])
		}
		if text := s.out + s.errs; strings.Contains(text, "hook error") {
			t.Errorf("the agent complains: %s", text)
		}
		s = r.session(r.commands("try something else", "sh other.sh"))
		if strings.Contains(s.last(), "had this failure") {
			t.Errorf("another failure is told: %s", s.last())
		}
	})
}

// last is the text of the last request of the conversation, which holds all before it.
func (s session) last() (text string) {
	for _, q := range s.requests {
		if q.Kind == "model" && q.Lane == "main" {
			text = q.text()
		}
	}
	return text
}
