package main

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"keepmum/api"
	"keepmum/home"
	"keepmum/longtest"
	"keepmum/store"
)

// flipped lists the files of a data directory in which bits are flipped.
var flipped = []struct {
	name string
	find func(dir home.Dir) string
}{
	{"database", home.Dir.Database},
	{"log of the database", func(d home.Dir) string { return d.Database() + "-wal" }},
	{"token", home.Dir.Token},
	{"key", home.Dir.HMACKey},
	{"header for curl", home.Dir.CurlHeader},
	{"settings", func(d home.Dir) string { return filepath.Join(string(d), "config.toml") }},
	{"spooled event", func(d home.Dir) string { return oneOf(d.Spool(), "*.json") }},
	{"journal of a restore", func(d home.Dir) string { return store.RestoreJournal(d.Database()) }},
	{"backup", func(d home.Dir) string { return oneOf(d.Backups(), "*.db") }},
}

func oneOf(dir, pattern string) string {
	found, _ := filepath.Glob(filepath.Join(dir, pattern))
	if len(found) == 0 {
		return ""
	}
	return found[0]
}

// TestFlippedBitsAreSurvived flips bits in every kind of file: no command crashes, hooks stay silent, a failed start
// names what it cannot read, and if nothing can be written, health and doctor say so.
func TestFlippedBitsAreSurvived(t *testing.T) {
	longtest.Only(t)
	whole := damageable(t)
	for _, kind := range flipped {
		t.Run(kind.name, func(t *testing.T) {
			r := longtest.Chance(t)
			for range longtest.Rounds(1, 8) {
				flipRound(t, r, whole, kind.find)
			}
		})
	}
}

// damageable returns a data directory with a file of every kind, as a daemon leaves it if it is killed while an event
// waits in the spool.
func damageable(t *testing.T) home.Dir {
	t.Helper()
	dir := upWith(t, "make walrus", "make penguin")
	must(t, dir, "backup")
	if err := observe(t, dir, "make bandicoot"); err != nil {
		t.Fatal(err)
	}
	must(t, dir, "search", "--all", "bandicoot")
	pid := status(t, dir).PID
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(pid, syscall.SIGKILL) }() // otherwise a client at its port waits
	if out, err := hook(dir, "said in the dark").CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("hook: %v\n%s", err, out)
	}
	d := home.Dir(filepath.Join(t.TempDir(), "data"))
	copyFiles(t, dir, string(d))
	write(t, filepath.Join(string(d), "config.toml"), "[privacy]\nmode = \"safe\"\n\n[capture]\nenabled = true\n")
	write(t, store.RestoreJournal(d.Database()),
		`[{"to":"memory.db.none","aside":"memory.db.aside"},{"from":"memory.db.absent","to":"memory.db.none"}]`)
	for _, kind := range flipped {
		if path := kind.find(d); !exists(path) {
			t.Fatalf("there is no %s at %q", kind.name, path)
		}
	}
	return d
}

func flipRound(t *testing.T, r *rand.Rand, whole home.Dir, find func(home.Dir) string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	copyFiles(t, string(whole), dir)
	t.Cleanup(func() {
		_ = mum(dir, "doctor", "--fix").Run() // with a damaged token nobody can stop it
		_ = mum(dir, "down").Run()
	})
	path := find(home.Dir(dir))
	places := flip(t, r, path)
	if out, err := hook(dir, "said after the damage").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%s at %v: a hook ended with %v and said %s", path, places, err, out)
	}
	if said, code := calm(t, dir, "up"); code != 0 {
		if !strings.Contains(said, filepath.Base(path)) {
			t.Errorf("%s at %v: the start fails without its name: %s", path, places, said)
		}
		if said, code := calm(t, dir, "doctor"); code == 0 {
			t.Errorf("%s at %v: no daemon starts, and doctor finds nothing:\n%s", path, places, said)
		}
		return
	}
	failed := 0
	for range 3 {
		if observe(t, dir, "make capybara") != nil {
			failed++
		}
	}
	var h api.Health
	if err := api.NewClient(dir, "").Get(t.Context(), "/health", nil, &h); failed == 3 && err == nil && h.OK {
		t.Errorf("%s at %v: nothing can be written, and health is well", path, places)
	}
	for _, args := range [][]string{{"search", "--all", "walrus"}, {"status"}, {"backup"}} {
		calm(t, dir, args...)
	}
	if said, code := calm(t, dir, "doctor"); failed == 3 && code == 0 {
		t.Errorf("%s at %v: nothing can be written, and doctor is content:\n%s", path, places, said)
	}
	calm(t, dir, "doctor", "--fix")
	calm(t, dir, "down")
	calm(t, dir, "restore", "--yes")
}

// flip flips one to eight bits of a file, and returns where.
func flip(t *testing.T, r *rand.Rand, path string) (places []int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 1 + r.IntN(8) {
		at := r.IntN(len(data) * 8)
		data[at/8] ^= 1 << (at % 8)
		places = append(places, at)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return places
}

// calm runs a command that may fail, but must not crash.
func calm(t *testing.T, dir string, args ...string) (said string, code int) {
	t.Helper()
	_ = os.Remove(home.Dir(dir).StartLock()) // otherwise a start that just failed delays the next up by 5 s
	out, err := mum(dir, args...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		t.Fatal(err)
	}
	if code < 0 || bytes.Contains(out, []byte("panic:")) || bytes.Contains(out, []byte("goroutine ")) {
		t.Errorf("mum %s crashed: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), code
}

// copyFiles copies the regular files of a data directory.
func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, strings.TrimPrefix(path, from))
		switch {
		case e.IsDir():
			return os.Mkdir(target, 0o700)
		case !e.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}
