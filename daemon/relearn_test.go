package daemon

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheSecretsOfASessionAreKnownAfterARestart reads a file that nobody can guess a
// secret in, tells a password, and names both to the next daemon.
func TestTheSecretsOfASessionAreKnownAfterARestart(t *testing.T) {
	const seen, told = "hV7nD2sKq9XwB4mTcP", "pR5jZ8tYc3NvL6gHsW"
	dir := t.TempDir()
	file := filepath.Join(t.TempDir(), "s1.jsonl")
	var lines strings.Builder
	for _, rec := range []map[string]any{
		{"type": "user", "message": map[string]any{"role": "user", "content": "the password for staging is " + told}},
		{"type": "assistant",
			"message": map[string]any{"id": "m1",
				"content": []any{map[string]any{"type": "tool_use", "id": "c1", "name": "Read",
					"input": map[string]any{"file_path": "/elsewhere/.env"}}}}},
		{"type": "user", "message": map[string]any{"role": "user",
			"content": []any{map[string]any{"type": "tool_result", "tool_use_id": "c1", "content": "APP_THING=" + seen}}}},
	} {
		rec["sessionId"], rec["cwd"], rec["timestamp"] = "s1", "/home/dev/shop", "2026-03-01T10:00:00Z"
		b, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(b, '\n'))
	}
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	r := startRig(t, dir)
	r.hook(t, map[string]any{"session_id": "s1", "hook_event_name": "SessionStart", "source": "startup",
		"cwd": "/home/dev/shop"})
	r.end(t)
	r = startRig(t, dir)
	r.hook(t, map[string]any{"session_id": "s1", "transcript_path": file, "cwd": "/home/dev/shop",
		"hook_event_name": "UserPromptSubmit", "prompt": "so " + seen + " and " + told + " it is, quickly"})
	if !r.holds(t, "quickly") {
		t.Error("the prompt is not kept")
	}
	for _, value := range []string{seen, told} {
		if r.holds(t, value) {
			t.Errorf("%q is kept", value)
		}
	}
}
