package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"keepmum/distill"
)

// taught writes a session of Claude Code in which the user states a rule.
func taught(t *testing.T, home, project, rule string) {
	t.Helper()
	dir := filepath.Join(home, ".claude", "projects", "-home-dev-"+project)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for i, m := range []struct{ role, text string }{{"user", "have a look at the importer"},
		{"assistant", "I read it and changed one line."}, {"user", rule}, {"assistant", "Understood."}} {
		line, err := json.Marshal(map[string]any{"type": m.role,
			"sessionId": "5e551011-0000-4000-8000-0000000000" + project[:2], "cwd": "/home/dev/" + project,
			"uuid": fmt.Sprint("u", i), "timestamp": fmt.Sprintf("2026-03-01T10:00:%02dZ", i),
			"message": map[string]any{"role": m.role, "content": m.text}})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	file := filepath.Join(dir, "5e551011-0000-4000-8000-0000000000"+project[:2]+".jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
}

// syncs runs mum sync and returns its exit code and its output.
func syncs(dir string, args ...string) (code int, said string) {
	cmd := mum(dir, append([]string{"sync", "--window", "all"}, args...)...)
	cmd.Env = append(cmd.Env, "MUM_SYNC__ENABLED=false", "MUM_PRIVACY__VAULT=false", "TMPDIR="+filepath.Dir(dir))
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), string(out)
	}
	return 0, string(out)
}

func TestASyncSaysWhoHoldsTheLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	taught(t, filepath.Dir(dir), "11shop", "from now on run the linter before you commit anything")
	stopAtEnd(t, dir)
	if code, said := syncs(dir, "--no-extract"); code != 0 { // starts the daemon
		t.Fatalf("%d\n%s", code, said)
	}
	path := filepath.Join(dir, "sync.lock")
	held := flock.New(path, flock.SetPermissions(0o600))
	if ok, err := held.TryLock(); err != nil || !ok {
		t.Fatalf("lock: %v, %v", ok, err)
	}
	t.Cleanup(func() { _ = held.Unlock() }) // keeps the lock reachable: it is released when it is garbage-collected
	owner, err := json.Marshal(distill.Owner{PID: os.Getpid(), Run: "sync-20260301-142305-1a2b3c", Does: "sync",
		Since: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, owner, 0o600); err != nil {
		t.Fatal(err)
	}
	code, said := syncs(dir)
	if code != 4 || !strings.Contains(said, "sync-20260301-142305-1a2b3c") ||
		!strings.Contains(said, fmt.Sprint(os.Getpid())) || !strings.Contains(said, "--ignore-lock") {
		t.Errorf("a held lock: exit %d\n%s", code, said)
	}
	if code, said := syncs(dir, "--ignore-lock"); code != 0 || !strings.Contains(said, "1 learning added") {
		t.Errorf("--ignore-lock: exit %d\n%s", code, said)
	}
}

func TestASyncThatCannotWriteOneProjectIsPartlyDone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for project, rule := range map[string]string{"11shop": "from now on run the linter before you commit anything",
		"22farm": "from now on never push to main directly, always open a merge request"} {
		taught(t, filepath.Dir(dir), project, rule)
	}
	stopAtEnd(t, dir)
	if code, said := syncs(dir, "--no-extract"); code != 0 {
		t.Fatalf("%d\n%s", code, said)
	}
	broken := filepath.Join(dir, "projects", "1", "memory")
	if err := os.MkdirAll(filepath.Dir(broken), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(broken, []byte("not a directory"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, said := syncs(dir)
	if code != 3 || !strings.Contains(said, "1 learning added") {
		t.Errorf("exit %d\n%s", code, said)
	}
}

// TestADryRunMakesNoHomeAndStartsNoDaemon checks that not even the directory exists afterwards.
func TestADryRunMakesNoHomeAndStartsNoDaemon(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	taught(t, filepath.Dir(dir), "11shop", "from now on run the linter before you commit anything")
	stopAtEnd(t, dir)
	code, said := syncs(dir, "--dry-run")
	if code != 0 || !strings.Contains(said, "1 would be read, 1 would be searched") {
		t.Fatalf("%d: %s", code, said)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the data directory: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(dir), "mum-dry-run-*"))
	if err != nil || len(left) != 0 {
		t.Errorf("copies are left: %v, %v", left, err)
	}
}
