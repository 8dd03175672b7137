package store

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"keepmum/longtest"
)

// What changes a file in place keeps its name and its number, so that only its size and its time say so.
func TestNothingIsAcknowledgedAfterTheFileWasDamagedInPlace(t *testing.T) {
	overwrite := func(path string, at int64, size int) error {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteAt([]byte(strings.Repeat("\xa5", size)), at)
		return errors.Join(err, f.Close())
	}
	ways := map[string]func(path string) error{
		"cut off":                 func(path string) error { return os.Truncate(path, 100_000) },
		"pages overwritten":       func(path string) error { return overwrite(path, 80<<10, 480<<10) },
		"its header overwritten":  func(path string) error { return overwrite(path, 0, 4096) },
		"another file copied in":  func(path string) error { return os.WriteFile(path, make([]byte, 1<<20), 0) },
		"the log emptied":         func(path string) error { return os.Truncate(path+"-wal", 0) },
		"the log removed":         func(path string) error { return os.Remove(path + "-wal") },
		"the log's frames zeroed": func(path string) error { return overwrite(path+"-wal", 32, 300<<10) },
	}
	for i, name := range slices.Sorted(maps.Keys(ways)) {
		if !longtest.Every(3, i) {
			continue
		}
		way := ways[name]
		t.Run(name, func(t *testing.T) {
			db, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "memory.db")})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }() // it may say what is wrong
			fill(t, db, 40)
			if err := db.Health(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := way(db.Path()); err != nil {
				t.Skipf("an open file is protected here: %v", err) // Windows
			}
			taken := int64(0)
			for range 3 {
				_, err := db.PutPrompt(t.Context(), Prompt{Session: ref("shop", "s1"), Text: clean("a penguin")})
				if err == nil {
					taken++
				} else if !IsFault(err) {
					t.Error(err)
				}
			}
			if well := db.Health(t.Context()) == nil; well != (taken > 0) {
				t.Errorf("%d events were taken, and health says well: %v", taken, well)
			}
			if taken > 0 { // what was damaged was in the log, too: SQLite wrote it again
				if n := afterACrash(t, db.Path()); n != 40+taken {
					t.Errorf("%d of %d entries are there after a crash", n, 40+taken)
				}
			}
		})
	}
}

// afterACrash counts what the next start finds in the files as they are now.
func afterACrash(t *testing.T, path string) int64 {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "memory.db")
	for _, end := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + end)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied+end, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db, err := Open(t.Context(), Options{Path: copied})
	if err != nil {
		t.Error(err)
		return 0
	}
	defer func() { _ = db.Close() }() // a copy
	totals, err := db.Totals(t.Context())
	if err != nil {
		t.Error(err)
	}
	return totals.Prompts
}

// fill stores texts that need many pages, part of them in the file and part in the log.
func fill(t *testing.T, db *DB, n int) {
	t.Helper()
	for i := range n {
		text := fmt.Sprintf("walrus %d %s", i, strings.Repeat(fmt.Sprintf("word%d ", i), 4000))
		if _, err := db.PutPrompt(t.Context(), Prompt{Session: ref("shop", "s1"), Text: clean(text)}); err != nil {
			t.Fatal(err)
		}
		if i == n/2 {
			if _, err := db.Search(t.Context(), Query{Text: "walrus", Project: "shop"}); err != nil {
				t.Fatal(err)
			}
			if err := db.Checkpoint(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Another program may read the database, or finish what is in the log.
func TestAHarmlessChangeIsNoDamage(t *testing.T) {
	db := openTest(t)
	fill(t, db, 10)
	if err := AcceptLostLog(t.Context(), db.Path()); err != nil {
		t.Fatal(err)
	}
	if err := withFile(db.Path(), "mode=rw", func(c *sqlx.DB) error {
		_, err := c.Exec("PRAGMA wal_checkpoint(PASSIVE)")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := db.Health(t.Context()); err != nil {
		t.Errorf("health: %v", err)
	}
	fill(t, db, 2)
}

// What this process does itself, and what others only read, is no reason to read the whole database. A write of another
// program is one, once.
func TestOnlyAChangeOfAnotherProgramIsAReasonToReadEverything(t *testing.T) {
	var log bytes.Buffer
	dir := t.TempDir()
	db, err := Open(t.Context(), Options{Path: filepath.Join(dir, "memory.db"),
		Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // a test fails before
	fill(t, db, 10)
	ctx := t.Context()
	for _, does := range []struct {
		name   string
		checks int
		do     func() error
	}{
		{"checkpoint", 0, func() error { return db.Checkpoint(ctx) }},
		{"backup", 0, func() error { _, err := db.Backup(ctx, filepath.Join(dir, "backups"), 2); return err }},
		{"check", 0, func() error { _, err := db.Check(ctx, true); return err }},
		{"merge", 0, func() error { _, err := db.Merge(ctx); return err }},
		{"rebuild", 0, func() error { return db.Rebuild(ctx, nil) }},
		{"pages", 0, func() error { return db.VerifyPages(ctx) }},
		{"old inputs", 0, func() error { _, err := db.DropRaw(ctx, time.Now()); return err }},
		{"forget", 0, func() error {
			plan, err := db.PlanForget(ctx, Selection{Project: "shop"})
			return errors.Join(err, db.Forget(ctx, plan))
		}},
		{"another reader", 0, func() error {
			return withFile(db.Path(), "mode=ro", func(c *sqlx.DB) error {
				var n int
				return c.Get(&n, "SELECT count(*) FROM docs")
			})
		}},
		{"another writer", 1, func() error {
			return withFile(db.Path(), "mode=rw", func(c *sqlx.DB) error {
				_, err := c.Exec("INSERT INTO meta (key, value) VALUES ('theirs', '1')")
				return err
			})
		}},
		{"and again, within a minute", 0, func() error { return AcceptLostLog(ctx, db.Path()) }},
	} {
		log.Reset()
		if err := does.do(); err != nil {
			t.Fatalf("%s: %v", does.name, err)
		}
		if err := db.Health(ctx); err != nil {
			t.Errorf("%s: %v", does.name, err)
		}
		put(t, db, "shop", "s2", "a penguin after "+does.name)
		if n := strings.Count(log.String(), readWhole); n != does.checks {
			t.Errorf("%s: read whole %d times, want %d", does.name, n, does.checks)
		}
	}
}
