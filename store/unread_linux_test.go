package store

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
)

// One file that cannot be read must not hide what the others contain, and is named.
func TestASearchInFilesNamesWhatItCannotRead(t *testing.T) {
	dir := t.TempDir()
	closed, holds := filepath.Join(dir, "a", "closed.md"), filepath.Join(dir, "b.md")
	if err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Mkdir(filepath.Dir(closed), 0o755),
		os.WriteFile(closed, []byte("wombat"), 0o600), os.Chmod(closed, 0),
		os.WriteFile(holds, []byte("the wombat"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 { // permissions do not bind root
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = syscall.Setfsuid(0) }()
	}
	got, err := FindBytes(dir, "wombat")
	if err != nil || got.Files != 1 || !slices.Equal(got.Found, []string{holds}) ||
		!slices.Equal(got.Unread, []string{closed}) {
		t.Errorf("got %+v, %v", got, err)
	}
}
