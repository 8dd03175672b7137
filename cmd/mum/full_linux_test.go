package main

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"keepmum/api"
	"keepmum/home"
	"keepmum/spool"
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

// walrusOn mounts a disk of a size, starts a daemon with its data on it and stores an entry.
func walrusOn(t *testing.T, size string) (disk, dir string) {
	t.Helper()
	disk = t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	dir = filepath.Join(disk, "data")
	must(t, dir, "up")
	stopAtEnd(t, dir)
	if err := observe(t, dir, "make walrus"); err != nil {
		t.Fatal(err)
	}
	return disk, dir
}

// A daemon that starts on a full disk finds what is stored, whether or not SQLite's own files are next to the database,
// and stores again when there is room.
func TestAFullDiskIsSearched(t *testing.T) {
	for _, beside := range []bool{true, false} {
		disk, dir := walrusOn(t, "12m")
		must(t, dir, "down")
		for _, end := range []string{"-wal", "-shm"} {
			if beside {
				continue
			}
			if err := os.Remove(filepath.Join(dir, "memory.db"+end)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
		filled := fill(t, disk)
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
		if err := os.Remove(filled); err != nil {
			t.Fatal(err)
		}
		must(t, dir, "restart") // it would on its own, in a few seconds
		if err := observe(t, dir, "make penguin"); err != nil {
			t.Error(err)
		}
	}
}

// fill uses up all free space on a disk.
func fill(t *testing.T, disk string) (path string) {
	t.Helper()
	f, err := os.Create(filepath.Join(disk, "fill"))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// What a full disk costs is counted, both by hooks that have an event and for those that do not.
func TestWhatAFullDiskCostsIsCounted(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=12m"); err != nil {
		t.Skipf("no small disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	dir := filepath.Join(disk, "data")
	must(t, dir, "up")
	stopAtEnd(t, dir)
	fill(t, disk)
	large := strings.Replace(toolPayload(1), "done", strings.Repeat("a line of output\\n", 20_000), 1)
	silentHook(t, dir, "claude", large)
	if s := status(t, dir); s.Lost != 1 {
		t.Errorf("status says that %d are lost", s.Lost)
	}
	if _, err := api.NewClient(dir, "").Send(t.Context(), http.MethodPost, "/hooks/claude",
		strings.NewReader(strings.ReplaceAll(large, "t1", "t2"))); err == nil {
		t.Error("a full disk took an event")
	}
	if out := must(t, dir, "status"); !strings.Contains(out, "  lost      2 events, the last ") {
		t.Errorf("status:\n%s", out)
	}
	if out, err := combined(dir, "doctor"); err == nil ||
		!strings.Contains(out, "2 events were lost") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
}

// Doctor names a spool that accepts nothing, with a daemon and without one.
func TestASpoolThatCannotBeUsedIsNamed(t *testing.T) {
	dir := home.Dir(filepath.Join(t.TempDir(), "data"))
	write(t, under(t, dir.Spool()), "a file")
	silentHook(t, string(dir), "claude", toolPayload(1))
	if n, _ := spool.Dir(dir.Spool()).Drops(); n != 1 {
		t.Errorf("%d lost", n)
	}
	doctor := func() {
		if out, err := combined(string(dir), "doctor"); err == nil ||
			strings.Count(out, "/spool is not a directory; events that come while no daemon answers are lost") != 1 {
			t.Errorf("doctor: %v\n%s", err, out)
		}
	}
	stopAtEnd(t, string(dir))
	must(t, string(dir), "up")
	if s := status(t, string(dir)); s.OK ||
		!slices.ContainsFunc(s.Problems,
			func(p string) bool { return strings.Contains(p, dir.Spool()+" is not a directory") }) {
		t.Errorf("status says %v", s.Problems)
	}
	doctor()
	must(t, string(dir), "down")
	doctor()
}
