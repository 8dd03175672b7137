package hooks

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// Each agent's decoder hands on what a person submitted, and nothing that a program put there.
func TestPromptsAreWhatAPersonSubmitted(t *testing.T) {
	raw, err := os.ReadFile("../testdata/speaker/turns.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		var x struct{ Agent, Class, Prompt, Typed string }
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err)
		}
		payload := map[string]any{"session_id": "s1", "cwd": "/home/dev/shop", "hook_event_name": "UserPromptSubmit",
			"prompt": x.Prompt}
		switch x.Agent {
		case Cursor:
			payload = map[string]any{"conversation_id": "s1", "generation_id": "g1", "hook_event_name": "beforeSubmitPrompt",
				"workspace_roots": []string{"/home/dev/shop"}, "prompt": x.Prompt}
		case OpenCode:
			payload = map[string]any{"hook": "chat.message", "directory": "/home/dev/shop",
				"input": map[string]any{"sessionID": "s1"},
				"output": map[string]any{"message": map[string]any{"id": "m1", "role": "user", "sessionID": "s1"},
					"parts": []any{map[string]any{"id": "p1", "type": "text", "text": x.Prompt}}}}
		}
		b, err := json.Marshal(payload)
		if err != nil {
			t.Fatal(err)
		}
		events, err := Decode(x.Agent, b)
		if err != nil || len(events) != 1 {
			t.Fatalf("%s %s: %d events, %v", x.Agent, x.Class, len(events), err)
		}
		if e := events[0]; e.Text != x.Typed || (e.Kind == Prompt) != (x.Typed != "") {
			t.Errorf("%s %s: a %v with %q, want %q", x.Agent, x.Class, e.Kind, e.Text, x.Typed)
		}
	}
}
