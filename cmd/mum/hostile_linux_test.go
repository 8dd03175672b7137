package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"keepmum/await"
	"keepmum/home"
	"keepmum/longtest"
	"keepmum/spool"
)

// clones returns directories of hostile makers; each function creates the contents of one.
func clones(t *testing.T) map[string]func(dir string) {
	link := func(to, at string) {
		if err := os.Symlink(to, at); err != nil {
			t.Fatal(err)
		}
	}
	pipe := func(at string) {
		if err := syscall.Mkfifo(at, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mum := func(dir string) string { return under(t, dir, ".mum", "config.toml") }
	git := func(dir, file string) string { return under(t, dir, ".git", file) }
	return map[string]func(dir string){
		"config is a link to a device": func(dir string) { link("/dev/zero", mum(dir)) },
		"config is a pipe":             func(dir string) { pipe(mum(dir)) },
		"config is a link to a pipe":   func(dir string) { pipe(filepath.Join(dir, "p")); link("../p", mum(dir)) },
		"config is a terabyte": func(dir string) {
			if err := errTruncate(mum(dir), 1<<40); err != nil {
				t.Fatal(err)
			}
		},
		".git is a pipe":             func(dir string) { pipe(filepath.Join(dir, ".git")) },
		".git is a link to a device": func(dir string) { link("/dev/zero", filepath.Join(dir, ".git")) },
		"HEAD is a pipe":             func(dir string) { pipe(git(dir, "HEAD")) },
		"HEAD is a link to a device": func(dir string) { link("/dev/zero", git(dir, "HEAD")) },
		"git's config is a pipe": func(dir string) {
			write(t, git(dir, "HEAD"), "ref: refs/heads/main\n")
			pipe(git(dir, "config"))
		},
		"git's config is a terabyte": func(dir string) {
			write(t, git(dir, "HEAD"), "x")
			_ = errTruncate(git(dir, "config"), 1<<40)
		},
		"the common directory comes from a pipe": func(dir string) {
			write(t, git(dir, "HEAD"), "x")
			pipe(git(dir, "commondir"))
		},
	}
}

// errTruncate creates a file of a size that takes no space.
func errTruncate(path string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Truncate(size)
}

// guarded returns a hook that may use 4 GiB of addresses, and is killed if it hangs: a failure of this test must not
// take the machine down.
func guarded(t *testing.T, data, payload string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hangs)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, "sh", "-c", `ulimit -v 4000000; exec "$@"`, "sh", binary, "hook", "claude")
	cmd.Env, cmd.WaitDelay = mum(data, "hook").Env, time.Second
	cmd.Stdin = bytes.NewReader([]byte(payload))
	return cmd
}

// No clone hurts the hook or the daemon that reads it, with or without a daemon.
func TestAHostileCloneHurtsNobody(t *testing.T) {
	all := clones(t)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if !longtest.Every(4, i) {
			continue
		}
		plant := all[name]
		t.Run(name, func(t *testing.T) {
			data, repo := filepath.Join(t.TempDir(), "data"), t.TempDir()
			plant(repo)
			stopAtEnd(t, data)
			event := `{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"` + repo + `","prompt":"look around"}`
			for _, daemon := range []string{"without a daemon", "with one"} {
				out, err := guarded(t, data, event).CombinedOutput()
				if err != nil || len(out) > 0 {
					t.Fatalf("%s: %v\n%.300s", daemon, err, out)
				}
				if out, err := mum(data, "up").CombinedOutput(); err != nil {
					t.Fatalf("up: %v\n%s", err, out)
				}
			}
			if h := status(t, data); len(h.Problems) > 0 {
				t.Errorf("the daemon says %v", h.Problems)
			}
			if bad := spool.Dir(home.Dir(data).Spool()).Bad(); bad > 0 {
				t.Errorf("%d events were set aside", bad)
			}
		})
	}
}

// A stopped daemon answers nobody: the hook stores the event, complete.
func TestAStoppedDaemonCostsNoEvent(t *testing.T) {
	t.Parallel() // most of it is waiting
	data := filepath.Join(t.TempDir(), "data")
	stopAtEnd(t, data)
	if out, err := mum(data, "up").CombinedOutput(); err != nil {
		t.Fatalf("up: %v\n%s", err, out)
	}
	stopped(t, status(t, data).PID)
	out, err := guarded(t, data, string(promptPayload())).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
	if n, _ := spooled(t, home.Dir(data)); n != 1 {
		t.Errorf("%d events in the spool", n)
	}
}

// A hook does not wait for an agent that forgets to close its pipe: a complete event is stored, an incomplete one is
// counted as lost. This is the same with the small hook and without it.
func TestAHookWaitsForNoInput(t *testing.T) {
	t.Parallel() // most of it is waiting
	data, small := filepath.Join(t.TempDir(), "data"), fastHook(t)
	stopAtEnd(t, data)
	must(t, data, "up") // without a daemon the small hook becomes mum hook at once
	var all sync.WaitGroup
	for _, program := range [][]string{{binary, "hook", "claude"}, {small, "claude"}} {
		for _, payload := range []string{"", `{"hook_event_name":`, toolPayload(len(program))} {
			all.Go(func() { openEnded(t, data, program, payload) })
		}
	}
	all.Wait()
	// of each program an event that did not arrive, and an incomplete one
	if n, _ := spool.Dir(home.Dir(data).Spool()).Drops(); n != 4 {
		t.Errorf("%d events counted as lost, want 4", n)
	}
	await.True(t, "two events", func() bool { return observations(t, data) == 2 })
}

// openEnded runs a hook whose standard input sends something and stays open.
func openEnded(t *testing.T, data string, program []string, payload string) {
	t.Helper()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer out.Close()
	if _, err := out.WriteString(payload); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), hangs)
	defer cancel()
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	cmd.Env, cmd.Stdin, cmd.WaitDelay = mum(data, "hook").Env, in, time.Second
	if said, err := cmd.CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("%s: %v\n%s", program[0], err, said)
	}
}

// A config with more and slower patterns than any person writes makes no hook slow, and nothing that it meant to
// protect is stored.
func TestAThousandPatternsHoldUpNobody(t *testing.T) {
	longtest.Only(t) // a quarter of a megabyte of expressions is compiled again and again
	data, repo := filepath.Join(t.TempDir(), "data"), t.TempDir()
	stopAtEnd(t, data)
	text := ""
	for i := 0; len(text) < 250<<10; i++ { // a larger one is not even read
		text += fmt.Sprintf("[[privacy.patterns]]\nname = \"p%d\"\nregex = \"x%d[a-z]{100,1000}\"\n", i, i)
	}
	write(t, under(t, repo, ".mum", "config.toml"), text)
	event := `{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"` + repo + `","prompt":"` + sentence + `"}`
	for range 2 {
		if out, err := guarded(t, data, event).CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("%v\n%s", err, out)
		}
		if out, err := mum(data, "up").CombinedOutput(); err != nil {
			t.Fatalf("up: %v\n%s", err, out)
		}
	}
	if _, text := spooled(t, home.Dir(data)); strings.Contains(text, sentence) {
		t.Errorf("kept: %s", text)
	}
}
