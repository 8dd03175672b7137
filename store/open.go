package store

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/jmoiron/sqlx"
	_ "modernc.org/sqlite" // the driver
)

const (
	applicationID = 1836412275 // "mums", set by the first migration
	readers       = 3
)

// Options say how to open a database.
type Options struct {
	Path   string           // the file; created when it is not there
	Now    func() time.Time // nil = time.Now
	Logger *slog.Logger     // nil = silent
	// Committed is told how long each durable commit took and how many calls shared it; nil = nobody is.
	Committed func(took time.Duration, calls int)
	Key       []byte // this installation's key, for the hashes of what was forgotten; empty = one kept in the database
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	path      string
	now       func() time.Time
	log       *slog.Logger
	key       []byte
	read      *sqlx.DB
	seeking   *sqlx.DB // the connections of seekers
	seekers   *seekerPool
	write     *sqlx.DB
	writer    *writer
	committed func(time.Duration, int)
	terms     *termCache
	cache     *docCache
	orders    *orderCache
	prompts   *kindSet
	summaries *kindSet
}

// Open opens the database, creates it (0600) when there is none, and brings an
// older one up to date. It never touches a file that it cannot read as its
// own: the error is then [ErrCorrupt], [ErrForeign] or [ErrNewer] in a [FileError].
// It takes the same time whatever the size of the database.
func Open(ctx context.Context, o Options) (*DB, error) {
	db, err := open(ctx, o)
	if err != nil {
		return nil, &FileError{o.Path, translate(err)}
	}
	return db, nil
}

func open(ctx context.Context, o Options) (*DB, error) {
	if err := prepareFile(o.Path); err != nil {
		return nil, err
	}
	db := &DB{path: o.Path, now: o.Now, log: o.Logger, key: o.Key, committed: o.Committed, terms: newTermCache(), cache: newDocCache(), orders: newOrderCache(), prompts: promptSet(), summaries: summarySet(), seekers: newSeekers()}
	if db.now == nil {
		db.now = time.Now
	}
	if db.log == nil {
		db.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if db.write, err = sqlx.Open("sqlite", writeDSN(o.Path)); err != nil {
		return nil, err
	}
	db.write.SetMaxOpenConns(1)
	if err := migrate(ctx, db.write); err != nil {
		return nil, errors.Join(err, db.write.Close())
	}
	if db.read, err = sqlx.Open("sqlite", readDSN(o.Path)); err != nil {
		return nil, errors.Join(err, db.write.Close())
	}
	db.read.SetMaxOpenConns(readers)
	db.read.SetMaxIdleConns(readers)
	if db.seeking, err = sqlx.Open("sqlite", readDSN(o.Path)); err != nil {
		return nil, errors.Join(err, db.read.Close(), db.write.Close())
	}
	if len(db.key) == 0 {
		if db.key, err = storedKey(ctx, db.write); err != nil {
			return nil, errors.Join(err, db.seeking.Close(), db.read.Close(), db.write.Close())
		}
	}
	if db.writer, err = startWriter(ctx, db); err != nil {
		return nil, errors.Join(err, db.seeking.Close(), db.read.Close(), db.write.Close())
	}
	return db, nil
}

// Close finishes the writes that were accepted, folds the write-ahead log into
// the file and closes it.
func (db *DB) Close() error {
	if !db.writer.stop() {
		return nil
	}
	err := errors.Join(db.closeSeekers(), db.read.Close())
	_, cerr := db.write.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	return errors.Join(err, cerr, db.write.Close())
}

// Path is the file of the database.
func (db *DB) Path() string { return db.path }

// writeDSN has the page size in one value with the journal mode, because the
// driver sorts the pragmas by name and WAL fixes the page size.
func writeDSN(path string) string {
	return dsn(path, "_pragma=page_size(8192)&_journal_mode=WAL&_pragma=busy_timeout(5000)&_pragma=secure_delete(1)"+
		"&_pragma=synchronous(full)&_pragma=cache_size(-8000)&_txlock=immediate")
}

func readDSN(path string) string {
	return dsn(path, "_pragma=busy_timeout(5000)&_pragma=query_only(1)&_pragma=cache_size(-8000)")
}

func dsn(path, query string) string {
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: query}).String()
}

// prepareFile makes an empty private file when there is none (SQLite would
// make it readable for others) and refuses one that is no database.
func prepareFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			return pe.Err // the path is named already
		}
		return err
	}
	defer f.Close()
	_, err = checkHead(f)
	return err
}
