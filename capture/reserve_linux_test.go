package capture_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/hooks"
)

// A session that is declared private on a full disk is private for every later process.
func TestASessionDeclaredPrivateOnAFullDiskStaysPrivate(t *testing.T) {
	home := t.TempDir()
	if err := syscall.Mount("tmpfs", home, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("no small disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(home, syscall.MNT_DETACH) })
	take := func(session, text string) string { // each time in a new process
		in, err := capture.NewIntake(capture.Options{Home: home, Config: config.Default(), Key: make([]byte, 32),
			Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		_, why := in.Take(capture.Incoming{
			Event: hooks.Event{Agent: "claude", Kind: hooks.Prompt, Session: session, Text: text}})
		return why
	}
	private := func(when string, sessions ...string) {
		t.Helper()
		for _, s := range sessions {
			if why := take(s, "what nobody may read"); why != capture.PrivateSession {
				t.Errorf("%s: session %s is captured: %q", when, s, why)
			}
		}
	}
	if err := capture.Reserve(home); err != nil {
		t.Fatal(err)
	}
	full := filepath.Join(home, "full")
	f, err := os.Create(full)
	for ; err == nil; _, err = f.Write(make([]byte, 4096)) { // until there is no room
	}
	_ = f.Close()
	take("a", "#private please")
	take("b", "#private please")
	private("on a full disk", "a", "b")
	if why := take("c", "what everybody may read"); why != "" {
		t.Errorf("another session is not captured: %s", why)
	}
	if err := os.Remove(full); err != nil {
		t.Fatal(err)
	}
	if err := capture.Reserve(home); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(capture.PrivateFile(home) + ".reserve"); err != nil {
		t.Fatal(err)
	}
	private("with room again", "a", "b")
}
