package daemon

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"keepmum/api"
)

func TestAFullDiskIsSaidAndLeftBehind(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=3m"); err != nil {
		t.Skipf("no small disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	r := startRig(t, dir)
	observe := func(i int) reply {
		return r.ask(t, "POST", "/observe",
			fmt.Sprintf(`{"session_id":"s","tool_name":"T%d","tool_output":%q}`, i, strings.Repeat("word ", 10_000)))
	}
	kept, last := 0, reply{status: http.StatusOK}
	for i := 0; last.status == http.StatusOK && i < 1000; i++ {
		if last = observe(i); last.status == http.StatusOK {
			kept++
		}
	}
	if last.code() != api.Unavailable || !strings.Contains(last.body, "disk is full") {
		t.Fatalf("after %d events: status %d, %s", kept, last.status, last.body)
	}
	if hook := r.ask(t, "POST", "/hooks/claude",
		claude(t, prompt("s1", "p1", strings.Repeat("word ", 10_000)))); hook.code() != api.Unavailable {
		t.Errorf("a hook was answered %d %s", hook.status, hook.body)
	}
	said := false
	for try := 0; !said && try < 10; try++ { // something small of the daemon's own may have fitted in between
		observe(2000 + try)
		said = !into[api.Health](t, r.ask(t, "GET", "/health", "")).OK
	}
	if !said {
		t.Error("health says all is well")
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=60m"); err != nil {
		t.Fatal(err)
	}
	if got := observe(1000); got.status != http.StatusOK {
		t.Errorf("with space again: %d %s", got.status, got.body)
	}
	if h := into[api.Health](t, r.ask(t, "GET", "/health", "")); !h.OK {
		t.Error("health does not recover")
	}
	if s := r.stats(t); s.Observations != int64(kept+1) {
		t.Errorf("%d acknowledged, %d kept", kept+1, s.Observations)
	}
}
