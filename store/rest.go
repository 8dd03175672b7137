package store

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"
)

// idleConnection is how long an unused read connection is kept: opening one takes a millisecond, keeping one takes
// megabytes.
const idleConnection = 30 * time.Second

// Searches returns how many searches there have been. When the number stops growing, it is time for [DB.Rest].
func (db *DB) Searches() int64 { return db.searches.Load() }

// Rest frees the memory in which connections and searches cache what they read. All of it can be read again; nobody
// waits for this.
func (db *DB) Rest(ctx context.Context) error {
	err := db.restSeekers()
	db.cache.clear()
	for _, pool := range []*sqlx.DB{db.read.DB, db.seeking} {
		pool.SetMaxIdleConns(0)
		pool.SetMaxIdleConns(readers)
	}
	if db.full == nil {
		err = errors.Join(err, db.writer.alone(ctx, func(conn *sqlx.Conn) error {
			_, err := conn.ExecContext(ctx, "PRAGMA shrink_memory")
			return err
		}))
	}
	return errors.Join(err, trim())
}

// restSeekers closes the search connections that are not in use.
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

// tryTake returns nil if all are in use.
func (p *seekerPool) tryTake() *seeker {
	select {
	case <-p.free:
		return p.last()
	default:
		return nil
	}
}

// clear removes all documents.
func (c *docCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.young, c.old, c.bytes = map[int64]*candidate{}, map[int64]*candidate{}, 0
}
