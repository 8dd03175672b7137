package main

import (
	"os/exec"
	"strings"
	"testing"

	"keepmum/home"
)

// A daemon that cannot open enough files would take events that it cannot store.
func TestADaemonThatMayOpenTooFewFilesDoesNotStartAndNoEventIsLost(t *testing.T) {
	dir := upWith(t, "make walrus")
	must(t, dir, "down")
	few := func(args ...string) (string, error) {
		one := mum(dir, args...)
		c := exec.Command("sh", append([]string{"-c", `ulimit -n 20; exec "$@"`, "sh"}, one.Args...)...)
		c.Env, c.Stdin = one.Env, hook(dir, "a narwhal among few files").Stdin
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := few("serve"); err == nil || !strings.Contains(out, "only 20 files") ||
		!strings.Contains(out, "ulimit -n 1024") {
		t.Errorf("serve: %v\n%s", err, out)
	}
	out, err := few("up")
	if err == nil || !strings.Contains(out, "did not start: only 20 files") ||
		!strings.Contains(out, "hint: ulimit -n 1024") {
		t.Errorf("up: %v\n%s", err, out)
	}
	doctor, _ := combined(dir, "doctor")
	if said := doctor; !strings.Contains(said, "→ ulimit -n 1024") || strings.Contains(said, "mum: ") {
		t.Errorf("doctor:\n%s", said)
	}
	if out, err := few("hook", "claude"); err != nil || out != "" {
		t.Errorf("hook: %v\n%s", err, out)
	}
	if n, _ := spooled(t, home.Dir(dir)); n == 0 {
		t.Error("nothing is in the spool")
	}
	must(t, dir, "up")
	awaitSpool(t, dir)
	if out := must(t, dir, "search", "--all", "narwhal"); !strings.Contains(out, "few files") {
		t.Errorf("the event was lost:\n%s", out)
	}
}
