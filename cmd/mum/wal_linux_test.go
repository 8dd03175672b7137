package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"keepmum/api"
	"keepmum/await"
	"keepmum/home"
	"keepmum/longtest"
	"keepmum/store"
)

// A flipped bit in the write-ahead log destroys what comes after it, and the next start says so until the user settles
// it, also if it starts with a copy of the directory, or with one without the log. For a whole log it says nothing.
func TestADamagedLogIsNamed(t *testing.T) {
	for i, c := range []struct{ damaged, copied, left bool }{{}, {damaged: true}, {copied: true},
		{damaged: true, copied: true}, {copied: true, left: true}} {
		if !longtest.Every(3, i) {
			continue
		}
		dir := filepath.Join(t.TempDir(), "data")
		must(t, dir, "up")
		stopAtEnd(t, dir)
		for range 3 {
			if err := observe(t, dir, "make walrus"); err != nil {
				t.Fatal(err)
			}
		}
		must(t, dir, "search", "--all", "walrus") // also writes what is derived
		awaitMark(t, dir, 3)
		pid := status(t, dir).PID
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		await.True(t, "the end of the daemon", func() bool { return syscall.Kill(pid, 0) != nil })
		if c.copied {
			there := filepath.Join(t.TempDir(), "data")
			if out, err := exec.Command("cp", "-a", dir, there).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			dir = there
			stopAtEnd(t, dir)
		}
		log := filepath.Join(dir, "memory.db-wal")
		if c.damaged {
			flipIn(t, log, 32+24+100) // its header, a frame's header, and then a page
		}
		if c.left {
			if err := os.Remove(log); err != nil {
				t.Fatal(err)
			}
		}
		must(t, dir, "up")
		named := slices.ContainsFunc(
			status(t, dir).Problems,
			func(p string) bool { return strings.HasPrefix(p, api.LogDamaged) },
		)
		out, _ := combined(dir, "doctor")
		lost := c.damaged || c.left
		// It names as many events as only the log had: one may be in the database by then.
		if named != lost || strings.Contains(out, api.LogDamaged) != lost ||
			lost && !strings.Contains(out, " at least") {
			t.Errorf("%+v, named: %v\n%s", c, named, out)
		}
		must(t, dir, "doctor", "--fix")
		if s := status(t, dir); !s.OK {
			t.Errorf("it is settled, and status says %v", s.Problems)
		}
	}
}

// A log that is cut off while a daemon runs leaves nothing that can be read, and the user is told what it is and what
// helps. Then that helps, and what is lost is named.
func TestALogThatIsCutOffUnderARunningDaemonIsNamed(t *testing.T) {
	longtest.Only(t)
	dir := upWith(t, "make walrus", "make zebra")
	must(t, dir, "search", "--all", "walrus") // also writes what is derived
	awaitMark(t, dir, 2)
	if err := os.Truncate(filepath.Join(dir, "memory.db-wal"), 100); err != nil {
		t.Fatal(err)
	}
	s := status(t, dir)
	if s.OK || len(s.Problems) != 1 || !strings.HasPrefix(s.Problems[0], api.DatabaseDamaged) ||
		!strings.HasSuffix(s.Problems[0], "changed its log (memory.db-wal) while it was open; nothing is stored: "+
			api.DamagedNext) {
		t.Errorf("status says %q", s.Problems)
	}
	shown := must(t, dir, "status")
	if !strings.Contains(shown, "PROBLEM   "+api.DatabaseDamaged) || strings.Contains(shown, "nothing left") {
		t.Errorf("status prints\n%s", shown)
	}
	out, err := combined(dir, "search", "--all", "walrus")
	if err != nil && // else what it needed was in memory
		(!strings.Contains(out, api.DatabaseDamaged) || !strings.Contains(out, "hint: "+api.DamagedNext)) {
		t.Errorf("search says %s", out)
	}
	for _, ask := range [][]string{{"doctor"}, {"doctor", "--fix"}} { // while the daemon runs, nothing is repaired
		out, err := combined(dir, ask...)
		if err == nil || !strings.Contains(out, "FAIL  database") || strings.Count(out, "→ "+api.DamagedNext) != 2 ||
			strings.Count(out, api.DamagedNext) != 2 {
			t.Errorf("%v: %v\n%s", ask, err, out)
		}
	}
	must(t, dir, "down")
	_, _ = combined(dir, "doctor", "--fix") // it also starts the daemon, and may say so with a failure
	must(t, dir, "up")
	if s := status(t, dir); len(s.Problems) != 1 || !strings.HasPrefix(s.Problems[0], api.LogDamaged) {
		t.Errorf("afterwards status says %q", s.Problems)
	}
}

// A restore loses nothing but what it says, and a database put back has documents of its own.
func TestAnOlderDatabaseIsNamedUnlessItWasRestored(t *testing.T) {
	for _, restored := range []bool{false, true} {
		dir := upWith(t, "make walrus")
		must(t, dir, "backup")
		if err := observe(t, dir, "make zebra"); err != nil {
			t.Fatal(err)
		}
		must(t, dir, "down")
		all, err := store.Backups(home.Dir(dir).Backups())
		if err != nil || len(all) == 0 {
			t.Fatal(all, err)
		}
		if restored {
			must(t, dir, "restore", "--yes", all[0])
		} else if err := os.Rename(all[0], home.Dir(dir).Database()); err != nil {
			t.Fatal(err)
		}
		must(t, dir, "up")
		named := slices.ContainsFunc(status(t, dir).Problems,
			func(p string) bool { return strings.HasPrefix(p, api.LogDamaged) })
		if named == restored {
			t.Errorf("restored: %v, problems: %v", restored, status(t, dir).Problems)
		}
	}
}

// awaitMark waits until the number of the latest entry is in a file of its own.
func awaitMark(t *testing.T, dir string, last int) {
	t.Helper()
	await.True(t, "the number of the latest entry", func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "memory.db.last"))
		return err == nil && strings.HasSuffix(string(text), fmt.Sprintf(" %d\n", last))
	})
}

func flipIn(t *testing.T, path string, at int64) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 1)
	if _, err := f.ReadAt(b, at); err != nil {
		t.Fatal(err)
	}
	b[0] ^= 1
	if _, err := f.WriteAt(b, at); err != nil {
		t.Fatal(err)
	}
}
