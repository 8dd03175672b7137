package store

import "sync"

// orderNumbers limits how many ids the cache keeps.
const orderNumbers = 300_000

// orderCache caches the order of the prompts of a session. Searches share the orders, which never change.
type orderCache struct {
	mu      sync.Mutex
	of      map[int64][]int64 // by session
	numbers int
	epoch   int64 // increases when the prompts of a session change
}

func newOrderCache() *orderCache { return &orderCache{of: map[int64][]int64{}} }

// now returns the epoch in which a search begins.
func (c *orderCache) now() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.epoch
}

// get returns the cached orders and the sessions that have none.
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

// put caches an order, unless the prompts of some session have changed since that epoch.
func (c *orderCache) put(epoch, session int64, order []int64) {
	const place = 8 // the overhead of an entry, in ids
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

// drop removes the sessions whose prompts changed.
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
