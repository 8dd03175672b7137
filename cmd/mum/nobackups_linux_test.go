package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"keepmum/home"
	"keepmum/longtest"
)

// A pipe with the name of the newest backup is named, and the backup before it is restored.
func TestAPipeAmongTheBackupsIsSkippedByName(t *testing.T) {
	longtest.Only(t)
	dir := upWith(t, "make walrus")
	must(t, dir, "backup")
	must(t, dir, "down")
	data := home.Dir(dir)
	pipe := filepath.Join(data.Backups(), "memory-000009-20260301-120000.db")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"restore", "--yes"}, {"doctor", "--fix"}} {
		if args[0] == "doctor" {
			if err := os.WriteFile(data.Database(), []byte("damaged beyond use"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out, err := combined(dir, args...)
		if err != nil || !strings.Contains(out, filepath.Base(pipe)) {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
		if args[0] == "restore" {
			must(t, dir, "up")
		}
		if found := must(t, dir, "search", "--all", "walrus"); !strings.Contains(found, "walrus") {
			t.Errorf("after %v: %s", args, found)
		}
		must(t, dir, "down")
	}
	if out, err := mum(dir, "restore", pipe, "--yes").CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "not a regular file") {
		t.Errorf("a pipe by its name: %v\n%s", err, out)
	}
}
