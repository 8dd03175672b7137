package store

import (
	"context"
	"fmt"
	"time"
)

const (
	mergePages = 16                    // index pages written per step: other writes wait only milliseconds
	mergeRest  = 20 * time.Millisecond // between two steps
)

// Merge merges the segments of the index into one, step by step. Every look-up of a word reads each segment, and
// correcting a misspelt word takes hundreds of look-ups. It returns how many steps it took.
func (db *DB) Merge(ctx context.Context) (steps int, err error) {
	return db.MergeWhile(ctx, func() bool { return true })
}

// MergeWhile merges while quiet returns true: while events arrive there is always something to merge, and much of it
// would be merged again and again.
func (db *DB) MergeWhile(ctx context.Context, quiet func() bool) (steps int, err error) {
	rest := time.NewTimer(0)
	defer rest.Stop()
	for ; ; steps++ {
		select {
		case <-ctx.Done():
			return steps, ctx.Err()
		case <-rest.C:
		}
		if !quiet() {
			return steps, nil
		}
		more := false
		if err := db.writer.do(ctx, func(s *txState) (err error) { more, err = s.mergeStep(); return err }); err != nil {
			return steps, fmt.Errorf("merge the index: %w", err)
		}
		if !more {
			return steps, nil
		}
		rest.Reset(mergeRest)
	}
}

// mergeStep takes one step and reports whether there was anything to do. FTS5 shows that only in the number of changes,
// where the command itself counts as one.
func (s *txState) mergeStep() (bool, error) {
	const changes = `SELECT total_changes()`
	var before, after int64
	if _, err := s.get(&before, changes); err != nil {
		return false, err
	}
	if err := s.exec(`INSERT INTO docs_fts(docs_fts, rank) VALUES('merge', ?)`, mergePages); err != nil {
		return false, err
	}
	_, err := s.get(&after, changes)
	return after-before >= 2, err
}
