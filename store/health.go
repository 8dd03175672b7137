package store

import (
	"context"
	"errors"
	"slices"
	"sync"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// steady is how many calls in a row must be kept before an error of some calls
// only is taken for over.
const steady = 20

// health remembers what went wrong with writing, for as long as it may continue.
type health struct {
	mu    sync.Mutex
	err   error // nil = all is well
	fails int   // how often it failed since all was well
	after int   // calls that were kept since
}

// named are errors that do not continue their own: one is enough.
var named = []error{ErrFull, ErrReadOnly, ErrCorrupt, ErrMoved}

// failed notes an error of the database. One that is the caller's own, as a wrong
// argument is, says nothing about the database.
func (h *health) failed(err error) {
	if err = translate(err); !IsFault(err) {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err, h.fails, h.after = err, h.fails+1, 0
}

// kept notes a call that was committed. A disk that has room again is well at
// once; damage stays until the database has passed a check.
func (h *health) kept() {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch h.after++; {
	case errors.Is(h.err, ErrCorrupt):
	case errors.Is(h.err, ErrFull), errors.Is(h.err, ErrReadOnly), errors.Is(h.err, ErrMoved), h.after >= steady:
		h.err, h.fails = nil, 0
	}
}

// checked notes that the whole database is well, as far as reading tells.
func (h *health) checked() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !errors.Is(h.err, ErrFull) && !errors.Is(h.err, ErrReadOnly) {
		h.err, h.fails = nil, 0
	}
}

// told is the error that is not over, nil for one that came once only and may not
// come again.
func (h *health) told() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.fails > 1 || slices.ContainsFunc(named, func(n error) bool { return errors.Is(h.err, n) }) {
		return h.err
	}
	return nil
}

// IsFault says that an error is the database's, not that of what was to be written.
func IsFault(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false
	}
	if slices.ContainsFunc(named, func(n error) bool { return errors.Is(err, n) }) {
		return true
	}
	var se *sqlite.Error
	return errors.As(err, &se) && se.Code()&0xff != sqlite3.SQLITE_CONSTRAINT
}

// Health returns why writing failed, nil when all is well. An error that hits some
// calls only is told as long as it may come again.
func (db *DB) Health(context.Context) error {
	if err := db.inPlace(); err != nil {
		return err
	}
	return db.writer.health.told()
}
