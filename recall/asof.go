package recall

import (
	"context"
	"slices"
	"time"

	"keepmum/store"
)

// Past is a source that can be read as of a moment.
type Past interface {
	Source
	SessionsAsOf(ctx context.Context, project int64, at time.Time, limit int) ([]store.SessionRow, error)
	NotesAsOf(ctx context.Context, session int64, at time.Time) ([]store.NoteRow, int64, error)
}

// AsOf returns the past as it was known at a moment: what had been said by then, and the memories valid then.
func AsOf(src Past, at time.Time) Source { return &asOf{src, at} }

type asOf struct {
	Past
	at time.Time
}

// moreLines is how many times more lines of a session are read than asked for, because it may have continued after the
// moment: those lines are dropped.
const moreLines = 10

func (p *asOf) Search(ctx context.Context, q store.Query) (store.Results, error) {
	q.AsOf = p.at
	return p.Past.Search(ctx, q)
}

func (p *asOf) Subjects(ctx context.Context, q store.Subjects) (store.About, error) {
	q.AsOf = p.at
	return p.Past.Subjects(ctx, q)
}

func (p *asOf) Memories(ctx context.Context, f store.MemoryFilter) ([]store.MemoryRow, error) {
	f.AsOf = p.at
	return p.Past.Memories(ctx, f)
}

func (p *asOf) RecentSessions(ctx context.Context, project int64, limit int) ([]store.SessionRow, error) {
	rows, err := p.SessionsAsOf(ctx, project, p.at, limit)
	for i := range rows {
		rows[i].Last = min(rows[i].Last, p.at.UnixMilli())
	}
	return rows, err
}

func (p *asOf) SessionLines(ctx context.Context, session int64, limit int) ([]store.Line, error) {
	lines, err := p.Past.SessionLines(ctx, session, moreLines*limit)
	lines = p.until(lines)
	return lines[max(0, len(lines)-limit):], err
}

func (p *asOf) SessionPrompts(ctx context.Context, session int64, limit int) ([]store.Line, error) {
	lines, err := p.Past.SessionPrompts(ctx, session, moreLines*limit)
	lines = p.until(lines)
	return lines[:min(len(lines), limit)], err
}

func (p *asOf) Talk(ctx context.Context, sessions, docs []int64) ([]store.Line, error) {
	lines, err := p.Past.Talk(ctx, sessions, docs)
	return slices.DeleteFunc(lines, func(l store.Line) bool { // memories were selected by when they were valid
		return l.At > p.at.UnixMilli() && l.Type != store.KindMemory
	}), err
}

func (p *asOf) Notes(ctx context.Context, session int64) ([]store.NoteRow, int64, error) {
	return p.NotesAsOf(ctx, session, p.at)
}

// Touched returns nothing, because it is about the present.
func (p *asOf) Touched(context.Context, int64, string) (store.Touched, error) {
	return store.Touched{}, nil
}

// until drops the lines that are later than the moment.
func (p *asOf) until(lines []store.Line) []store.Line {
	return slices.DeleteFunc(lines, func(l store.Line) bool { return l.At > p.at.UnixMilli() })
}
