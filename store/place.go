package store

import (
	"errors"
	"io/fs"
	"os"
)

// notePlace remembers which file was opened.
func (db *DB) notePlace() (err error) {
	if db.file, err = os.Stat(db.path); err == nil {
		os.SameFile(db.file, db.file) // Windows looks a file's number up when it is first compared
	}
	return err
}

// inPlace returns [ErrMoved] when the path does not lead to the open file any more:
// what is written there, no later start finds. A look takes a microsecond, a commit
// a thousand. The file must not be opened for it: closing it would drop SQLite's locks.
func (db *DB) inPlace() error {
	now, err := os.Stat(db.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(db.file, now) {
		return ErrMoved
	}
	return nil // what cannot be looked at is open yet
}
