package daemon

import (
	"context"
	"maps"
	"slices"

	"keepmum/recall"
	"keepmum/store"
)

// past is what may be told on a branch: everything without some documents, for an agent the muted ones and those that
// are not valid there.
type past struct {
	*store.DB
	ids    []int64
	branch string // what is checked out; "" = unknown
	named  bool   // of what was said on another branch, the branch is told
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
	return d.pastOn(branch, append(ids, others...)), nil
}

// pastOn returns the past as seen on a branch, without some documents.
func (d *Daemon) pastOn(branch string, without []int64) recall.Past {
	slices.Sort(without)
	return past{d.db, without, branch, bool(d.o.Config.Memory.ByBranch)}
}

// Unmerged is the store's Unmerged without the branch that is checked out.
func (u past) Unmerged(ctx context.Context, docs []int64) (map[int64]string, error) {
	if !u.named {
		return map[int64]string{}, nil
	}
	on, err := u.DB.Unmerged(ctx, docs)
	maps.DeleteFunc(on, func(_ int64, branch string) bool { return branch == u.branch })
	return on, err
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
