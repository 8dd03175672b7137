package capture

import (
	"sync"
	"time"
)

// maxStepBack is the largest step back that ordinary corrections of a clock make. After such a step, events keep their
// order and get the latest time until the clock has caught up. After a larger step, the clock must have been wrong
// before, so the new time is used.
const maxStepBack = 5 * time.Minute

// clock never goes back by a small step.
type clock struct {
	mu   sync.Mutex
	last time.Time
}

func (c *clock) now(read func() time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := read().Round(0) // without the monotonic clock, as it is stored
	if back := c.last.Sub(now); back > 0 && back <= maxStepBack {
		return c.last
	}
	c.last = now
	return now
}
