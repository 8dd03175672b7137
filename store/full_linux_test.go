package store_test

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"keepmum/store"
)

func TestAFullDiskAtTheFirstStartIsReportedClearly(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=300k"); err != nil {
		t.Skipf("no small disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	_, err := store.Open(t.Context(), store.Options{Path: filepath.Join(dir, "memory.db"), Key: []byte("key")})
	if !errors.Is(err, store.ErrFull) || strings.Contains(err.Error(), "sql") {
		t.Errorf("%v", err)
	}
}
