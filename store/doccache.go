package store

import "sync"

// cacheBytes is about how much memory the candidates take that are kept.
const cacheBytes = 24 << 20

// docCache keeps the documents that searches looked at: reading one again
// takes longer than all else that a search does with it. It has two
// generations; when the young one is full it becomes the old one, and what
// nobody asked for since is gone.
type docCache struct {
	mu         sync.Mutex
	young, old map[int64]*candidate
	bytes      int   // of the young ones
	epoch      int64 // rises when documents change
}

func newDocCache() *docCache {
	return &docCache{young: map[int64]*candidate{}, old: map[int64]*candidate{}}
}

// now returns the epoch that a search begins in: what it reads is kept only if
// no document changed meanwhile.
func (c *docCache) now() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.epoch
}

// get returns the documents that are known and the ids of the others.
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

// drop forgets documents that were changed or deleted.
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
	const fixed = 250 // of a candidate and its places in a map
	return fixed + 4*(len(c.title)+len(c.who)+len(c.body)+len(c.speaker))
}
