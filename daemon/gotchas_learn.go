package daemon

import (
	"context"
	"errors"
	"time"

	"keepmum/budget"
	"keepmum/gotcha"
	"keepmum/store"
)

// learnOn looks for failures and their remedies, and for what is done in the same order each time,
// whenever nobody was at work for a while, until ctx ends.
func (d *Daemon) learnOn(ctx context.Context) error {
	if !d.o.Config.Context.Gotchas {
		return nil
	}
	idle := time.Duration(d.o.Config.Compress.Idle)
	d.hasWorked() // a daemon before this one may have stopped before it looked
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
			d.log.Warn("the latest sessions were not looked at", "error", d.loggable(err))
		}
	}
	return nil
}

// quietIn is how long it takes until nobody was at work for so long.
func (d *Daemon) quietIn(idle time.Duration) time.Duration {
	d.runs.mu.Lock()
	defer d.runs.mu.Unlock()
	return d.runs.touched.Add(idle).Sub(d.o.Now())
}

// hasWorked says that a tool was used.
func (d *Daemon) hasWorked() {
	select {
	case d.worked <- struct{}{}:
	default:
	}
}

// learnFailures reads the sessions in which tools were used since it last did. One session
// is read whole: its failure may have been fixed long after. It makes way for who is at work.
func (d *Daemon) learnFailures(ctx context.Context, busy func() bool) error {
	const again = 10 * time.Millisecond
	for !d.learning.TryLock() { // somebody is at it
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(again):
		}
	}
	defer d.learning.Unlock()
	return d.learnNow(ctx, busy)
}

// How long somebody who looks waits for what goes on to be read, and of how many documents
// that is tried at all on the page: more are read when nobody is at work. An answer is waited for
// five seconds, and the list needs some of them.
const (
	learnTime  = 2 * time.Second
	soonEnough = 1000
)

// learnFor reads what went on since, as far as there is time for it, and reports whether something
// is left. What is known can be shown in any case.
func (d *Daemon) learnFor(ctx context.Context, soon bool) (left bool) {
	ctx, cancel := context.WithTimeout(ctx, budget.Of(learnTime))
	defer cancel()
	behind, err := d.db.Unread(ctx)
	left = soon && behind > soonEnough
	if err == nil && !left {
		err = d.learnFailures(ctx, func() bool { return false })
	}
	if err != nil {
		d.log.Warn("failures were not looked at", "error", d.loggable(err))
	}
	if left = left || err != nil; left {
		d.hasWorked()
	}
	return left
}

// learnNow is done by one at a time.
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

// failures are those of one session's work that were fixed in it.
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
