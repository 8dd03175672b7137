package transcript

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each agent's reader yields what a person submitted as the user's text, and the rest as an aside.
func TestTurnsAreWhatAPersonSubmitted(t *testing.T) {
	raw, err := os.ReadFile("../testdata/speaker/turns.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		var x struct{ Agent, Class, Prompt, Typed string }
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err)
		}
		var said, aside string
		src := oneTurn(t, x.Agent, x.Prompt)
		_, _, err := Read(t.Context(), src, Offset{}, func(e Entry) error {
			switch e.Role {
			case User:
				said += e.Text
			case Aside:
				aside += e.Text
			}
			return nil
		})
		if err != nil {
			t.Fatalf("%s %s: %v", x.Agent, x.Class, err)
		}
		if said != x.Typed {
			t.Errorf("%s %s: the user said %q, want %q", x.Agent, x.Class, said, x.Typed)
		}
		if said == "" && aside == "" && !strings.HasPrefix(x.Prompt, "@") {
			t.Errorf("%s %s: what nobody typed is lost", x.Agent, x.Class)
		}
	}
}

// oneTurn writes a session of one turn as an agent does.
func oneTurn(t *testing.T, agent, prompt string) Source {
	t.Helper()
	dir := t.TempDir()
	text := []any{map[string]any{"type": "text", "text": prompt}}
	write := func(name string, v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(b, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	src := Source{Agent: agent, ID: "s1"}
	switch agent {
	case Claude:
		src.Path = write("s1.jsonl",
			map[string]any{"type": "user", "sessionId": "s1", "message": map[string]any{"content": prompt}})
	case Codex:
		src.Path = write("s1.jsonl",
			map[string]any{"type": "response_item", "payload": map[string]any{"type": "message", "role": "user",
				"content": []any{map[string]any{"type": "input_text", "text": prompt}}}})
	case OpenCode:
		write("storage/message/s1/m1.json", map[string]any{"role": "user", "time": map[string]any{"created": 1}})
		write("storage/part/m1/p1.json", map[string]any{"type": "text", "text": prompt})
		src.Path = write("storage/session/p/s1.json", map[string]any{"id": "s1"})
	case Cursor:
		src.Path = write("s1.jsonl", map[string]any{"role": "user", "message": map[string]any{"content": text}})
	}
	return src
}
