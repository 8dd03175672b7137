package daemon

import (
	"context"
	"sync"

	"github.com/labstack/echo/v4"

	"keepmum/store"
)

// shown counts which memories somebody was shown, until that is written down:
// never while an agent waits.
type shown struct {
	mu     sync.Mutex
	counts map[int64]int
}

// note takes ids of any documents: those that are no memories are passed over
// when it is written.
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

// looking marks the requests of the page: a person who looks at what is kept changes nothing
// of it, or to see how a memory fades would keep it from fading.
type looking struct{}

// noteAsked counts what somebody asked for by its number.
func (d *Daemon) noteAsked(c echo.Context, ids ...int64) {
	if c.Request().Context().Value(looking{}) == nil {
		d.shown.note(ids...)
	}
}

// noteTold counts the memories among what an agent was told.
func (d *Daemon) noteTold(entries []store.Injected) {
	for _, e := range entries {
		if e.Type == store.KindMemory && !e.Held {
			d.shown.note(e.ID)
		}
	}
}

// flushAccess writes down what was shown.
func (d *Daemon) flushAccess(ctx context.Context) {
	counts := d.shown.take()
	if len(counts) == 0 {
		return
	}
	if err := d.db.Accessed(ctx, counts, d.o.Now()); err != nil {
		d.log.Warn("it was not noted which memories were shown", "error", err)
	}
}
