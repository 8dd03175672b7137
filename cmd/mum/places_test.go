package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/await"
	"keepmum/home"
	"keepmum/hooks"
)

// runsIn pipes one event into a hook command and waits until the store has want events.
func runsIn(t *testing.T, dir string, cmd *exec.Cmd, event int, want int64) {
	t.Helper()
	cmd.Stdin = strings.NewReader(toolPayload(event))
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("a hook said %q and ended with %v", out, err)
	}
	await.True(t, "the event", func() bool {
		if !owned(home.Dir(dir)) {
			return false
		}
		s := status(t, dir)
		return s.Capture.Events["observation"]+int64(s.Spool) >= want && s.Spool == 0
	})
}

func TestHooksWorkWhereNoSocketCanBe(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("a-long-name-", 10), "data") // longer than a socket's path may be
	if out, err := mum(dir, "up").CombinedOutput(); err != nil {
		t.Fatalf("up: %v\n%s", err, out)
	}
	stopAtEnd(t, dir)
	runsIn(t, dir, mum(dir, "hook", "claude"), 1, 1)
	script := filepath.Join(t.TempDir(), "mum-hook.sh")
	if err := os.WriteFile(script, hooks.Place{Home: dir, Bin: binary}.HookScript(), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := mum(dir)
	cmd.Path, cmd.Args = "/bin/sh", []string{"sh", script, "claude"}
	runsIn(t, dir, cmd, 2, 2)
	out, err := combined(dir, "doctor")
	if err != nil || !strings.Contains(out, "WARN  socket") {
		t.Errorf("the doctor says nothing of it: %v\n%s", err, out)
	}
}

func TestAProxyIsNeverAskedForTheDaemon(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if out, err := mum(dir, "up").CombinedOutput(); err != nil {
		t.Fatalf("up: %v\n%s", err, out)
	}
	stopAtEnd(t, dir)
	cmd := mum(dir, "hook", "claude")
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"} {
		cmd.Env = append(cmd.Env, name+"=http://127.0.0.1:9")
	}
	cmd.Env = append(cmd.Env, "NO_PROXY=")
	runsIn(t, dir, cmd, 1, 1)
}
