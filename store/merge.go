package store

import (
	"context"
	"fmt"
	"time"
)

const (
	mergePages = 16                    // of the index are written in one step: what waits, waits for milliseconds
	mergeRest  = 20 * time.Millisecond // between two steps
)

// Merge makes one segment of those in which the index lies, step by step.
// Every look for a word goes into each segment, and a look for a misspelt word
// is hundreds of them. It returns how many steps there were.
func (db *DB) Merge(ctx context.Context) (steps int, err error) {
	return db.MergeWhile(ctx, func() bool { return true })
}

// MergeWhile is Merge for as long as it is quiet: while events come there is always
// something to merge, and much of it would be merged again and again.
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

// mergeStep takes one step; it reports whether there was anything to do. FTS5 says
// so by what it wrote: the command itself is one change.
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
