package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"keepmum/api"
	"keepmum/await"
)

// A daemon whose socket, port file and lock were removed listens again and stays the only one.
func TestARemovedSocketIsMadeAgain(t *testing.T) {
	r := startRig(t, t.TempDir())
	port, err := os.ReadFile(r.home.Port())
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{r.home.Lock(), r.home.Port(), r.home.Socket()} {
		if err := os.Remove(path); err != nil {
			t.Skipf("an open file stays where it is here: %v", err) // Windows
		}
	}
	r.http.CloseIdleConnections()
	r.waitUp(t)
	if again, err := os.ReadFile(r.home.Port()); err != nil || string(again) != string(port) {
		t.Errorf("the port file contains %q, was %q, %v", again, port, err)
	}
	if lock, err := own(t.Context(), r.home); !errors.Is(err, ErrRunning) {
		t.Errorf("somebody else could take the lock: %v, %v", lock, err)
	}
	r.end(t)
	for _, path := range []string{r.home.Port(), r.home.Socket()} {
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is there after the end: %v", path, err)
		}
	}
}

// A daemon whose directory was moved ends by itself, and its end leaves the files of the daemon that followed.
func TestADaemonWhoseDirectoryWasMovedLeavesItsPlace(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "data")
	old := startRig(t, dir)
	old.http.CloseIdleConnections()
	if err := os.Rename(dir, filepath.Join(parent, "moved")); err != nil {
		t.Skipf("an open file stays where it is here: %v", err) // Windows
	}
	next := startRig(t, dir)
	await.True(t, "the end of the old daemon", func() bool { return len(old.done) > 0 })
	old.end(t)
	next.http.CloseIdleConnections()
	if s := into[api.Status](t, next.ask(t, "GET", "/status", "")); s.Socket != next.home.Socket() {
		t.Errorf("socket %q", s.Socket)
	}
	if _, err := os.ReadFile(next.home.Port()); err != nil {
		t.Error(err)
	}
}

// A daemon that is stopped before it has noticed removes no file that is not its own.
func TestTheEndOfADaemonRemovesNoFileOfAnother(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "data")
	old := startRig(t, dir)
	old.http.CloseIdleConnections()
	if err := os.Rename(dir, filepath.Join(parent, "moved")); err != nil {
		t.Skipf("an open file stays where it is here: %v", err) // Windows
	}
	next := startRig(t, dir)
	old.end(t)
	next.http.CloseIdleConnections()
	if resp := next.ask(t, "GET", "/status", ""); resp.status != 200 {
		t.Errorf("status %d: %s", resp.status, resp.body)
	}
	if _, err := os.ReadFile(next.home.Port()); err != nil {
		t.Error(err)
	}
}
