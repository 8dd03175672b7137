package store

import "sync"

// orderNumbers bounds how many numbers are kept of the order of prompts.
const orderNumbers = 300_000

// orderCache keeps in which order the prompts of a session came. Searches share
// the orders: they never change.
type orderCache struct {
	mu      sync.Mutex
	of      map[int64][]int64 // by session
	numbers int
	epoch   int64 // rises when a session has other prompts
}

func newOrderCache() *orderCache { return &orderCache{of: map[int64][]int64{}} }

// now returns the epoch that a search begins in.
func (c *orderCache) now() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.epoch
}

// get returns the orders that are known and the sessions of the others.
func (c *orderCache) get(sessions []int64) (known map[int64][]int64, missing []int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known = make(map[int64][]int64, len(sessions))
	for _, id := range sessions {
		if order, ok := c.of[id]; ok {
			known[id] = order
		} else {
			missing = append(missing, id)
		}
	}
	return known, missing
}

// put keeps an order, unless some session got other prompts since that epoch.
func (c *orderCache) put(epoch, session int64, order []int64) {
	const place = 8 // numbers that an entry takes beside its own
	c.mu.Lock()
	defer c.mu.Unlock()
	if epoch != c.epoch {
		return
	}
	if c.numbers += place + len(order); c.numbers > orderNumbers {
		clear(c.of)
		c.numbers = place + len(order)
	}
	c.of[session] = order
}

// drop forgets the sessions that got other prompts.
func (c *orderCache) drop(sessions []int64) {
	if len(sessions) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
	for _, id := range sessions {
		delete(c.of, id)
	}
}
