package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"keepmum/api"
	"keepmum/await"
)

// A flipped bit in the write-ahead log destroys what comes after it, and the next start says so until the user settles
// it. For an undamaged log it says nothing.
func TestADamagedLogIsNamed(t *testing.T) {
	for _, damaged := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "data")
		must(t, dir, "up")
		stopAtEnd(t, dir)
		for range 3 {
			if err := observe(t, dir, "make walrus"); err != nil {
				t.Fatal(err)
			}
		}
		must(t, dir, "search", "--all", "walrus") // also writes what is derived
		await.True(t, "the number of the latest entry", func() bool {
			text, err := os.ReadFile(filepath.Join(dir, "memory.db.last"))
			return err == nil && strings.HasSuffix(string(text), " 3\n")
		})
		pid := status(t, dir).PID
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		await.True(t, "the end of the daemon", func() bool { return syscall.Kill(pid, 0) != nil })
		if damaged {
			flipIn(t, filepath.Join(dir, "memory.db-wal"), 32+24+100) // its header, a frame's header, and then a page
		}
		must(t, dir, "up")
		named := slices.ContainsFunc(
			status(t, dir).Problems,
			func(p string) bool { return strings.HasPrefix(p, api.LogDamaged) },
		)
		out, _ := mum(dir, "doctor").CombinedOutput()
		// It names as many events as only the log had: one may be in the database by then.
		if named != damaged || strings.Contains(string(out), api.LogDamaged) != damaged ||
			damaged && !strings.Contains(string(out), " at least") {
			t.Errorf("damaged: %v, named: %v\n%s", damaged, named, out)
		}
		must(t, dir, "doctor", "--fix")
		if s := status(t, dir); !s.OK {
			t.Errorf("it is settled, and status says %v", s.Problems)
		}
	}
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
