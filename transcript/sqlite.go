package transcript

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"keepmum/safefile"
)

// maxValue is the length of the longest value that is read from a database.
const maxValue = maxLine

// openDB opens another program's database, which may be in use. It must not use immutable=1, which ignores the
// write-ahead log.
func openDB(path string) (*sql.DB, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return nil, err
	}
	f.Close()
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}
	if !strings.HasPrefix(u.Path, "/") {
		u.Path = "/" + u.Path // a drive letter
	}
	db, err := sql.Open("sqlite", u.String()+"?mode=ro&_pragma=busy_timeout(2000)&_pragma=query_only(1)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(2) // one for a list of rows, one for the details of each
	return db, nil
}

// withDB runs do on the database of src and names the file in its errors.
func withDB(src Source, do func(*sql.DB) error) error {
	db, err := openDB(src.Path)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	if err := do(db); err != nil {
		return dbError(src.Path, err)
	}
	return nil
}

// dbError names the file in an error, and says in our own words that it is locked or damaged.
func dbError(path string, err error) error {
	var failed *sqlite.Error
	if errors.As(err, &failed) {
		switch failed.Code() & 0xff { // the rest is the extended code
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			err = ErrLocked
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
			err = ErrCorrupt
		}
	}
	return fmt.Errorf("read %s: %w", path, err)
}

// each runs a query and calls do for every row.
func each(ctx context.Context, db *sql.DB, do func(*sql.Rows) error, query string, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// hasTable reports whether a database has the table that a query needs.
func hasTable(ctx context.Context, db *sql.DB, name string) (bool, error) {
	var n int
	err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?`, name).Scan(&n)
	return n > 0, err
}

// statDB adds up the size of a database and its write-ahead log, and takes the later time: in WAL mode the database
// itself may stay unchanged for hours.
func statDB(src *Source, info os.FileInfo) {
	src.Size, src.Modified = info.Size(), info.ModTime()
	wal, err := os.Stat(src.Path + "-wal")
	if err != nil {
		return
	}
	src.Size += wal.Size()
	if wal.ModTime().After(src.Modified) {
		src.Modified = wal.ModTime()
	}
}
