package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestABackupIsWholePrivateAndRotated(t *testing.T) {
	clock := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	db, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "memory.db"), Now: func() time.Time { return clock }})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	put(t, db, "p", "s", "the colour of the bikeshed")
	dir := filepath.Join(t.TempDir(), "backups")
	var last Backup
	for range 4 {
		clock = clock.Add(24 * time.Hour)
		if last, err = db.Backup(t.Context(), dir, 3); err != nil {
			t.Fatal(err)
		}
	}
	all, err := Backups(dir)
	if err != nil || len(all) != 3 || all[0] != last.Path || last.Docs != 1 {
		t.Errorf("got %v, last %+v, %v", all, last, err)
	}
	if st, err := os.Stat(last.Path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v", st.Mode(), err)
	}
	path := filepath.Join(t.TempDir(), "memory.db")
	if err := os.WriteFile(path, []byte("damaged beyond use"), 0o600); err != nil {
		t.Fatal(err)
	}
	aside, err := Restore(t.Context(), last.Path, path)
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile(aside); err != nil || string(kept) != "damaged beyond use" {
		t.Errorf("the bad file was not kept: %q, %v", kept, err)
	}
	again, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if res := search(t, again, Query{Text: "bikeshed"}); len(res.Hits) != 1 {
		t.Errorf("got %+v", res)
	}
	put(t, again, "p", "s", "it can be written to")
}

func TestADamagedBackupIsRefused(t *testing.T) {
	db := openTest(t)
	for range 200 {
		put(t, db, "p", "s", "some words to fill pages with, and some more of them to be sure")
	}
	b, err := db.Backup(t.Context(), t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(b.Path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(make([]byte, 64<<10), 16<<10); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), b.Path, filepath.Join(t.TempDir(), "memory.db")); !errors.Is(err, ErrCorrupt) {
		t.Errorf("got %v", err)
	}
}
