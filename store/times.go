package store

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"
)

// heldRow says when a memory was valid.
type heldRow struct {
	doc, project int64
	away         bool // out of use now
	from, to     int64
	before       [][2]int64
}

func (r *heldRow) at(ms int64) bool {
	return r.from <= ms && (r.to == 0 || r.to > ms) ||
		slices.ContainsFunc(r.before, func(t [2]int64) bool { return t[0] <= ms && t[1] > ms })
}

// heldTable says when each memory was valid, newest memory first. It never changes.
type heldTable struct {
	rows []heldRow
	of   map[int64]int // by document
}

// heldCache keeps the table until a memory changes: asking the database about each document found took five times as
// long as the rest of a search.
type heldCache struct {
	mu    sync.Mutex
	table *heldTable
	epoch int64 // increases when memories change
}

// now returns the epoch in which a search begins.
func (c *heldCache) now() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.epoch
}

func (c *heldCache) drop(changed bool) {
	if !changed {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.table = nil
	c.epoch++
}

const heldQuery = `SELECT group_concat(concat_ws(',', m.doc_id, r.project_id, m.state <> 'active', m.valid_from, m.valid_to))
	FROM (SELECT * FROM memories ORDER BY doc_id DESC) m CROSS JOIN memory_roots r ON r.id = m.root_id`

// times returns the table as the search sees it.
func (ix *index) times(ctx context.Context) (*heldTable, error) {
	c := &ix.db.held
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.table != nil && c.epoch == ix.heldEpoch {
		return c.table, nil
	}
	t, err := ix.readTimes(ctx)
	if err == nil && c.epoch == ix.heldEpoch {
		c.table = t
	}
	return t, err
}

func (ix *index) readTimes(ctx context.Context) (*heldTable, error) {
	t := &heldTable{of: map[int64]int{}}
	var list *string
	if err := ix.get(ctx, &list, heldQuery); err != nil || list == nil {
		return t, err
	}
	n, err := parseIDs(*list)
	if err != nil {
		return nil, err
	}
	for five := range slices.Chunk(n, 5) {
		t.of[five[0]] = len(t.rows)
		t.rows = append(t.rows, heldRow{doc: five[0], project: five[1], away: five[2] != 0, from: five[3], to: five[4]})
	}
	var held []struct {
		ID   int64 `db:"doc_id"`
		Held string
	}
	err = ix.list(ctx, &held, `SELECT doc_id, held FROM memories WHERE held <> '[]'`)
	for _, h := range held {
		_ = json.Unmarshal([]byte(h.Held), &t.rows[t.of[h.ID]].before) // written by the index only
	}
	return t, err
}

// retired returns the newest memories of a scope that were valid at a moment but are out of use now.
func (t *heldTable) retired(sc scope, at time.Time, most int) (ids []int64) {
	for i := range t.rows {
		r := &t.rows[i]
		if r.away && len(ids) < most && r.at(at.UnixMilli()) &&
			(len(sc.projects) == 0 || slices.Contains(sc.projects, r.project)) {
			ids = append(ids, r.doc)
		}
	}
	return ids
}

// was reports whether a document is a memory, and whether that was valid at a moment.
func (t *heldTable) was(id int64, at time.Time) (memory, held bool) {
	i, ok := t.of[id]
	return ok, ok && t.rows[i].at(at.UnixMilli())
}
