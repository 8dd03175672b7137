package daemon

import (
	"context"
	"runtime/debug"
	"time"
)

// restEvery is how long the user must be idle before memory is released. Reading the data again costs the next search
// some milliseconds.
const restEvery = 30 * time.Second

// restOn releases memory whenever it is quiet after activity.
func (d *Daemon) restOn(ctx context.Context) error {
	tick := time.NewTicker(restEvery)
	defer tick.Stop()
	var rested, last use
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		now := d.used()
		if now == last && now != rested {
			d.rest(ctx)
			rested = now
		}
		last = now
	}
}

// use is a state that shows whether there was activity since.
type use struct {
	searches int64
	touched  time.Time
}

func (d *Daemon) used() use {
	d.runs.mu.Lock()
	defer d.runs.mu.Unlock()
	return use{d.db.Searches(), d.runs.touched}
}

func (d *Daemon) rest(ctx context.Context) {
	if err := d.db.Rest(ctx); err != nil && ctx.Err() == nil {
		d.log.Debug("memory could not be released", "error", err)
	}
	d.free()
}

// free returns to the system what the daemon can do without until it is used again.
func (d *Daemon) free() {
	debug.FreeOSMemory()
	if err := releaseProgram(); err != nil {
		d.log.Debug("the pages of the program could not be released", "error", err)
	}
}
