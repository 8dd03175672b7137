package main

import (
	"os"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/home"
)

// A database that is taken away under a daemon is named, and no event is lost.
func TestADatabaseTakenAwayUnderADaemonLosesNoEvent(t *testing.T) {
	dir := upWith(t, "make walrus")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(home.Dir(dir).Database() + suffix); err != nil {
			t.Skipf("an open file stays where it is here: %v", err) // Windows
		}
	}
	if err := observe(t, dir, "make penguin"); err == nil || !strings.Contains(err.Error(), "mum restart") {
		t.Errorf("observe: %v", err)
	}
	if out, err := hook(dir, "said after the database went").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("hook: %v\n%s", err, out)
	}
	var h api.Health
	if err := api.NewClient(dir, "").Get(t.Context(), "/health", nil, &h); err != nil || h.OK {
		t.Errorf("health: %+v, %v", h, err)
	}
	if out, err := mum(dir, "doctor").CombinedOutput(); err == nil || !strings.Contains(string(out), "moved or replaced while the daemon ran") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	must(t, dir, "restart")
	awaitSpool(t, dir)
	if out := must(t, dir, "search", "--all", "database went"); !strings.Contains(out, "said after the database") {
		t.Errorf("the event was lost:\n%s", out)
	}
}
