package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestADiskWithoutRoomForADatabaseIsAProblemInPlainWords(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=600k"); err != nil {
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
