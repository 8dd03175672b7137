package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/await"
	"keepmum/home"
	"keepmum/longtest"
)

// killable are the long operations of a daemon. Each is started, its daemon is killed, and the same command is sent to
// the next daemon.
var killable = []struct {
	name    string
	prepare func(t *testing.T, dir string) // before the daemon starts
	args    []string
	over    string // what it says if the next start has finished it
}{
	{name: "backup", args: []string{"backup"}},
	{name: "rebuild of the index", prepare: emptyIndex, args: []string{"doctor", "--fix"}},
	{name: "import", args: []string{"import", "IMPORT"}},
	{name: "sync", args: []string{"sync", "--window", "all", "--force"}},
	{name: "forget", args: []string{"forget", "--session", "doomed", "--yes"}, over: "there is no session"},
	{name: "maintain", args: []string{"maintain"}},
}

// TestADaemonThatIsKilledAtItsWorkLosesNothing checks that acknowledged events are found after each kill, and that the
// operation ends well when it is asked for again.
func TestADaemonThatIsKilledAtItsWorkLosesNothing(t *testing.T) {
	longtest.Only(t)
	for _, op := range killable {
		t.Run(op.name, func(t *testing.T) {
			r := longtest.Chance(t)
			dir := busyHome(t)
			args := slices.Clone(op.args)
			if i := slices.Index(args, "IMPORT"); i >= 0 {
				args[i] = filepath.Join(filepath.Dir(dir), "import.jsonl")
			}
			for round := range longtest.Rounds(1, 5) {
				if op.prepare != nil {
					must(t, dir, "down")
					op.prepare(t, dir)
					must(t, dir, "up")
				}
				doom(t, dir, round)
				killDuring(t, dir, time.Duration(r.IntN(150))*time.Millisecond, args)
				must(t, dir, "up")
				// --fix reports what was wrong before
				out, code := calm(t, dir, args...)
				over := op.over != "" && strings.Contains(out, op.over)
				if code != 0 && op.prepare == nil && !over {
					t.Errorf("round %d: it ends with %d:\n%s", round, code, out)
				}
				if out := must(t, dir, "search", "--all", "doomed"); op.over != "" && strings.Contains(out, "make doomed") {
					t.Errorf("round %d: it is still there:\n%s", round, out)
				}
				for i := range kept {
					word := fmt.Sprint("walrus", i)
					if out := must(t, dir, "search", "--all", word); !strings.Contains(out, word) {
						t.Errorf("round %d: %s is not found:\n%s", round, word, out)
					}
				}
				if out, code := calm(t, dir, "doctor"); strings.Contains(out, "FAIL  database") || code > 1 {
					t.Errorf("round %d: doctor ends with %d:\n%s", round, code, out)
				}
			}
		})
	}
}

// kept is how many events are acknowledged before the first kill.
const kept = 5

func busyHome(t *testing.T) string {
	t.Helper()
	dir := upWith(t)
	for i := range 300 {
		word := "ibex"
		if i < kept {
			word = "walrus"
		}
		if err := observe(t, dir, fmt.Sprint("make ", word, i)); err != nil {
			t.Fatal(err)
		}
	}
	must(t, dir, "search", "--all", "walrus0")
	export := must(t, dir, "export")
	write(t, filepath.Join(filepath.Dir(dir), "import.jsonl"), strings.ReplaceAll(export, "ibex", "okapi"))
	for i := range 10 {
		taught(t, filepath.Dir(dir), fmt.Sprint(10+i, "shop"),
			fmt.Sprintf("from now on run the linter %d before you commit anything", i))
	}
	return dir
}

// doom writes what a forget may remove.
func doom(t *testing.T, dir string, round int) {
	t.Helper()
	for i := range 20 {
		o := api.Observe{SessionID: "doomed", ToolName: "Bash", Directory: "/home/dev/shop",
			ToolInput: map[string]any{"command": fmt.Sprintf("make doomed %d %d", round, i)}}
		if err := api.NewClient(dir, "").Post(t.Context(), "/observe", o, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// killDuring starts a command and kills the daemon that works for it.
func killDuring(t *testing.T, dir string, after time.Duration, args []string) {
	t.Helper()
	pid := status(t, dir).PID
	cmd := mum(dir, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(after, func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
	_ = cmd.Wait() // its daemon is gone, or the command was quicker
	kill.Stop()
	_ = syscall.Kill(pid, syscall.SIGKILL)
	await.True(t, "the end of the daemon", func() bool { // some commands start another
		var s api.Status
		return !owned(home.Dir(dir)) || api.NewClient(dir, "").Get(t.Context(), "/status", nil, &s) == nil && s.PID != pid
	})
}
