package store

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"
)

// idleConnection is how long a connection that only reads is kept for the next who
// reads: opening one takes a millisecond, what it remembers are megabytes.
const idleConnection = 30 * time.Second

// Searches is how many searches there were. Once no more come, [DB.Rest] is worth it.
func (db *DB) Searches() int64 { return db.searches.Load() }

// Rest gives back the memory in which connections and searches keep what they read.
// All of it can be read again; nobody waits for this.
func (db *DB) Rest(ctx context.Context) error {
	err := db.restSeekers()
	db.cache.clear()
	for _, pool := range []*sqlx.DB{db.read.DB, db.seeking} {
		pool.SetMaxIdleConns(0)
		pool.SetMaxIdleConns(readers)
	}
	if db.full != nil {
		return err
	}
	return errors.Join(err, db.writer.alone(ctx, func(conn *sqlx.Conn) error {
		_, err := conn.ExecContext(ctx, "PRAGMA shrink_memory")
		return err
	}))
}

// restSeekers closes the connections that no search uses now.
func (db *DB) restSeekers() (err error) {
	var idle []*seeker
	for range seekers {
		if s := db.seekers.tryTake(); s != nil {
			err = errors.Join(err, s.close())
			idle = append(idle, &seeker{})
		}
	}
	for _, s := range idle {
		db.seekers.put(s)
	}
	return err
}

// tryTake returns nil when all are in use.
func (p *seekerPool) tryTake() *seeker {
	select {
	case <-p.free:
		return p.last()
	default:
		return nil
	}
}

// clear forgets all documents.
func (c *docCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.young, c.old, c.bytes = map[int64]*candidate{}, map[int64]*candidate{}, 0
}
