package store

import "sync"

// cacheBytes is about how much memory the cached candidates may use.
const cacheBytes = 24 << 20

// docCache caches the documents that searches read: reading one again takes longer than everything else in a search. It
// has two generations. When the young one is full it becomes the old one, and old entries that nobody used since are
// dropped.
type docCache struct {
	mu         sync.Mutex
	young, old map[int64]*candidate
	bytes      int   // of the young generation
	epoch      int64 // increases when documents change
}

func newDocCache() *docCache {
	return &docCache{young: map[int64]*candidate{}, old: map[int64]*candidate{}}
}

// now returns the epoch in which a search begins. What the search reads is cached only if no document changed
// meanwhile.
func (c *docCache) now() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.epoch
}

// get returns the cached documents and the ids of the others.
func (c *docCache) get(ids []int64) (known []*candidate, missing []int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known = make([]*candidate, 0, len(ids))
	for _, id := range ids {
		d := c.young[id]
		if d == nil {
			if d = c.old[id]; d != nil {
				c.add(d)
			}
		}
		if d == nil {
			missing = append(missing, id)
		} else {
			known = append(known, d)
		}
	}
	return known, missing
}

func (c *docCache) put(epoch int64, docs []*candidate) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if epoch != c.epoch {
		return
	}
	for _, d := range docs {
		c.add(d)
	}
}

func (c *docCache) add(d *candidate) {
	c.young[d.ID] = d
	if c.bytes += d.bytes(); c.bytes > cacheBytes/2 {
		c.old, c.young, c.bytes = c.young, map[int64]*candidate{}, 0
	}
}

// drop removes documents that were changed or deleted.
func (c *docCache) drop(ids []int64) {
	if len(ids) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
	for _, id := range ids {
		delete(c.young, id)
		delete(c.old, id)
	}
}

func (c *candidate) bytes() int {
	const fixed = 250 // of a candidate and its two map entries
	return fixed + 4*(len(c.title)+len(c.who)+len(c.body)+len(c.speaker))
}
