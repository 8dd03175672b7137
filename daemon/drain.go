package daemon

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"keepmum/capture"
	"keepmum/hooks"
	"keepmum/spool"
	"keepmum/store"
)

// Pauses between two reads of the spool. Hooks also spool events while this daemon starts, and a busy daemon spools
// events itself.
const (
	drainPause = 2 * time.Second
	drainWait  = 30 * time.Second // after the store rejected an event, for example because the disk is full
	drainTries = 3                // attempts for an event that the store rejects because of the event itself
)

// drain is what others want from the task that reads the spool.
type drain struct {
	wanted chan struct{}
	stuck  atomic.Bool // the store rejected an event, and the next try is later
}

// turnPause is how often an event checks whether it is its turn. The spool drains in some milliseconds for each event.
const turnPause = 5 * time.Millisecond

// awaitTurn waits until no earlier event of a session is in the spool, because a summary reads a session in the order
// in which it was stored. It reports whether that was before ctx ended.
func (d *Daemon) awaitTurn(ctx context.Context, e hooks.Event) bool {
	for d.spool.Waits(e.Agent, e.Session) {
		if d.drain.stuck.Load() {
			return false
		}
		select {
		case d.drain.wanted <- struct{}{}:
		default: // it is wanted already
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(turnPause):
		}
	}
	return true
}

// drainSpool stores the spooled events, until ctx ends.
func (d *Daemon) drainSpool(ctx context.Context) {
	tries := map[string]int{}
	if err := d.spool.Prepare(); err != nil { // status and doctor report it
		d.log.Error("the spool cannot be used", "error", d.loggable(err))
	}
	for {
		pause := drainPause
		delivered, bad, err := d.spool.Drain(func(e spool.Entry) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			_, err := d.ingest(ctx, capture.Incoming{Event: e.Event, Key: e.Key, Same: e.Same, Taken: e.Taken})
			return lastTry(ctx, tries, e.Key, err)
		})
		if delivered+bad > 0 || err != nil {
			d.log.Info("spool drained", "events", delivered, "unreadable", bad, "error", err)
		}
		wanted := d.drain.wanted
		if err != nil {
			pause, wanted = drainWait, nil
		}
		d.drain.stuck.Store(err != nil)
		select {
		case <-ctx.Done():
			return
		case <-wanted:
		case <-time.After(pause):
		}
	}
}

// lastTry returns the error for an event that was rejected several times and always will be. A full disk, a damaged
// database or a stopping daemon is not the event's fault.
func lastTry(ctx context.Context, tries map[string]int, key string, err error) error {
	if err == nil {
		delete(tries, key)
		return nil
	}
	if store.IsFault(err) || errors.Is(err, store.ErrClosed) || errors.Is(err, context.Canceled) || ctx.Err() != nil {
		return err
	}
	if tries[key]++; tries[key] < drainTries {
		return err
	}
	delete(tries, key)
	return &spool.Refused{Err: err}
}
