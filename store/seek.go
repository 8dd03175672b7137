package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/jmoiron/sqlx"
)

// seekers is how many searches read at the same time; others wait.
const seekers = 3

// seeker is a connection for searches only. Its statements stay prepared, and a search sees one state of the database.
// Without a transaction, each statement would begin its own, and drop the cached pages if something was written
// meanwhile.
type seeker struct {
	conn  *sqlx.Conn // nil until first used
	stmts map[string]*sqlx.Stmt
	words lexicon
	epoch int64 // of the documents it sees

	orderEpoch int64 // of the order of their prompts
	heldEpoch  int64 // of when memories were valid
}

// seekerPool hands out the connection that was used last, because it has the most cached.
type seekerPool struct {
	free chan struct{} // holds one token for each idle seeker
	mu   sync.Mutex
	idle []*seeker
}

func newSeekers() *seekerPool {
	p := &seekerPool{free: make(chan struct{}, seekers)}
	for range seekers {
		p.put(&seeker{})
	}
	return p
}

func (p *seekerPool) take(ctx context.Context) (*seeker, error) {
	select {
	case <-p.free:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return p.last(), nil
}

func (p *seekerPool) last() *seeker {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.idle[len(p.idle)-1]
	p.idle = p.idle[:len(p.idle)-1]
	return s
}

func (p *seekerPool) put(s *seeker) {
	p.mu.Lock()
	p.idle = append(p.idle, s)
	p.mu.Unlock()
	p.free <- struct{}{}
}

// seek takes a connection and begins to read. [DB.release] returns it.
func (db *DB) seek(ctx context.Context) (*seeker, error) {
	db.searches.Add(1)
	db.settle(ctx)
	s, err := db.seekers.take(ctx)
	if err != nil {
		return nil, err
	}
	if s.conn == nil {
		conn, err := db.seeking.Connx(ctx)
		if err != nil {
			db.seekers.put(s)
			return nil, err
		}
		s.conn, s.stmts = conn, map[string]*sqlx.Stmt{}
	}
	s.epoch, s.orderEpoch, s.heldEpoch = db.cache.now(), db.orders.now(), db.held.now()
	if err := s.exec(ctx, "BEGIN"); err != nil {
		return nil, errors.Join(err, db.release(ctx, s))
	}
	return s, nil
}

// release ends the read. A connection on which that fails is closed.
func (db *DB) release(ctx context.Context, s *seeker) error {
	err := s.exec(context.WithoutCancel(ctx), "ROLLBACK")
	if err != nil {
		err = s.close()
	}
	db.seekers.put(s)
	return err
}

func (s *seeker) close() error {
	if s.conn == nil {
		return nil
	}
	var err error
	for _, st := range s.stmts {
		err = errors.Join(err, st.Close())
	}
	err = errors.Join(err, s.conn.Close())
	s.conn, s.stmts = nil, nil
	return err
}

// closeSeekers waits for running searches.
func (db *DB) closeSeekers() error {
	var err error
	for range seekers {
		s, terr := db.seekers.take(context.Background())
		if terr == nil {
			terr = s.close()
		}
		err = errors.Join(err, terr)
	}
	return errors.Join(err, db.seeking.Close())
}

// prepare also removes cancellation from the context, because each cancellable statement costs two goroutines. A search
// checks between its statements whether it was cancelled.
func (s *seeker) prepare(ctx context.Context, query string) (context.Context, *sqlx.Stmt, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	ctx = context.WithoutCancel(ctx)
	if st := s.stmts[query]; st != nil {
		return ctx, st, nil
	}
	st, err := s.conn.PreparexContext(ctx, query)
	if err == nil {
		s.stmts[query] = st
	}
	return ctx, st, err
}

func (s *seeker) exec(ctx context.Context, query string) error {
	ctx, st, err := s.prepare(ctx, query)
	if err == nil {
		_, err = st.ExecContext(ctx)
	}
	return err
}

func (s *seeker) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	ctx, st, err := s.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return st.QueryContext(ctx, args...)
}

func (s *seeker) get(ctx context.Context, dest any, query string, args ...any) error {
	ctx, st, err := s.prepare(ctx, query)
	if err != nil {
		return err
	}
	return st.GetContext(ctx, dest, args...)
}

func (s *seeker) list(ctx context.Context, dest any, query string, args ...any) error {
	ctx, st, err := s.prepare(ctx, query)
	if err != nil {
		return err
	}
	return st.SelectContext(ctx, dest, args...)
}
