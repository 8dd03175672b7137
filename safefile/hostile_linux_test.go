package safefile_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"keepmum/safefile"
)

// What is no file is refused before anything of it is read: a pipe without a
// writer would never answer, a device has no end.
func TestAPipeOrADeviceIsRefused(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"zero": "/dev/zero", "toPipe": pipe} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"pipe", "zero", "toPipe"} {
		if _, err := safefile.Read(filepath.Join(dir, name), limit); !errors.Is(err, safefile.ErrNotRegular) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := safefile.ReadBelow(dir, "pipe", limit); !errors.Is(err, safefile.ErrNotRegular) {
		t.Errorf("the pipe below a root: %v", err)
	}
}
