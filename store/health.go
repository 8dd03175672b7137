package store

import (
	"context"
	"errors"
	"slices"
	"sync"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// steady is how many calls in a row must be committed before an intermittent error counts as over.
const steady = 20

// health remembers a write error for as long as it may recur.
type health struct {
	mu    sync.Mutex
	err   error // nil = all is well
	fails int   // failures since all was well
	after int   // calls committed since the last failure
}

// named are errors that last until something changes: one occurrence is enough.
var named = []error{ErrFull, ErrReadOnly, ErrCorrupt, ErrMoved}

// failed records an error of the database. An error caused by the caller, such as a wrong argument, says nothing about
// the database.
func (h *health) failed(err error) {
	if err = translate(err); !IsFault(err) {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err, h.fails, h.after = err, h.fails+1, 0
}

// kept records a committed call. That clears the error of a full or read-only disk at once, but damage stays until the
// database has passed a check.
func (h *health) kept() {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch h.after++; {
	case errors.Is(h.err, ErrCorrupt):
	case errors.Is(h.err, ErrFull), errors.Is(h.err, ErrReadOnly), errors.Is(h.err, ErrMoved), h.after >= steady:
		h.err, h.fails = nil, 0
	}
}

// checked records that the whole database passed a check, which only reads.
func (h *health) checked() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !errors.Is(h.err, ErrFull) && !errors.Is(h.err, ErrReadOnly) {
		h.err, h.fails = nil, 0
	}
}

// told returns the error that is not over, or nil for one that occurred only once and may not recur.
func (h *health) told() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.fails > 1 || slices.ContainsFunc(named, func(n error) bool { return errors.Is(h.err, n) }) {
		return h.err
	}
	return nil
}

// IsFault reports whether an error is the database's fault, not that of the data to be written.
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

// Health returns why writing failed, or nil if all is well. It reports an intermittent error for as long as it may
// recur.
func (db *DB) Health(ctx context.Context) error {
	if err := db.unharmed(ctx); err != nil {
		return err
	}
	return db.writer.health.told()
}
