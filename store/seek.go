package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"
)

// seekers is how many searches read at a time; more of them wait.
const seekers = 3

// seeker is a connection that only searches use. Its statements stay prepared,
// and a search sees one state of the database: every statement outside of a
// transaction would begin one, and drop the pages that are kept if something
// was written meanwhile.
type seeker struct {
	conn  *sqlx.Conn // nil until it is needed
	stmts map[string]*sqlx.Stmt
	words lexicon
	epoch int64 // of the documents that it sees
}

func newSeekers() chan *seeker {
	idle := make(chan *seeker, seekers)
	for range seekers {
		idle <- &seeker{}
	}
	return idle
}

// seek takes a connection and begins to read. [DB.release] gives it back.
func (db *DB) seek(ctx context.Context) (*seeker, error) {
	var s *seeker
	select {
	case s = <-db.seekers:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s.conn == nil {
		conn, err := db.seeking.Connx(ctx)
		if err != nil {
			db.seekers <- s
			return nil, err
		}
		s.conn, s.stmts = conn, map[string]*sqlx.Stmt{}
	}
	s.epoch = db.cache.now()
	if err := s.exec(ctx, "BEGIN"); err != nil {
		return nil, errors.Join(err, db.release(ctx, s))
	}
	return s, nil
}

// release ends the reading. A connection that cannot end it is not used again.
func (db *DB) release(ctx context.Context, s *seeker) error {
	err := s.exec(context.WithoutCancel(ctx), "ROLLBACK")
	if err != nil {
		err = s.close()
	}
	db.seekers <- s
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

// closeSeekers waits for the searches that are under way.
func (db *DB) closeSeekers() error {
	var err error
	for range seekers {
		err = errors.Join(err, (<-db.seekers).close())
	}
	return errors.Join(err, db.seeking.Close())
}

func (s *seeker) prepare(ctx context.Context, query string) (*sqlx.Stmt, error) {
	if st := s.stmts[query]; st != nil {
		return st, nil
	}
	st, err := s.conn.PreparexContext(ctx, query)
	if err == nil {
		s.stmts[query] = st
	}
	return st, err
}

func (s *seeker) exec(ctx context.Context, query string) error {
	st, err := s.prepare(ctx, query)
	if err == nil {
		_, err = st.ExecContext(ctx)
	}
	return err
}

func (s *seeker) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	st, err := s.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return st.QueryContext(ctx, args...)
}

func (s *seeker) get(ctx context.Context, dest any, query string, args ...any) error {
	st, err := s.prepare(ctx, query)
	if err != nil {
		return err
	}
	return st.GetContext(ctx, dest, args...)
}

func (s *seeker) list(ctx context.Context, dest any, query string, args ...any) error {
	st, err := s.prepare(ctx, query)
	if err != nil {
		return err
	}
	return st.SelectContext(ctx, dest, args...)
}
