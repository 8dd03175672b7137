package daemon

import (
	"context"
	"errors"
	"sync"
	"time"

	"keepmum/distill"
	"keepmum/store"
)

// runs is the schedule of sync and maintain. All times are from the daemon's clock.
type runs struct {
	mu       sync.Mutex
	touched  time.Time // time of the user's last activity
	sync     time.Time // when the next sync is due
	maintain time.Time // when the next maintain is due if something has changed by then
	daily    time.Time // when it is due in any case
	dirty    bool      // memories changed since the last maintain
	asked    *distill.SyncOptions
	wake     chan struct{}
}

// firstSync delays the first run, so that a daemon that was just started answers first.
const firstSync = time.Minute

// retryDelay is the delay before an interrupted run is tried again.
const retryDelay = time.Minute

func newRuns() *runs { return &runs{wake: make(chan struct{}, 1)} }

func (r *runs) nudge() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// touch records activity of the user: no run starts until it is quiet.
func (r *runs) touch(now time.Time) {
	r.mu.Lock()
	r.touched = now
	r.mu.Unlock()
}

// ended records the end of a session: it is read as soon as it has settled.
func (r *runs) ended(at time.Time) {
	r.mu.Lock()
	if at.Before(r.sync) {
		r.sync = at
	}
	r.mu.Unlock()
	r.nudge()
}

// wrote records that a run changed memories.
func (r *runs) wrote(changed bool) {
	r.mu.Lock()
	r.dirty = r.dirty || changed
	r.mu.Unlock()
}

// ask queues a run that should start immediately; false if another one is queued.
func (r *runs) ask(o distill.SyncOptions) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked != nil {
		return false
	}
	r.asked = &o
	r.nudge()
	return true
}

func (r *runs) taken() *distill.SyncOptions {
	r.mu.Lock()
	defer r.mu.Unlock()
	o := r.asked
	r.asked = nil
	return o
}

// next returns which run is due first, and when: not before the user has been idle for the given time.
func (r *runs) next(now time.Time, idle time.Duration) (store.RunKind, time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	kind, at := store.RunSync, r.sync
	tidy := r.daily
	if r.dirty && r.maintain.Before(tidy) {
		tidy = r.maintain
	}
	if tidy.Before(at) {
		kind, at = store.RunMaintain, tidy
	}
	if quiet := r.touched.Add(idle); at.Before(quiet) {
		at = quiet
	}
	if at.Before(now) {
		at = now
	}
	return kind, at
}

// busy reports whether the user was active a moment ago.
func (r *runs) busy(now time.Time, idle time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return now.Sub(r.touched) < idle
}

// planRuns continues the schedule of the last daemon.
func (d *Daemon) planRuns(ctx context.Context) error {
	now := d.o.Now()
	r := d.runs
	last, err := d.db.Runs(ctx, store.RunMaintain, 1)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sync, r.maintain, r.daily = now.Add(firstSync), now.Add(time.Duration(d.o.Config.Maintain.Interval)),
		now.Add(24*time.Hour)
	if len(last) > 0 {
		r.daily = time.UnixMilli(last[0].Started).Add(24 * time.Hour)
	}
	return err
}

// runOn starts runs when they are due and the user is idle, and requested runs immediately, until ctx ends. There is
// one goroutine, so runs never overlap.
func (d *Daemon) runOn(ctx context.Context) error {
	if err := d.planRuns(ctx); err != nil && ctx.Err() == nil {
		d.log.Warn("the time of the last maintenance cannot be read", "error", err)
	}
	idle := time.Duration(d.o.Config.Compress.Idle)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for ctx.Err() == nil {
		if o := d.runs.taken(); o != nil {
			d.syncNow(ctx, *o)
			continue
		}
		kind, at := d.runs.next(d.o.Now(), idle)
		wait := at.Sub(d.o.Now())
		if wait <= 0 && d.o.Config.Sync.Enabled {
			d.runDue(ctx, kind, idle)
			continue
		}
		if !d.o.Config.Sync.Enabled {
			wait = 24 * time.Hour
		}
		timer.Reset(wait)
		select {
		case <-ctx.Done():
		case <-d.runs.wake:
		case <-timer.C:
		}
	}
	return nil
}

// runDue does the run that is due, and schedules the next one of its kind.
func (d *Daemon) runDue(ctx context.Context, kind store.RunKind, idle time.Duration) {
	defer d.rest(ctx) // release the memory that sessions and memories took, because the next run is far off
	r := d.runs
	if kind == store.RunMaintain {
		d.maintainNow(ctx, idle)
		d.pruneTraces()
		r.mu.Lock()
		r.maintain, r.daily, r.dirty = d.o.Now().Add(time.Duration(d.o.Config.Maintain.Interval)),
			d.o.Now().Add(24*time.Hour), false
		r.mu.Unlock()
		return
	}
	cfg := d.o.Config.Sync
	window, err := distill.ParseWindow("", "", "", cfg.Window, d.o.Now())
	if err != nil {
		d.log.Error("sync.window cannot be read", "error", err)
		return
	}
	r.mu.Lock()
	r.sync = d.o.Now().Add(time.Duration(cfg.Interval))
	r.mu.Unlock()
	stopped := d.syncNow(ctx, distill.SyncOptions{Window: window, Agents: cfg.Agents, MaxSessions: cfg.MaxSessions,
		Yield: func() bool { return r.busy(d.o.Now(), idle) }})
	if stopped {
		r.ended(d.o.Now().Add(retryDelay))
	}
}

// syncNow runs sync and logs the result; true if it stopped because the user became active.
func (d *Daemon) syncNow(ctx context.Context, o distill.SyncOptions) (stopped bool) {
	rep, err := distill.Sync(ctx, d.world(), o)
	var busy *distill.BusyError
	switch {
	case errors.As(err, &busy):
		d.log.Debug("sync waits for another run", "run", busy.Owner.Run)
	case err != nil && ctx.Err() == nil:
		d.log.Error("sync failed", "run", rep.RunID, "error", d.loggable(err))
	case rep.Extracted+rep.Failed > 0:
		d.log.Info("sync", "run", rep.RunID, "sessions", rep.Extracted, "added", rep.Decisions+rep.Learnings, "updated",
			rep.Updated, "failed", rep.Failed, "took", rep.Took)
	}
	d.runs.wrote(rep.Decisions+rep.Learnings+rep.Updated > 0)
	return rep.Stopped
}

func (d *Daemon) maintainNow(ctx context.Context, idle time.Duration) {
	projects, err := d.memoryProjects(ctx, "")
	if err == nil {
		_, err = distill.Maintain(ctx, d.world(),
			distill.MaintainOptions{Projects: projects, Yield: func() bool { return d.runs.busy(d.o.Now(), idle) }})
	}
	var busy *distill.BusyError
	if err != nil && ctx.Err() == nil && !errors.As(err, &busy) {
		d.log.Error("maintain failed", "error", d.loggable(err))
	}
}

// loggable returns the loggable text of an error that may contain a path.
func (d *Daemon) loggable(err error) string {
	c, _ := d.intake.Gate().Text(err.Error())
	return c.String()
}
