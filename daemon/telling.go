package daemon

import (
	"context"
	"slices"

	"keepmum/recall"
	"keepmum/store"
)

// untold is the past without what the user wants told to no agent again, and what does not
// hold on a branch.
type untold struct {
	*store.DB
	ids []int64
}

// telling is where recall reads for somebody on a branch. Where it cannot be known what is not to be told,
// nothing is.
func (d *Daemon) telling(ctx context.Context, branch string) (recall.Past, error) {
	ids, err := d.db.Untold(ctx)
	if err != nil {
		return d.db, err
	}
	others, err := d.elsewhere(ctx, branch)
	if err != nil {
		return d.db, err
	}
	return d.without(append(ids, others...)), nil
}

// without is the past without some documents.
func (d *Daemon) without(ids []int64) recall.Past {
	if len(ids) == 0 {
		return d.db
	}
	slices.Sort(ids)
	return untold{d.db, ids}
}

func (u untold) has(id int64) bool {
	_, found := slices.BinarySearch(u.ids, id)
	return found
}

func (u untold) without(lines []store.Line, err error) ([]store.Line, error) {
	return slices.DeleteFunc(lines, func(l store.Line) bool { return u.has(l.ID) }), err
}

// Talk is that of the store, without what is not told.
func (u untold) Talk(ctx context.Context, sessions, docs []int64) ([]store.Line, error) {
	return u.without(u.DB.Talk(ctx, sessions, docs))
}

// SessionLines are those of the store, without what is not told.
func (u untold) SessionLines(ctx context.Context, session int64, limit int) ([]store.Line, error) {
	return u.without(u.DB.SessionLines(ctx, session, limit))
}

// Memories are those of the store, without what is not told.
func (u untold) Memories(ctx context.Context, f store.MemoryFilter) ([]store.MemoryRow, error) {
	rows, err := u.DB.Memories(ctx, f)
	return slices.DeleteFunc(rows, func(m store.MemoryRow) bool { return u.has(m.ID) }), err
}
