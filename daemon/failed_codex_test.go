package daemon

import (
	"strings"
	"testing"

	"keepmum/api"
)

// Codex says of no command that it failed.
func TestAFailureInCodexIsReadFromItsOutput(t *testing.T) {
	r := startRig(t, t.TempDir())
	const dir = "/home/dev/shop"
	hook := func(event map[string]any) {
		t.Helper()
		event["session_id"], event["turn_id"], event["cwd"] = "codex-1", "t1", dir
		r.ask(t, "POST", "/hooks/codex", claude(t, event))
	}
	hook(map[string]any{"hook_event_name": "UserPromptSubmit",
		"prompt": "move the discounts of the shop to the new engine"})
	hook(map[string]any{"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "c1",
		"tool_input":    map[string]any{"command": "go test ./pricing"},
		"tool_response": "--- FAIL: TestDiscountStacking (0.00s)\nFAIL\nFAIL\tshop/pricing\t0.01s"})
	d := into[api.SessionDigest](t, r.ask(t, "GET", "/sessions/digest?session=codex-1&directory="+dir, ""))
	if d.Outcome != "failed" || !strings.Contains(strings.Join(d.Digest, "\n"), "go test ./pricing") {
		t.Errorf("%s: %q", d.Outcome, d.Digest)
	}
}
