package daemon

import (
	"context"
	"sync"

	"github.com/labstack/echo/v4"

	"keepmum/store"
)

// shown counts which memories were shown, until the counts are written. They are never written while an agent waits.
type shown struct {
	mu     sync.Mutex
	counts map[int64]int
}

// note adds ids of any documents; ids that are not memories are skipped when the counts are written.
func (s *shown) note(ids ...int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts == nil {
		s.counts = map[int64]int{}
	}
	for _, id := range ids {
		s.counts[id]++
	}
}

func (s *shown) take() map[int64]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.counts
	s.counts = nil
	return out
}

// looking marks requests from the page. Viewing must not count as use: otherwise a memory would never lose confidence
// while someone watches it.
type looking struct{}

// noteAsked counts documents that were requested by number.
func (d *Daemon) noteAsked(c echo.Context, ids ...int64) {
	if c.Request().Context().Value(looking{}) == nil {
		d.shown.note(ids...)
	}
}

// noteTold counts the memories among the entries that an agent was told.
func (d *Daemon) noteTold(entries []store.Injected) {
	for _, e := range entries {
		if e.Type == store.KindMemory && !e.Held {
			d.shown.note(e.ID)
		}
	}
}

// flushAccess writes the counts to the database.
func (d *Daemon) flushAccess(ctx context.Context) {
	counts := d.shown.take()
	if len(counts) == 0 {
		return
	}
	if err := d.db.Accessed(ctx, counts, d.o.Now()); err != nil {
		d.log.Warn("the memories that were shown could not be recorded", "error", err)
	}
}
