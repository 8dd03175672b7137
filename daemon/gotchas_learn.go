package daemon

import (
	"context"
	"errors"
	"time"

	"keepmum/budget"
	"keepmum/gotcha"
	"keepmum/store"
)

// learnOn learns failures with their fixes, and routines, whenever the user is idle, until ctx ends.
func (d *Daemon) learnOn(ctx context.Context) error {
	if !d.o.Config.Context.Gotchas {
		return nil
	}
	idle := time.Duration(d.o.Config.Compress.Idle)
	d.hasWorked() // an earlier daemon may have stopped before it learned
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			return nil
		case <-d.worked:
		}
		for wait := idle; wait > 0 && ctx.Err() == nil; wait = d.quietIn(idle) {
			select {
			case <-ctx.Done():
			case <-time.After(wait):
			}
		}
		busy := func() bool { return d.runs.busy(d.o.Now(), idle) }
		err := d.learnFailures(ctx, busy)
		if err == nil {
			err = d.proposeRoutines(ctx, busy)
		}
		switch {
		case errors.Is(err, errBusy):
			d.hasWorked()
		case err != nil && ctx.Err() == nil:
			d.log.Warn("the latest sessions could not be read", "error", d.loggable(err))
		}
	}
	return nil
}

// quietIn returns the time until the user has been idle for so long.
func (d *Daemon) quietIn(idle time.Duration) time.Duration {
	d.runs.mu.Lock()
	defer d.runs.mu.Unlock()
	return d.runs.touched.Add(idle).Sub(d.o.Now())
}

// hasWorked records that a tool was used.
func (d *Daemon) hasWorked() {
	select {
	case d.worked <- struct{}{}:
	default:
	}
}

// learnFailures reads the sessions in which tools were used since its last run. It reads each session completely,
// because a failure may be fixed much later. It stops as soon as the user is active.
func (d *Daemon) learnFailures(ctx context.Context, busy func() bool) error {
	const again = 10 * time.Millisecond
	for !d.learning.TryLock() { // another goroutine is learning
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(again):
		}
	}
	defer d.learning.Unlock()
	return d.learnNow(ctx, busy)
}

// Limits for a request that reads ongoing sessions first: how long it may take, and up to how many documents the page
// tries it at all (more are read while the user is idle). A request is answered within five seconds, and the list
// itself needs a part of that.
const (
	learnTime  = 2 * time.Second
	soonEnough = 1000
)

// learnFor reads what happened since, as far as time permits, and reports whether something is left. What is already
// known can be shown in any case.
func (d *Daemon) learnFor(ctx context.Context, soon bool) (left bool) {
	ctx, cancel := context.WithTimeout(ctx, budget.Of(learnTime))
	defer cancel()
	behind, err := d.db.Unread(ctx)
	left = soon && behind > soonEnough
	if err == nil && !left {
		err = d.learnFailures(ctx, func() bool { return false })
	}
	if err != nil {
		d.log.Warn("failures could not be read", "error", d.loggable(err))
	}
	if left = left || err != nil; left {
		d.hasWorked()
	}
	return left
}

// learnNow is called with d.learning held.
func (d *Daemon) learnNow(ctx context.Context, busy func() bool) error {
	sessions, upto, err := d.db.Unlearned(ctx)
	if err != nil || upto == 0 {
		return err
	}
	for _, id := range sessions {
		if busy() {
			return errBusy
		}
		rows, err := d.db.Work(ctx, id)
		if err == nil {
			err = d.db.PutFailures(ctx, d.failures(rows))
		}
		if err != nil {
			return err
		}
	}
	return d.db.Learned(ctx, upto)
}

// failures returns the failures in the work of one session that were fixed in it.
func (d *Daemon) failures(rows []store.ObservationRow) (out []store.Failure) {
	var work []gotcha.Step
	docs := map[int64]store.ObservationRow{}
	for _, r := range rows {
		docs[r.ID] = r
		work = append(work, steps(r, r.Agent)...)
	}
	for _, f := range gotcha.Failures(work) {
		failed, passed := docs[f.Step], docs[f.Passed]
		for _, r := range f.Remedies {
			out = append(out, store.Failure{Signature: d.db.FailureMark(f.Sign),
				Remedy: d.db.FailureMark(string(r.How) + "\n" + r.What), How: string(r.How), Project: failed.ProjectID,
				Session: failed.SessionID, Doc: f.Step, MendedBy: r.Step, PassedBy: f.Passed, At: passed.Date.UnixMilli()})
		}
	}
	return out
}
