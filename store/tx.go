package store

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"time"

	"github.com/jmoiron/sqlx"
)

// txState is the writer's state inside and between its transactions. Only the writer's goroutine touches it.
type txState struct {
	db             *DB
	conn           *sqlx.Conn
	stmts          map[string]*sqlx.Stmt
	now            int64                   // one time for the whole transaction
	sessions       map[sessionKey]*session // a cache; dropped when a transaction fails
	totals         map[totalKey]total      // changes, written once per transaction
	chain          string                  // hash of the newest ledger row
	kept           string                  // the same at the last commit
	anyForgotten   bool                    // something has been forgotten
	texts          *ForgottenTexts         // a cache; nil = not read yet
	stale          []int64                 // changed documents
	pending        pending                 // documents of which only the row is written
	rebuild        rebuilding              // progress of an index rebuild
	rebuilt        rebuilding              // the same at the last commit
	log            *logMark                // which database this is
	promptsChanged []int64                 // sessions whose prompts changed
	timesChanged   bool                    // the times at which memories are valid changed
	wrote          bool                    // a statement that changes the database was run
}

type sessionKey struct{ agent, native string }

type totalKey struct {
	project int64
	kind    Kind
}

type total struct{ docs, tokens, bytes int64 }

func newTxState(db *DB, conn *sqlx.Conn) *txState {
	return &txState{db: db, conn: conn, stmts: map[string]*sqlx.Stmt{},
		sessions: map[sessionKey]*session{}, totals: map[totalKey]total{}}
}

func (s *txState) begin() {
	s.now = s.db.now().UnixMilli()
	s.kept = s.chain
	s.rebuilt = s.rebuild
	s.pending.begin()
	s.stale, s.promptsChanged = s.stale[:0], s.promptsChanged[:0]
	s.timesChanged = false
	clear(s.totals)
}

// forget drops what was cached in a failed transaction.
func (s *txState) forget() {
	clear(s.sessions)
	clear(s.totals)
	s.chain = s.kept
	s.rebuild = s.rebuilt
	s.pending.undo()
	s.texts = nil
}

// mark and reset frame one member of a group, as its savepoint does.
type mark struct {
	totals       map[totalKey]total
	chain        string
	docs, folded int
	folds        int64
	rebuild      rebuilding
}

func (s *txState) mark() mark {
	return mark{maps.Clone(s.totals), s.chain, len(s.pending.docs), s.pending.folded, s.pending.mark, s.rebuild}
}

func (s *txState) reset(m mark) {
	s.totals, s.chain, s.rebuild = m.totals, m.chain, m.rebuild
	s.pending.docs, s.pending.folded, s.pending.mark = s.pending.docs[:m.docs], m.folded, m.folds
	clear(s.sessions)
}

// flush writes what is written once per transaction.
func (s *txState) flush() error {
	const add = `INSERT INTO totals (project_id, kind, docs, tokens, bytes) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET docs = docs + excluded.docs, tokens = tokens + excluded.tokens,
		bytes = bytes + excluded.bytes`
	for k, t := range s.totals {
		if err := s.exec(add, k.project, k.kind, t.docs, t.tokens, t.bytes); err != nil {
			return err
		}
	}
	return firstOf(s.saveMark(), s.noteCreated())
}

func (s *txState) count(project int64, kind Kind, t total) {
	k := totalKey{project, kind}
	old := s.totals[k]
	s.totals[k] = total{old.docs + t.docs, old.tokens + t.tokens, old.bytes + t.bytes}
}

// dropTotals removes the totals of a project that no longer exists.
func (s *txState) dropTotals(project int64) error {
	for k := range s.totals {
		if k.project == project {
			delete(s.totals, k)
		}
	}
	return s.exec(`DELETE FROM totals WHERE project_id = ?`, project)
}

func (s *txState) prepare(query string) (*sqlx.Stmt, error) {
	if st := s.stmts[query]; st != nil {
		return st, nil
	}
	st, err := s.conn.PreparexContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	s.stmts[query] = st
	return st, nil
}

// exec runs a statement that changes the database.
func (s *txState) exec(query string, args ...any) error {
	_, err := s.change(query, args)
	return err
}

// run runs a statement that changes nothing itself, such as those that control transactions.
func (s *txState) run(query string) error {
	st, err := s.prepare(query)
	if err != nil {
		return err
	}
	_, err = st.Exec()
	return err
}

func (s *txState) change(query string, args []any) (sql.Result, error) {
	st, err := s.prepare(query)
	if err != nil {
		return nil, err
	}
	res, err := st.Exec(args...)
	s.wrote = s.wrote || err == nil
	return res, err
}

// insert returns the id of the new row.
func (s *txState) insert(query string, args ...any) (int64, error) {
	res, err := s.change(query, args)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// changed runs a statement and returns how many rows it changed.
func (s *txState) changed(query string, args ...any) (int64, error) {
	res, err := s.change(query, args)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// get reads one row. It returns false if there is none.
func (s *txState) get(dest any, query string, args ...any) (bool, error) {
	st, err := s.prepare(query)
	if err != nil {
		return false, err
	}
	err = st.Get(dest, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

func (s *txState) list(dest any, query string, args ...any) error {
	st, err := s.prepare(query)
	if err != nil {
		return err
	}
	return st.Select(dest, args...)
}

// at returns a time as stored in the database. The zero time means now, and so does one in the future: no clock is a
// day fast, and an entry dated in years would be the newest one until then.
func (s *txState) at(t time.Time) int64 {
	if t.IsZero() || t.UnixMilli() > s.now+(24*time.Hour).Milliseconds() {
		return s.now
	}
	return t.UnixMilli()
}
