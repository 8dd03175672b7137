package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestThePluginCapturesASession installs keepmum as a plugin with Claude Code's own commands,
// instead of mum connect.
func TestThePluginCapturesASession(t *testing.T) {
	r := newRig(t, agents()[0])
	r.mum("disconnect", "claude")
	plugin, err := filepath.Abs(filepath.Join("..", "plugin"))
	if err != nil {
		t.Fatal(err)
	}
	claude := func(args ...string) string {
		t.Helper()
		env := []string{"HOME=" + r.home, "PATH=" + r.bin + ":" + os.Getenv("PATH"), "DISABLE_AUTOUPDATER=1",
			"DISABLE_TELEMETRY=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}
		return r.run(env, filepath.Join(r.agents, "bin", "claude"), append([]string{"plugin"}, args...)...)
	}
	claude("validate", plugin)
	claude("marketplace", "add", plugin)
	claude("install", "mum@keepmum")

	r.session("1")
	work := r.script("1")
	r.checkPrompts(work)
	r.checkCalls(work)
	r.checkOneSession()
	r.checkNoSecret()
	second := r.session("2")
	if text := second.firstRequest(t).text(); !strings.Contains(text, "<mum-context>") {
		t.Error("the second session is told nothing")
	}
	claude("uninstall", "mum@keepmum")
	if got := r.read(r.settings()); strings.Contains(got, "mum hook") {
		t.Errorf("after the plugin was removed: %s", got)
	}
}
