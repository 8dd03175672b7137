package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"keepmum/store"
)

// A home directory may have brackets in its name. Its backups were not found: nothing could be restored, none was
// rotated away, and what was forgotten stayed in them.
func TestBackupsBelowADirectoryWithBracketsAreFound(t *testing.T) {
	for _, name := range []string{"[work]", "a[b", `back\slash`} {
		dir := filepath.Join(t.TempDir(), name)
		copied := filepath.Join(dir, "memory-000001-20260301-120000.db")
		if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(copied, nil, 0o600)); err != nil {
			t.Skip(err)
		}
		if all, err := store.Backups(dir); err != nil || len(all) != 1 || all[0] != copied {
			t.Errorf("in %s: %v, %v", name, all, err)
		}
		if n, err := store.RemoveBackups(dir, ""); err != nil || n != 1 {
			t.Errorf("in %s: removed %d, %v", name, n, err)
		}
	}
}
