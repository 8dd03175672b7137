package safefile_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"keepmum/safefile"
)

// os.OpenRoot would wait for somebody who writes to the pipe.
func TestARootThatIsAPipeIsRefused(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := safefile.OpenRoot(pipe); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("a pipe: %v", err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".", "link"} {
		root, err := safefile.OpenRoot(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := root.Lstat("pipe"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		_ = root.Close()
	}
	if _, err := safefile.OpenRoot(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
}
