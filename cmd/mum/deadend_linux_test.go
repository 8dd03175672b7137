package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/home"
	"keepmum/longtest"
)

// The command that doctor names must help, so it names the process that mum itself cannot end.
func TestDoctorNamesTheProcessThatMumCannotEnd(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, dir home.Dir, pid int){
		"no socket and no port": func(t *testing.T, dir home.Dir, _ int) {
			for _, path := range []string{dir.Socket(), dir.Port()} {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			must(t, data, "up")
			pid := killAtEnd(t, data)
			spoil(t, home.Dir(data), pid)
			out, err := mum(data, "doctor").CombinedOutput()
			if want := fmt.Sprintf("kill -9 %d; mum up", pid); err == nil || !strings.Contains(string(out), want) {
				t.Errorf("doctor does not say %q: %v\n%s", want, err, out)
			}
		})
	}
}

// A typing error in the settings must neither lose events nor keep a daemon running.
func TestATypingErrorInTheSettingsLosesNothing(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	must(t, data, "up")
	write(t, filepath.Join(data, "config.toml"), "x = [\n")
	must(t, data, "down")
	if out, err := guarded(t, data, string(promptPayload())).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("hook: %v\n%s", err, out)
	}
	if n, text := spooled(t, home.Dir(data)); n != 1 || strings.Contains(text, sentence) {
		t.Errorf("%d events wait: %s", n, text)
	}
}

// A running daemon has the settings of its start: it takes the event whole.
func TestATypingErrorInTheSettingsCostsARunningDaemonNoText(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	must(t, data, "up")
	killAtEnd(t, data)
	write(t, filepath.Join(data, "config.toml"), "x = [\n")
	if out, err := guarded(t, data, string(promptPayload())).CombinedOutput(); err != nil {
		t.Errorf("hook: %v\n%s", err, out)
	}
	if err := os.Remove(filepath.Join(data, "config.toml")); err != nil {
		t.Fatal(err)
	}
	if out, err := mum(data, "export").CombinedOutput(); err != nil || !strings.Contains(string(out), sentence) {
		t.Errorf("export: %v\n%s", err, out)
	}
}

func TestATypingErrorInTheSettingsKeepsWhatARunningDaemonHasReadable(t *testing.T) {
	longtest.Only(t)
	data := filepath.Join(t.TempDir(), "data")
	must(t, data, "up")
	killAtEnd(t, data)
	write(t, filepath.Join(data, "config.toml"), "[context]\nbudget_tokens = \"many\"\n")
	for _, args := range [][]string{{"status"}, {"search", "walrus"}, {"memory", "list"}, {"sync", "--dry-run"}} {
		var out, errs bytes.Buffer
		cmd := mum(data, args...)
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil || out.Len() == 0 || !strings.Contains(errs.String(), goesOn) {
			t.Errorf("mum %s: %v\n%s%s", args, err, &out, &errs)
		}
	}
	out, err := mum(data, "doctor").CombinedOutput()
	if said := string(out); err == nil || !strings.Contains(said, "FAIL  config") || !strings.Contains(said, goesOn) ||
		!strings.Contains(said, "ok    daemon") || strings.Contains(said, "mum restart") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	must(t, data, "down")
	out, err = mum(data, "status").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "budget_tokens") || strings.Contains(string(out), goesOn) {
		t.Errorf("without a daemon: %v\n%s", err, out)
	}
	out, err = mum(data, "doctor").CombinedOutput()
	if err == nil || !strings.Contains(string(out), whileBroken) || strings.Contains(string(out), "  daemon") {
		t.Errorf("doctor without a daemon: %v\n%s", err, out)
	}
}

// If someone removes the lock of a running daemon, no second daemon may start.
func TestADaemonWhoseLockWasRemovedStaysTheOnlyOne(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	must(t, data, "up")
	pid := killAtEnd(t, data)
	if err := os.Remove(home.Dir(data).Lock()); err != nil {
		t.Fatal(err)
	}
	if out, err := mum(data, "serve", "--port", "0").CombinedOutput(); err == nil {
		t.Errorf("a second daemon ran: %s", out)
	}
	if now := status(t, data).PID; now != pid {
		t.Errorf("process %d answers, not %d", now, pid)
	}
	if out := must(t, data, "down"); !strings.Contains(out, "mum has stopped") {
		t.Errorf("down: %s", out)
	}
}

// killAtEnd returns the process id of a daemon that can no longer be asked to stop, and kills it after the test.
func killAtEnd(t *testing.T, data string) int {
	t.Helper()
	pid := status(t, data).PID
	t.Cleanup(func() {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	})
	return pid
}

// A daemon that does not accept our token is ended as the system ends a program.
func TestADaemonWithAnotherTokenIsStopped(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	must(t, data, "up")
	stopAtEnd(t, data)
	write(t, home.Dir(data).Token(), strings.Repeat("ab", 32)+"\n")
	out, err := mum(data, "doctor").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "mum restart") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	must(t, data, "restart")
	must(t, data, "status")
}
