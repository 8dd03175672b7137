package daemon

import (
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/config"
)

func TestAHookDoesNotWaitForThePlacesOfLargeBodies(t *testing.T) {
	r := startRig(t, t.TempDir())
	for range maxLargeBodies { // four requests that do not come to an end
		r.d.large <- struct{}{}
	}
	body := fmt.Sprintf(
		`{"hook_event_name":"PostToolUse","session_id":"s","cwd":"/home/dev/shop","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"make"},"tool_response":{"stdout":%q}}`, strings.Repeat("out ", smallBody/2))
	if resp := r.ask(t, "POST", "/hooks/claude", body); resp.status != 200 {
		t.Fatalf("status %d: %s", resp.status, resp.body)
	}
	if n := r.stats(t).Observations; n != 1 {
		t.Errorf("%d observations", n)
	}
}

func TestAFieldThatIsTooLongIsRefusedByName(t *testing.T) {
	r := startRig(t, t.TempDir())
	long := strings.Repeat("x", maxPath+1)
	for path, body := range map[string]string{
		"/observe":       `{"session_id":"s","tool_name":"Bash","directory":%q}`,
		"/prompt":        `{"session_id":"s","text":"hello","directory":%q}`,
		"/session/start": `{"session_id":"s","branch":%q}`,
		"/session/end":   `{"session_id":"s","reason":%q}`,
	} {
		resp := r.ask(t, "POST", path, fmt.Sprintf(body, long))
		if resp.code() != api.Invalid || strings.Contains(resp.body, "xxx") {
			t.Errorf("%s: %d %s", path, resp.status, resp.body)
		}
	}
	// A hook cannot send it again: the event is kept without what is too long.
	body := fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":%q,"prompt":"kept all the same"}`,
		"/"+long)
	if resp := r.ask(t, "POST", "/hooks/claude", body); resp.status != 200 || r.stats(t).Prompts != 1 {
		t.Errorf("a hook: %d %s, %d prompts", resp.status, resp.body, r.stats(t).Prompts)
	}
}

func TestANumberThatIsRefusedIsNotRepeated(t *testing.T) {
	r := startRig(t, t.TempDir())
	for _, body := range []string{
		`{"session_id":"s","tool_name":"Bash","prompt_number":4111111111111111.5}`,
		`{"session_id":4111111111111111,"tool_name":"Bash"}`,
		`4111111111111111`,
	} {
		if resp := r.ask(t, "POST", "/observe", body); resp.code() != api.Invalid || strings.Contains(resp.body, "4111") {
			t.Errorf("%d %s", resp.status, resp.body)
		}
	}
}

func TestADaemonOnTheOtherLoopbackAddressIsFound(t *testing.T) {
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no ::1")
	}
	_ = l.Close()
	dir := t.TempDir()
	startRig(t, dir, func(c *config.Config) { c.Daemon.Host = "::1" })
	if err := api.NewClient(dir, filepath.Join(dir, "no socket")).Get(t.Context(), "/status", nil, nil); err != nil {
		t.Error(err)
	}
}
