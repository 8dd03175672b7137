package store

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"
	_ "modernc.org/sqlite" // the driver

	"keepmum/atomicfile"
)

const (
	applicationID = 1836412275 // "mums", set by the first migration
	readers       = 3
)

// Options say how to open a database.
type Options struct {
	Path    string           // the file; created if missing
	Backups string           // its backups: an empty database that has some is marked ([DB.Emptied]); "" = not checked
	Now     func() time.Time // nil = time.Now
	Logger  *slog.Logger     // nil = silent
	// Committed is called with how long each durable commit took and how many calls shared it; may be nil.
	Committed func(took time.Duration, calls int)
	Key       []byte // this installation's key, for hashes of what was forgotten; empty = one in the database
	ReadOnly  bool   // nothing is written or created: no process may have the file open for writing
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	path       string
	now        func() time.Time
	log        *slog.Logger
	key        []byte
	read       *reader
	rebuilding atomic.Bool  // the index does not contain all documents yet
	pagesOff   atomic.Bool  // the index's pages have an unknown format
	waiting    atomic.Int64 // documents that are not folded in
	searches   atomic.Int64 // so far
	coming     atomic.Int64 // writes that were announced and are not answered yet
	seeking    *sqlx.DB     // connections for searches
	seekers    *seekerPool
	write      *sqlx.DB
	file       os.FileInfo // the file that was opened
	seal       seal
	lost       string       // newest backup of the previous database, if this one was created in its place
	created    bool         // this process made the file
	unkeyed    bool         // this start made the file, and the key's check value is not in it yet
	placed     func() error // waits until a new file survives a power cut; nil = it does
	full       error        // why it was opened read-only; nil = it was not
	writer     *writer
	committed  func(time.Duration, int)
	terms      *termCache
	cache      *docCache
	orders     *orderCache
	held       heldCache
	kinds      map[Kind]*kindSet
	owners     *ownerSet
}

// Open opens the database, creates it (0600) if it is missing, and migrates an older one. It never changes a file that
// it does not recognise as its own: the error is then [ErrCorrupt], [ErrForeign] or [ErrNewer] in a [FileError]. The
// time it takes does not depend on the size of the database.
func Open(ctx context.Context, o Options) (*DB, error) {
	db, err := open(ctx, o)
	if err != nil {
		return nil, &FileError{o.Path, translate(err)}
	}
	return db, nil
}

func open(ctx context.Context, o Options) (*DB, error) {
	registerFolded()
	if !o.ReadOnly {
		if _, err := atomicfile.Finish(RestoreJournal(o.Path)); err != nil {
			return nil, err
		}
		if err := prepareFile(o.Path); err != nil {
			return nil, err
		}
	}
	db := &DB{path: o.Path, now: o.Now, log: o.Logger, key: o.Key, committed: o.Committed, terms: newTermCache(),
		cache: newDocCache(), orders: newOrderCache(), kinds: newKindSets(), owners: &ownerSet{},
		seekers: newSeekers()}
	if db.now == nil {
		db.now = time.Now
	}
	if db.log == nil {
		db.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if o.ReadOnly {
		err = db.connectStill(ctx)
	} else {
		err = errors.Join(db.noteEmptied(ctx, o.Backups), db.connect(ctx))
	}
	if err != nil {
		return nil, errors.Join(err, db.disconnect())
	}
	return db, nil
}

// connect opens the connections. If the disk has no room for SQLite's files next to the database, it opens the database
// read-only.
func (db *DB) connect(ctx context.Context) error {
	if err := db.create(ctx); err != nil {
		return err
	}
	how := readDSN(db.path)
	err := errors.Join(db.openWriting(ctx), db.notePlace())
	if err = translate(err); errors.Is(err, ErrFull) && alone(db.path) {
		if how, err = stillDSN(db.path), db.openStill(ctx, err); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	return db.connectReaders(ctx, how)
}

// connectStill opens the connections to a file that nobody can write.
func (db *DB) connectStill(ctx context.Context) error {
	if _, err := os.Stat(db.path); err != nil {
		return err
	}
	if err := db.openStill(ctx, ErrReadOnly); err != nil {
		return err
	}
	if err := db.notePlace(); err != nil {
		return err
	}
	return db.connectReaders(ctx, stillDSN(db.path))
}

func (db *DB) connectReaders(ctx context.Context, how string) error {
	read, err := sqlx.Open("sqlite", how)
	if err != nil {
		return err
	}
	db.read = &reader{read, db}
	db.read.SetMaxOpenConns(readers)
	db.read.SetMaxIdleConns(readers)
	db.read.SetConnMaxIdleTime(idleConnection)
	if db.seeking, err = sqlx.Open("sqlite", how); err != nil {
		return err
	}
	if len(db.key) == 0 {
		if db.key, err = storedKey(ctx, db.write); err != nil {
			return err
		}
	}
	if err := db.checkKey(ctx); err != nil {
		return err
	}
	if err := db.checkFormat(ctx, db.write); err != nil {
		db.log.Warn("the index cannot be read", "error", err) // search and check report it in detail
	}
	db.writer, err = startWriter(ctx, db)
	return err
}

func (db *DB) openWriting(ctx context.Context) (err error) {
	if db.write, err = sqlx.Open("sqlite", writeDSN(db.path)); err != nil {
		return err
	}
	db.write.SetMaxOpenConns(1)
	if err := migrate(ctx, db.write); err != nil {
		return err
	}
	return db.markEmptied(ctx, db.write)
}

// openStill opens a database that nobody writes, in place of the writing connection. A migration has to wait.
func (db *DB) openStill(ctx context.Context, why error) (err error) {
	db.full = why
	if db.write != nil {
		if err := db.write.Close(); err != nil {
			return err
		}
	}
	if db.write, err = sqlx.Open("sqlite", stillDSN(db.path)); err != nil {
		return err
	}
	return migrate(ctx, db.write)
}

// alone reports whether a file has no write-ahead log, so that it is complete on its own.
func alone(path string) bool {
	st, err := os.Stat(path + "-wal")
	return errors.Is(err, fs.ErrNotExist) || err == nil && st.Size() == 0
}

// Full returns why nothing can be written until the database is opened again, or nil if it can be written.
func (db *DB) Full() error { return db.full }

func (db *DB) disconnect() (err error) {
	if db.read != nil {
		err = db.read.Close()
	}
	for _, pool := range []*sqlx.DB{db.seeking, db.write} {
		if pool != nil {
			err = errors.Join(err, pool.Close())
		}
	}
	return err
}

// Close finishes the accepted writes, folds the write-ahead log into the file and closes it.
func (db *DB) Close() error {
	if !db.writer.stop() {
		return nil
	}
	err := errors.Join(db.closeSeekers(), db.read.Close())
	if db.full != nil {
		return errors.Join(err, db.write.Close())
	}
	_, cerr := db.write.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	return errors.Join(err, cerr, db.write.Close())
}

// Path returns the path of the database file.
func (db *DB) Path() string { return db.path }

// writeDSN puts the page size and the journal mode into one value, because the driver sorts the pragmas by name and WAL
// fixes the page size. With 2,000 pages of log a checkpoint comes half as often as by default, and writes a page that
// changed several times only once.
func writeDSN(path string) string {
	return dsn(path, "_pragma=page_size(8192)&_journal_mode=WAL&_pragma=busy_timeout(5000)&_pragma=secure_delete(1)"+
		"&_pragma=wal_autocheckpoint(2000)&_pragma=synchronous(full)&_pragma=cache_size(-8000)&_txlock=immediate")
}

// readDSN does not create the file if it was removed.
func readDSN(path string) string {
	return dsn(path, "mode=rw&_pragma=busy_timeout(5000)&_pragma=query_only(1)&_pragma=cache_size(-8000)")
}

// stillDSN is for a file that does not change: nothing is created next to it. SQLite reads no log next to an immutable
// file.
func stillDSN(path string) string {
	query := "mode=ro&_pragma=query_only(1)"
	switch {
	case alone(path):
		query += "&_pragma=cache_size(-8000)&immutable=1"
	case unindexed(path):
		query += unlocked
	default:
		query += "&_pragma=cache_size(-8000)"
	}
	return dsn(path, query)
}

func dsn(path, query string) string {
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: query}).String()
}

// prepareFile creates an empty private file if there is none (SQLite would make it readable for others), and refuses
// one that is not a database.
func prepareFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			return pe.Err // the caller adds the path
		}
		return err
	}
	defer f.Close()
	_, err = checkHead(f)
	return err
}
