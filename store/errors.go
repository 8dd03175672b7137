package store

import (
	"context"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Errors that callers branch on.
var (
	ErrCorrupt  = errors.New("the database is damaged")
	ErrForeign  = errors.New("the file is not a keepmum database")
	ErrNewer    = errors.New("the database was written by a newer version of mum")
	ErrFull     = errors.New("no space left for the database")
	ErrReadOnly = errors.New("the database cannot be written to")
	ErrMoved    = errors.New("the database was moved or replaced while it was open")
	ErrNotFound = errors.New("not found")
	ErrClosed   = errors.New("the database is closed")
	ErrInvalid  = errors.New("invalid")
)

// FileError records which file an error is about.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }

// translate maps SQLite's error codes to the errors of this package.
func translate(err error) error {
	var se *sqlite.Error
	if !errors.As(err, &se) {
		return err
	}
	switch se.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: %w", ErrFull, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	case sqlite3.SQLITE_READONLY:
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	case sqlite3.SQLITE_IOERR:
		return translateDisk(se.Code(), err)
	case sqlite3.SQLITE_INTERRUPT:
		return fmt.Errorf("%w: %w", context.Canceled, err)
	}
	return err
}

// translateDisk does the same for the errors of the file system.
func translateDisk(code int, err error) error {
	switch code {
	case sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE:
		return fmt.Errorf("%w: %w", ErrFull, err)
	case sqlite3.SQLITE_IOERR_SHORT_READ: // the log is shorter than what was written to it
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}
