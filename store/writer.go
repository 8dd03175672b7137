package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
)

// maxGroup limits how many calls share one transaction, and so how long the first of them waits for the others.
const maxGroup = 256

// joinWait limits how long a commit waits for writes that were announced. It takes about as long itself.
const joinWait = time.Millisecond

// writer owns the one connection that writes. Calls that arrive during a commit share the next one, so that together
// they pay for one durable commit.
type writer struct {
	db     *DB
	conn   *sqlx.Conn
	calls  chan *call
	mu     sync.RWMutex // guards closed against sends on calls
	closed bool
	done   chan struct{}
	health health
	state  *txState
	mark   *logMark

	joinWait time.Duration
}

type call struct {
	do     func(*txState) error
	light  bool                   // neither reads nor changes what is derived from documents
	settle bool                   // instead of do: only fold in what is waiting
	alone  func(*sqlx.Conn) error // instead of do: outside any transaction
	answer chan error
	err    error
}

// startWriter starts the goroutine that writes; [writer.stop] waits for it.
func startWriter(ctx context.Context, db *DB) (*writer, error) {
	conn, err := db.write.Connx(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{db: db, conn: conn, calls: make(chan *call, maxGroup), done: make(chan struct{}),
		joinWait: joinWait}
	if db.full != nil {
		w.note(db.full)
		go w.refuse(db.full)
		return w, nil
	}
	w.state = newTxState(db, conn)
	if err := errors.Join(w.state.loadChain(), w.state.loadGraves(), w.state.loadRebuild(),
		w.state.loadPending()); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	w.mark = &logMark{path: markPath(db.path)}
	w.state.log = w.mark
	if err := w.state.checkLog(w.mark); err != nil {
		db.log.Debug("the write-ahead log was not checked for losses", "error", err) // the next start tries again
	}
	_ = w.settle() // the error is recorded; what is there can be read
	db.noteFiles(false)
	db.waiting.Store(int64(len(w.state.pending.docs)))
	go w.run()
	return w, nil
}

// do runs f in a transaction and returns when it is durable. If the caller gives up early, the write still happens.
func (w *writer) do(ctx context.Context, f func(*txState) error) error {
	return w.wait(ctx, &call{do: f, answer: make(chan error, 1)})
}

// write is do for an f that finds something out. If the caller gives up early, f may still be running, and its result
// belongs to nobody.
func write[T any](ctx context.Context, w *writer, f func(*txState) (T, error)) (T, error) {
	var found, none T
	err := w.do(ctx, func(s *txState) (err error) { found, err = f(s); return err })
	if err != nil {
		return none, err
	}
	return found, nil
}

// doLight is do for an f that does not need what is derived from documents, so that it need not be up to date.
func (w *writer) doLight(ctx context.Context, f func(*txState) error) error {
	return w.wait(ctx, &call{do: f, light: true, answer: make(chan error, 1)})
}

func (w *writer) wait(ctx context.Context, c *call) error {
	if err := w.send(ctx, c); err != nil {
		return err
	}
	select {
	case err := <-c.answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// alone runs f on the writer's connection while no transaction is open.
func (w *writer) alone(ctx context.Context, f func(*sqlx.Conn) error) error {
	c := &call{alone: f, answer: make(chan error, 1)}
	if err := w.send(ctx, c); err != nil {
		return err
	}
	return translate(<-c.answer)
}

func (w *writer) send(ctx context.Context, c *call) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return ErrClosed
	}
	select {
	case w.calls <- c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stop finishes the accepted calls. It returns false if the writer was already stopped.
func (w *writer) stop() bool {
	w.mu.Lock()
	was := w.closed
	w.closed = true
	if !was {
		close(w.calls)
	}
	w.mu.Unlock()
	<-w.done
	return !was
}

// refuse answers every call with an error.
func (w *writer) refuse(err error) {
	defer close(w.done)
	defer w.conn.Close()
	for c := range w.calls {
		c.answer <- err
	}
}

func (w *writer) run() {
	defer close(w.done)
	defer w.conn.Close()
	rest := time.NewTimer(foldRest)
	defer rest.Stop()
	group := make([]*call, 0, maxGroup)
	for {
		select {
		case first, ok := <-w.calls:
			if !ok {
				_ = w.settle() // the next start folds in what is not written
				w.mark.note(w.state.pending.mark, true)
				return
			}
			w.take(group, first)
			w.mark.note(w.state.pending.mark, false)
			rest.Reset(foldRest)
		case <-rest.C:
			_ = w.settle() // the error is recorded; the next reader tries again
			w.mark.note(w.state.pending.mark, true)
		}
		w.db.waiting.Store(int64(len(w.state.pending.docs)))
	}
}

// take serves a call together with those already waiting.
func (w *writer) take(group []*call, first *call) {
	var last *call
	w.state.wrote = false
	if first.apart() {
		group, last = group[:0], first
	} else {
		group, last = w.gather(append(group[:0], first))
	}
	if len(group) > 0 {
		w.commit(group)
	}
	if last != nil {
		err := w.runApart(last)
		w.note(err)
		last.answer <- err
	} else if w.state.pending.large() {
		_ = w.settle() // the error is recorded
	}
}

// runApart folds in what is waiting, and runs a call that needs to be alone.
func (w *writer) runApart(c *call) error {
	if err := errors.Join(w.settle(), w.db.findable()); err != nil || c.alone == nil {
		return err
	}
	if err := w.db.beginWrite(); err != nil {
		return err
	}
	defer w.db.endWrite(false)
	return c.alone(w.conn)
}

// apart reports whether a call needs to run outside a group.
func (c *call) apart() bool { return c.alone != nil || c.settle }

// gather adds the calls already waiting, and those announced that come in time. One that must run alone ends the group
// and is returned to run after it.
func (w *writer) gather(group []*call) ([]*call, *call) {
	var late <-chan time.Time
	for len(group) < maxGroup {
		c, ok := w.next(&late, int64(len(group)) < w.db.coming.Load())
		if !ok {
			return group, nil
		}
		if c.apart() {
			return group, c
		}
		group = append(group, c)
	}
	return group, nil
}

// next returns the next call, if one is waiting or comes in time.
func (w *writer) next(late *<-chan time.Time, wait bool) (c *call, ok bool) {
	select {
	case c, ok = <-w.calls:
		return c, ok
	default:
	}
	if !wait {
		return nil, false
	}
	if *late == nil {
		*late = time.After(w.joinWait)
	}
	select {
	case c, ok = <-w.calls:
		return c, ok
	case <-*late:
		return nil, false
	}
}

// commit runs a group in one transaction and then answers each call.
func (w *writer) commit(group []*call) {
	err := w.transact(group)
	if err != nil {
		w.state.forget() // drop what the members cached
		err = translate(fmt.Errorf("write to the database: %w", err))
	} else {
		err = w.db.written() // acknowledge nothing that the next start would not find
	}
	w.db.waiting.Store(int64(len(w.state.pending.docs))) // before any caller learns that there is more
	for _, c := range group {
		if err != nil {
			c.err = err
		}
		w.note(c.err)
		c.answer <- c.err
	}
}

// transact runs a group; an empty one folds in what is waiting.
func (w *writer) transact(group []*call) error {
	w.state.begin()
	if err := w.db.beginWrite(); err != nil {
		return err
	}
	defer w.db.endWrite(true)
	if err := w.state.run("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	switch len(group) {
	case 0:
		if err := w.state.fold(); err != nil {
			return w.rollback(err)
		}
	case 1:
		if ok, err := w.only(group[0]); !ok {
			return err
		}
	default:
		for _, c := range group {
			if err := w.member(c); err != nil {
				return w.rollback(err)
			}
		}
	}
	return w.end(len(group))
}

// end commits a transaction.
func (w *writer) end(calls int) error {
	if err := w.state.flush(); err != nil {
		return w.rollback(err)
	}
	began := time.Now()
	if err := w.state.run("COMMIT"); err != nil {
		return w.rollback(damage(err))
	}
	w.state.pending.done()
	w.db.seal.last = w.state.pending.mark
	w.db.rebuilding.Store(w.state.rebuild.Top > 0)
	w.db.cache.drop(w.state.stale)
	w.db.orders.drop(w.state.promptsChanged)
	w.db.held.drop(w.state.timesChanged)
	if w.db.committed != nil && calls > 0 {
		w.db.committed(time.Since(began), calls)
	}
	return nil
}

// only runs the single call of a transaction. It needs no savepoint, because undoing the call undoes the transaction;
// keeping pages for a savepoint costs a tenth of a write. It reports whether there is something to commit.
func (w *writer) only(c *call) (ok bool, err error) {
	if err := w.prepare(c); err != nil {
		return false, w.rollback(err)
	}
	if c.err = c.do(w.state); c.err == nil {
		return true, nil
	}
	c.err = translate(c.err)
	w.state.forget()
	_ = w.rollback(c.err)
	if errors.Is(c.err, ErrFull) || errors.Is(c.err, ErrCorrupt) {
		return false, c.err
	}
	return false, nil
}

// prepare folds in what a call may need.
func (w *writer) prepare(c *call) error {
	if c.light {
		return nil
	}
	return w.state.fold()
}

// member runs one call of a group under a savepoint, so that its failure undoes only its own work. The error it returns
// ends the whole transaction.
func (w *writer) member(c *call) error {
	if err := w.prepare(c); err != nil {
		return err
	}
	if err := w.state.run("SAVEPOINT member"); err != nil {
		return err
	}
	mark := w.state.mark()
	if c.err = c.do(w.state); c.err == nil {
		return w.state.run("RELEASE member")
	}
	c.err = translate(c.err)
	w.state.reset(mark)
	if errors.Is(c.err, ErrFull) || errors.Is(c.err, ErrCorrupt) {
		return c.err // SQLite may have rolled back everything
	}
	if err := w.state.run("ROLLBACK TO member"); err != nil {
		return err
	}
	return w.state.run("RELEASE member")
}

// note records the outcome of a call. A call that only read says nothing about writing: even a read-only file accepts
// the commit of a transaction without changes.
func (w *writer) note(err error) {
	switch {
	case err != nil:
		w.health.failed(err)
	case w.state.wrote:
		w.health.kept()
	}
}

func (w *writer) rollback(err error) error {
	// If SQLite rolled back on its own, no transaction is open.
	_, _ = w.conn.ExecContext(context.Background(), "ROLLBACK")
	return err
}
