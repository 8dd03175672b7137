package daemon

import (
	"context"
	"runtime/debug"
	"time"
)

// restEvery is how long nobody must have searched or worked before memory is given
// back: what is read again then takes a search some milliseconds.
const restEvery = 30 * time.Second

// restOn gives memory back whenever it is quiet after somebody was at work.
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

// use is what tells whether somebody was at work since.
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
		d.log.Debug("memory is not given back", "error", err)
	}
	debug.FreeOSMemory()
}
