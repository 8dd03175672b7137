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
	db, err := Open(t.Context(),
		Options{Path: filepath.Join(t.TempDir(), "memory.db"), Now: func() time.Time { return clock }})
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

// A clock that was once in the future must not make its copy the newest forever.
func TestTheNewestBackupIsThatOfTheHighestNumber(t *testing.T) {
	clock := time.Date(2036, 3, 1, 12, 0, 0, 0, time.UTC)
	db, err := Open(t.Context(),
		Options{Path: filepath.Join(t.TempDir(), "memory.db"), Now: func() time.Time { return clock }})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	dir := t.TempDir()
	old := filepath.Join(dir, "memory-20400301-120000.000.db") // as named by older versions
	if err := os.WriteFile(old, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var made []string
	for range 3 {
		b, err := db.Backup(t.Context(), dir, 3)
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, b.Path)
		if _, err := os.Stat(KeyBeside(b.Path)); err != nil {
			t.Error(err)
		}
		clock = clock.AddDate(-4, 0, 0)
	}
	all, err := Backups(dir)
	if err != nil || len(all) != 3 || all[0] != made[2] || all[2] != made[0] {
		t.Errorf("got %v, %v", all, err)
	}
	if n, err := RemoveBackups(dir, ""); n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v", left)
	}
}

// The next start finishes a restore that was killed after it wrote its journal.
func TestARestoreThatWasCutShortIsFinished(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "memory.db")
	db, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	put(t, db, "p", "s", "in the backup")
	b, err := db.Backup(t.Context(), filepath.Join(dir, "backups"), 1)
	if err != nil {
		t.Fatal(err)
	}
	put(t, db, "p", "s", "after the backup")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for killed := range 3 {
		if err := os.WriteFile(path+"-wal", []byte("a log that belongs to what was there"), 0o600); err != nil {
			t.Fatal(err)
		}
		moves, err := Stage(t.Context(), b.Path, path)
		if err != nil {
			t.Fatal(err)
		}
		aside := path + ".aside" + string(rune('0'+killed))
		journal := `[{"to":"memory.db-wal","aside":"` + filepath.Base(aside) +
			`-wal"},{"from":"memory.db.restored","to":"memory.db","aside":"` + filepath.Base(aside) + `"}]`
		if err := os.WriteFile(RestoreJournal(path), []byte(journal), 0o600); err != nil {
			t.Fatal(err)
		}
		fresh := moves[len(moves)-1].From
		for _, m := range [][2]string{{path + "-wal", aside + "-wal"}, {path, aside}, {fresh, path}}[:killed+1] {
			if err := os.Rename(m[0], m[1]); err != nil {
				t.Fatal(err)
			}
		}
		if db, err = Open(t.Context(), Options{Path: path}); err != nil {
			t.Fatal(err)
		}
		if got := search(t, db, Query{Text: "backup"}); len(got.Hits) != 1 {
			t.Errorf("killed behind rename %d: %+v", killed, got.Hits)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(aside); err != nil {
			t.Errorf("killed behind rename %d: what was there is lost: %v", killed, err)
		}
	}
}
