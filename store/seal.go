package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
)

// readWhole is logged with each check of the whole database.
const readWhole = "another program changed the files of the database: it is checked"

// calm is how long a changed time of a file is not looked at again after the database passed a check: on a network
// drive the time may change on its own, and a check reads the whole file.
const calm = time.Minute

// seal is how the database and its write-ahead log were when this process last wrote them. Nobody else writes them
// while they are open, so a difference means that another program did: a file that was cut off, emptied or overwritten
// in place keeps its name and number, and SQLite goes on writing behind what is gone.
type seal struct {
	mu      sync.Mutex  // held while the writer writes
	db, log os.FileInfo // nil = there was no such file
	last    int64       // the latest document that was committed
	seen    fileState   // the files after the latest write
	passed  time.Time   // when a change was last found harmless
	damage  error       // nil = none was found; it lasts until the database is opened again
}

// beginWrite checks the files; without an error, endWrite must follow.
func (db *DB) beginWrite() error {
	db.seal.mu.Lock()
	err := db.untouched(context.Background())
	if err != nil {
		db.seal.mu.Unlock()
	}
	return err
}

// endWrite remembers the files. A commit never makes the database shorter: if it is, the next check shall see it.
func (db *DB) endWrite(commit bool) {
	defer db.seal.mu.Unlock()
	db.noteFiles(commit)
}

func (db *DB) noteFiles(commit bool) {
	db.seal.seen = db.fileState()
	if db.seal.log = db.seal.seen.log; !commit || !shorter(db.seal.db, db.seal.seen.file) {
		db.seal.db = db.seal.seen.file
	}
}

// written returns an error if what was just committed would not be found by the next start.
func (db *DB) written() error {
	db.seal.mu.Lock()
	defer db.seal.mu.Unlock()
	if err := db.same(context.Background(), db.seal.seen); err != nil || db.placed == nil {
		return err
	}
	return db.placed()
}

// unharmed is for those who do not write: while the writer does, it will find out.
func (db *DB) unharmed(ctx context.Context) error {
	if !db.seal.mu.TryLock() {
		return nil
	}
	defer db.seal.mu.Unlock()
	return db.untouched(ctx)
}

// fileState is what one look at the files shows.
type fileState struct {
	file, log os.FileInfo // nil = it could not be checked
	moved     error       // [ErrMoved] if the path does not lead to the open file
}

func (db *DB) fileState() (f fileState) {
	f.file, f.moved = db.statFile()
	f.log, _ = os.Stat(db.path + "-wal") // nil says enough
	return f
}

// untouched returns an error if another program changed the files since the last write of our own, and they are no
// longer whole. A look at the files takes microseconds; only after a change is the whole database read.
func (db *DB) untouched(ctx context.Context) error {
	return db.same(ctx, db.fileState())
}

func (db *DB) same(ctx context.Context, now fileState) error {
	s, file, log := &db.seal, now.file, now.log
	if now.moved != nil || s.damage != nil || s.db == nil {
		return cmp.Or(now.moved, s.damage)
	}
	if s.log != nil && (log == nil || !os.SameFile(s.log, log)) {
		return fmt.Errorf("%w: the write-ahead log is not the one that is written", ErrMoved)
	}
	if cut := shorter(s.db, file) || shorter(s.log, log); !cut && s.quiet(file, log) {
		return nil
	}
	db.log.Info(readWhole)
	err := db.whole(ctx)
	if ctx.Err() != nil {
		return nil // the next look goes on
	}
	if err != nil {
		what := "it"
		if shorter(s.log, log) {
			what = "its log (memory.db-wal)"
		}
		db.log.Error("another program damaged the database", "changed", what, "error", err)
		s.damage = fmt.Errorf("%w: another program changed %s while it was open", ErrCorrupt, what)
		return s.damage
	}
	now = db.fileState()
	s.db, s.log = now.file, now.log
	s.passed = time.Now()
	return nil
}

// quiet reports whether there is no reason to read the whole database.
func (s *seal) quiet(file, log os.FileInfo) bool {
	return !changed(s.db, file) && !changed(s.log, log) || time.Since(s.passed) < calm
}

func shorter(before, now os.FileInfo) bool {
	return before != nil && now != nil && now.Size() < before.Size()
}

// changed compares what a write changes. A system without file numbers (Windows) sets the time of an open file late.
func changed(before, now os.FileInfo) bool {
	if before == nil || now == nil || fileNumber(now) == 0 {
		return false
	}
	return before.Size() != now.Size() || !before.ModTime().Equal(now.ModTime())
}

// whole checks what is in the files, through connections that have nothing in memory yet. If SQLite finds nothing wrong
// in them, the log is copied to the file, which must then be readable on its own: the log may have covered page one.
func (db *DB) whole(ctx context.Context) error {
	if err := db.fresh(func(conn *sqlx.DB) error {
		var found string
		if err := conn.GetContext(ctx, &found, "PRAGMA quick_check(1)"); err != nil {
			return err
		}
		if found != "ok" {
			return errors.New(found)
		}
		_, err := conn.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
		return err
	}); err != nil {
		return err
	}
	return db.fresh(func(conn *sqlx.DB) error {
		var last int64
		if _, err := one(ctx, conn, &last, `SELECT seq FROM sqlite_sequence WHERE name = 'docs'`); err != nil {
			return err
		}
		if last < db.seal.last {
			return fmt.Errorf("entry %d was stored, and the last one is %d", db.seal.last, last)
		}
		return nil
	})
}

func (db *DB) fresh(f func(*sqlx.DB) error) error {
	conn, err := sqlx.Open("sqlite", readDSN(db.path))
	if err != nil {
		return err
	}
	return errors.Join(f(conn), conn.Close())
}
