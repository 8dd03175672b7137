package daemon

import (
	"encoding/base64"
	"strings"
	"testing"
)

// TestAScreenshotIsNotKept: neither of a hook's answer nor of an import.
func TestAScreenshotIsNotKept(t *testing.T) {
	r := startRig(t, t.TempDir())
	data := base64.StdEncoding.EncodeToString(
		[]byte("\x89PNG\r\n\x1a\n" + strings.Repeat("not a picture that anybody could see ", 9000)))
	r.hook(t, map[string]any{"hook_event_name": "PostToolUse", "session_id": "s1", "cwd": "/home/dev/shop",
		"tool_name": "Read", "tool_use_id": "t1",
		"tool_input":    map[string]any{"file_path": "/x/a.png"},
		"tool_response": map[string]any{"type": "image", "file": map[string]any{"base64": data, "type": "image/png"}}})
	line := `{"kind":"observation","agent":"ci","session":"i1","key":"k1","at":"2026-03-01T12:00:00Z","tool":"shot","title":"a shot","output":{"data":"` + data + `"}}`
	if got := r.ask(t, "POST", "/import", line+"\n"); got.status != 200 || !strings.Contains(got.body, `"documents":1`) {
		t.Fatalf("%d, %s", got.status, got.body)
	}
	if n := strings.Count(r.ask(t, "GET", "/export", "").body, "[image/png of "); n < 2 {
		t.Errorf("%d notes of pictures", n)
	}
	if r.holds(t, data[40:100]) {
		t.Error("a picture is kept")
	}
}
