package daemon

import (
	"context"
	"slices"

	"keepmum/recall"
	"keepmum/store"
)

// past is what agents may be told: everything without muted entries, and without what is not valid on a branch.
type past struct {
	*store.DB
	ids []int64
}

// telling returns the source for recall on a branch. If it is unknown what must not be told, the source is empty.
func (d *Daemon) telling(ctx context.Context, branch string) (recall.Past, error) {
	ids, err := d.db.Muted(ctx)
	if err != nil {
		return d.db, err
	}
	others, err := d.notOnBranch(ctx, branch)
	if err != nil {
		return d.db, err
	}
	return d.without(append(ids, others...)), nil
}

// without returns the past without some documents.
func (d *Daemon) without(ids []int64) recall.Past {
	if len(ids) == 0 {
		return d.db
	}
	slices.Sort(ids)
	return past{d.db, ids}
}

func (u past) has(id int64) bool {
	_, found := slices.BinarySearch(u.ids, id)
	return found
}

func (u past) without(lines []store.Line, err error) ([]store.Line, error) {
	return slices.DeleteFunc(lines, func(l store.Line) bool { return u.has(l.ID) }), err
}

// Talk is the store's Talk without what must not be told.
func (u past) Talk(ctx context.Context, sessions, docs []int64) ([]store.Line, error) {
	return u.without(u.DB.Talk(ctx, sessions, docs))
}

// SessionLines is the store's SessionLines without what must not be told.
func (u past) SessionLines(ctx context.Context, session int64, limit int) ([]store.Line, error) {
	return u.without(u.DB.SessionLines(ctx, session, limit))
}

// Memories is the store's Memories without what must not be told.
func (u past) Memories(ctx context.Context, f store.MemoryFilter) ([]store.MemoryRow, error) {
	rows, err := u.DB.Memories(ctx, f)
	return slices.DeleteFunc(rows, func(m store.MemoryRow) bool { return u.has(m.ID) }), err
}
