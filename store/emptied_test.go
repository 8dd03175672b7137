package store

import (
	"os"
	"path/filepath"
	"testing"
)

func TestADatabaseThatWasEmptiedIsMarkedAndItsBackupsStay(t *testing.T) {
	dir := t.TempDir()
	backups := filepath.Join(dir, "backups")
	o := Options{Path: filepath.Join(dir, "memory.db"), Backups: backups, Key: []byte("key")}
	open := func() *DB {
		db, err := Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return db
	}
	copied := func(db *DB) string {
		b, err := db.Backup(t.Context(), backups, 1)
		if err != nil {
			t.Fatal(err)
		}
		return b.Path
	}
	emptied := func(want string) {
		t.Helper()
		if got, err := Emptied(t.Context(), o.Path, backups); err != nil || got != (Lost{Copy: want}) {
			t.Errorf("emptied: %+v, want %q, %v", got, want, err)
		}
	}
	db := open()
	put(t, db, "shop", "s1", "kept walrus")
	good := copied(db)
	emptied("")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(o.Path, 0); err != nil {
		t.Fatal(err)
	}
	db = open()
	emptied(good)
	put(t, db, "shop", "s1", "a penguin")
	copied(db) // keeps one
	if got, err := db.Emptied(t.Context(), backups); err != nil || got != (Lost{Copy: good}) {
		t.Errorf("emptied: %+v, %v", got, err)
	}
	if err := AcceptEmptied(t.Context(), o.Path); err != nil {
		t.Fatal(err)
	}
	emptied("")
	copied(db)
	if all, err := Backups(backups); err != nil || len(all) != 1 {
		t.Errorf("%d backups, %v", len(all), err)
	}
}

func TestABrokenCopyIsNoBackupOfAnEmptiedDatabase(t *testing.T) {
	dir := t.TempDir()
	o := Options{Path: filepath.Join(dir, "memory.db"), Backups: filepath.Join(dir, "backups"), Key: []byte("key")}
	db, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	put(t, db, "shop", "s1", "kept walrus")
	var copies []string
	for range 2 {
		b, err := db.Backup(t.Context(), o.Backups, 2)
		if err != nil {
			t.Fatal(err)
		}
		copies = append(copies, b.Path)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{copies[1], o.Path} {
		if err := os.Truncate(file, 0); err != nil {
			t.Fatal(err)
		}
	}
	if db, err = Open(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if got, err := db.Emptied(t.Context(), o.Backups); err != nil || got.Copy != copies[0] {
		t.Errorf("emptied: %+v, want %s, %v", got, copies[0], err)
	}
}
