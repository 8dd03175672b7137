package store

import (
	"errors"
	"io/fs"
	"os"
)

// notePlace remembers which file was opened.
func (db *DB) notePlace() (err error) {
	if db.file, err = os.Stat(db.path); err == nil {
		os.SameFile(db.file, db.file) // Windows reads a file's number only when it is first compared
	}
	return err
}

// inPlace returns [ErrMoved] if the path no longer leads to the open file: no later start would find what is written
// there. The check takes a microsecond, a commit a thousand. It must not open the file: closing it would drop SQLite's
// locks.
func (db *DB) inPlace() error {
	_, moved := db.statFile()
	return moved
}

func (db *DB) statFile() (now os.FileInfo, moved error) {
	now, err := os.Stat(db.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(db.file, now) {
		return now, ErrMoved
	}
	return now, nil // if it cannot be checked, assume that it is in place
}

// findable is inPlace, and for a new file waits until no power cut can undo that.
func (db *DB) findable() error {
	if err := db.inPlace(); err != nil || db.placed == nil {
		return err
	}
	return db.placed()
}
