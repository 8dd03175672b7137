package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"keepmum/safefile"
)

// A pipe with the name of a backup is not opened, because it would never answer, and is not counted as a backup. A
// link to a backup is one.
func TestWhatIsNoRegularFileIsNoBackup(t *testing.T) {
	db, dir := openTest(t), t.TempDir()
	put(t, db, "p", "s", "kept walrus")
	made, err := db.Backup(t.Context(), dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(dir, "memory-000009-20260301-120000.db")
	folder := filepath.Join(dir, "memory-000008-20260301-120000.db")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.Mkdir(folder, 0o700)); err != nil {
		t.Fatal(err)
	}
	if all, err := Backups(dir); err != nil || !slices.Equal(all, []string{made.Path}) {
		t.Errorf("backups: %v, %v", all, err)
	}
	if all, err := NoBackups(dir); err != nil || !slices.Equal(all, []string{pipe, folder}) {
		t.Errorf("no backups: %v, %v", all, err)
	}
	if good, err := GoodBackup(t.Context(), dir); err != nil || good != made.Path {
		t.Errorf("good: %q, %v", good, err)
	}
	if _, err := VerifyBackup(t.Context(), pipe); !errors.Is(err, safefile.ErrNotRegular) {
		t.Errorf("verify: %v", err)
	}
	next, err := db.Backup(t.Context(), dir, 1)
	if err != nil || backupNumber(next.Path) != 10 {
		t.Errorf("next: %+v, %v", next, err)
	}
	elsewhere := filepath.Join(t.TempDir(), "moved.db")
	if err := errors.Join(os.Rename(next.Path, elsewhere), os.Symlink(elsewhere, next.Path)); err != nil {
		t.Fatal(err)
	}
	if all, err := Backups(dir); err != nil || !slices.Equal(all, []string{next.Path}) {
		t.Errorf("behind a link: %v, %v", all, err)
	}
}
