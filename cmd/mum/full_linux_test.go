package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestADiskWithoutRoomForADatabaseIsAProblemInPlainWords(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=200k"); err != nil {
		t.Skipf("no small disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	dir := filepath.Join(disk, "data")
	for _, args := range [][]string{{"up"}, {"doctor"}} {
		out, err := mum(dir, args...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitFailure {
			t.Errorf("%v ended with %v", args, err)
		}
		if !strings.Contains(string(out), "no space left") || strings.Contains(string(out), "sql") {
			t.Errorf("%v:\n%s", args, out)
		}
	}
}

// A daemon that starts on a full disk finds what is there, whether SQLite's own files
// are beside the database or not, and stores again when there is room.
func TestAFullDiskIsSearched(t *testing.T) {
	for _, beside := range []bool{true, false} {
		disk := t.TempDir()
		if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=12m"); err != nil {
			t.Skipf("no small disk can be mounted here: %v", err)
		}
		t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
		dir := filepath.Join(disk, "data")
		must(t, dir, "up")
		stopAtEnd(t, dir)
		if err := observe(t, dir, "make walrus"); err != nil {
			t.Fatal(err)
		}
		must(t, dir, "down")
		for _, end := range []string{"-wal", "-shm"} {
			if beside {
				continue
			}
			if err := os.Remove(filepath.Join(dir, "memory.db"+end)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
		fill, err := os.Create(filepath.Join(disk, "fill"))
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = fill.Write(make([]byte, 4096))
		}
		if err := fill.Close(); err != nil {
			t.Fatal(err)
		}
		must(t, dir, "up")
		if out := must(t, dir, "search", "--all", "walrus"); !strings.Contains(out, "walrus") {
			t.Errorf("not found:\n%s", out)
		}
		for _, args := range [][]string{{"sync"}, {"doctor"}} {
			out, err := mum(dir, args...).CombinedOutput()
			if err == nil || !strings.Contains(string(out), "disk is full") && !strings.Contains(string(out), "0 KiB free") {
				t.Errorf("%v: %v\n%s", args, err, out)
			}
		}
		if err := os.Remove(fill.Name()); err != nil {
			t.Fatal(err)
		}
		must(t, dir, "restart") // it would by itself, in a few seconds
		if err := observe(t, dir, "make penguin"); err != nil {
			t.Error(err)
		}
	}
}
