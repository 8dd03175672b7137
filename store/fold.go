package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"
)

// What is derived from a document (its index entry, the totals, the counters of its session, its job) is most of what a
// commit writes. So an event is committed as its row alone, and the rest is written for a group of documents: when the
// group is large, when there is nothing else to do, and before anyone reads or changes anything else. A mark in meta
// records the last document that is folded in; after a crash, the next start folds in the documents above it. The fold
// needs no sync of its own: whatever a power cut loses is written again.
const (
	foldDocs    = 128     // half as many make a group cost a tenth more for each event
	foldBytes   = 1 << 20 // of text
	maxUnfolded = 2_000   // maximum that waits if the index cannot be written
	foldRest    = 200 * time.Millisecond
	foldMark    = "indexed" // key in meta
)

// pending holds the documents above the mark, in order of id.
type pending struct {
	docs   []*docRow
	bytes  int64
	folded int // how many of them this transaction has folded in
	base   int // how many there were when it began

	mark, keptMark int64 // the last document folded in, now and at the last commit
}

func (p *pending) begin() { p.folded, p.base, p.keptMark = 0, len(p.docs), p.mark }

// undo drops what a failed transaction added.
func (p *pending) undo() { p.docs, p.folded, p.mark = p.docs[:p.base], 0, p.keptMark }

// done drops what a committed transaction folded in.
func (p *pending) done() {
	p.docs = append(p.docs[:0], p.docs[p.folded:]...)
	clear(p.docs[len(p.docs):cap(p.docs)])
	p.folded, p.bytes = 0, 0
	for _, d := range p.docs {
		p.bytes += int64(len(d.indexed))
	}
}

func (p *pending) large() bool { return len(p.docs) >= foldDocs || p.bytes >= foldBytes }

// damage classifies an error of the index, which may come as late as the commit: if it is not a fault of the disk, the
// index is corrupt.
func damage(err error) error {
	if err != nil && !IsFault(translate(err)) {
		return fmt.Errorf("%w: its index cannot be written: %w", ErrCorrupt, err)
	}
	return err
}

// fold writes what is derived from the waiting documents.
func (s *txState) fold() error {
	type unit struct{ session, turn int64 }
	type counted struct{ docs, last int64 }
	units, sessions := map[unit]bool{}, map[int64]counted{}
	for ; s.pending.folded < len(s.pending.docs); s.pending.folded++ {
		d := s.pending.docs[s.pending.folded]
		if err := s.addEntry(d); err != nil {
			return err
		}
		c := sessions[d.Session]
		sessions[d.Session] = counted{c.docs + 1, max(c.last, d.At)}
		u := unit{d.Session, d.answers()}
		if !units[u] {
			units[u] = true
			if err := s.enqueue(JobTurn, &session{ID: d.Session, Project: d.Project}, u.turn); err != nil {
				return err
			}
		}
	}
	for id, c := range sessions {
		if err := s.exec(`UPDATE sessions SET docs = docs + ?, last = max(last, ?) WHERE id = ?`, c.docs, c.last,
			id); err != nil {
			return err
		}
	}
	return nil
}

// answers returns the turn whose job covers a document.
func (d *docRow) answers() int64 {
	if d.Kind == KindPrompt && d.Role == string(RoleUser) {
		return d.ID
	}
	return d.Turn
}

// saveMark records the last document that is folded in.
func (s *txState) saveMark() error {
	if s.pending.mark == s.pending.keptMark {
		return nil
	}
	if err := s.log.name(s); err != nil {
		return err
	}
	return s.exec(`INSERT INTO meta (key, value) VALUES ('indexed', ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
		strconv.FormatInt(s.pending.mark, 10))
}

// loadPending reads the documents that a crash left above the mark.
func (s *txState) loadPending() error {
	if _, err := s.get(&s.pending.mark, `SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?`, foldMark); err != nil {
		return err
	}
	var rows []docRow
	if err := s.list(&rows, `SELECT `+docColumns+` FROM docs d WHERE d.id > ? ORDER BY d.id`, s.pending.mark); err != nil {
		return err
	}
	for i := range rows {
		rows[i].indexed = indexText(&rows[i])
		s.pending.docs = append(s.pending.docs, &rows[i])
	}
	return nil
}

// settle folds in what is waiting, in a transaction of its own that does not wait for the disk.
func (w *writer) settle() error {
	if len(w.state.pending.docs) == 0 {
		return nil
	}
	// This pragma takes effect when it is compiled, so it cannot be a prepared statement.
	if _, err := w.conn.ExecContext(context.Background(), "PRAGMA synchronous = NORMAL"); err != nil {
		return err
	}
	err := w.transact(nil)
	if err != nil {
		w.state.forget()
		err = translate(fmt.Errorf("write the index: %w", err))
		w.note(err)
	}
	_, perr := w.conn.ExecContext(context.Background(), "PRAGMA synchronous = FULL")
	return errors.Join(err, perr)
}

// readTime is how much of its time a reader with a deadline keeps for reading: it does not wait for the fold beyond
// that.
const readTime = 200 * time.Millisecond

// settle waits until everything acknowledged is in the index and the totals. If that fails or takes too long, the
// reader reads what is there.
func (db *DB) settle(ctx context.Context) {
	if db.waiting.Load() == 0 || db.full != nil {
		return
	}
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end.Add(-readTime))
		defer cancel()
	}
	c := &call{settle: true, answer: make(chan error, 1)}
	if db.writer.send(ctx, c) != nil {
		return
	}
	select {
	case err := <-c.answer:
		_ = err // the next writer reports it; the reader reads what is there
	case <-ctx.Done():
	}
}

// reader reads after everything is folded in.
type reader struct {
	*sqlx.DB
	db *DB
}

// SelectContext reads rows.
func (r *reader) SelectContext(ctx context.Context, dest any, query string, args ...any) error {
	r.db.settle(ctx)
	return r.DB.SelectContext(ctx, dest, query, args...)
}

// GetContext reads one row.
func (r *reader) GetContext(ctx context.Context, dest any, query string, args ...any) error {
	r.db.settle(ctx)
	return r.DB.GetContext(ctx, dest, query, args...)
}

// Select is for tests.
func (r *reader) Select(dest any, query string, args ...any) error {
	return r.SelectContext(context.Background(), dest, query, args...)
}

// Get is for tests.
func (r *reader) Get(dest any, query string, args ...any) error {
	return r.GetContext(context.Background(), dest, query, args...)
}

// QueryRowxContext reads one row.
func (r *reader) QueryRowxContext(ctx context.Context, query string, args ...any) *sqlx.Row {
	r.db.settle(ctx)
	return r.DB.QueryRowxContext(ctx, query, args...)
}

// QueryxContext reads rows.
func (r *reader) QueryxContext(ctx context.Context, query string, args ...any) (*sqlx.Rows, error) {
	r.db.settle(ctx)
	return r.DB.QueryxContext(ctx, query, args...)
}

// QueryContext reads rows.
func (r *reader) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	r.db.settle(ctx)
	return r.DB.QueryContext(ctx, query, args...)
}
