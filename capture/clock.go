package capture

import (
	"sync"
	"time"
)

// backwards is how far a clock is set back where it is corrected from day to
// day. Until it has caught up, events keep their order at the cost of their
// time. After a larger step the clock was wrong before, and is believed now.
const backwards = 5 * time.Minute

// clock does not go back by a little.
type clock struct {
	mu   sync.Mutex
	last time.Time
}

func (c *clock) now(read func() time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := read().Round(0) // the wall clock, as it is stored
	if back := c.last.Sub(now); back > 0 && back <= backwards {
		return c.last
	}
	c.last = now
	return now
}
