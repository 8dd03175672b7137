package daemon

import (
	"context"
	"runtime/debug"
	gometrics "runtime/metrics"
	"time"
)

// restEvery is how long the daemon must be idle before memory is released. Reading the data again costs the next search
// some milliseconds.
const restEvery = 30 * time.Second

// restWork is how many bytes are allocated in restEvery by a daemon that works: what is learned after the user's last
// action takes tens of megabytes.
const restWork = 4 << 20

// restOn releases memory whenever it is quiet after activity of the user or of the daemon itself.
func (d *Daemon) restOn(ctx context.Context) error {
	tick := time.NewTicker(restEvery)
	defer tick.Stop()
	var r rests
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if r.due(d.used(), allocated()) {
			d.rest(ctx)
			r.total = allocated() // a rest is no work
		}
	}
}

func allocated() uint64 {
	sample := []gometrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	gometrics.Read(sample)
	return sample[0].Value.Uint64()
}

// rests is what a daemon had done when it was last looked at.
type rests struct {
	used   use
	total  uint64 // bytes allocated since the start
	worked bool   // since the last rest
}

// due reports whether it is quiet after activity.
func (r *rests) due(used use, total uint64) bool {
	busy := used != r.used || total-r.total > restWork
	due := r.worked && !busy
	r.used, r.total, r.worked = used, total, busy || r.worked && !due
	return due
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
	if d.o.keepMemory {
		return
	}
	if err := d.db.Rest(ctx); err != nil && ctx.Err() == nil {
		d.log.Debug("memory could not be released", "error", err)
	}
	d.free()
}

// free returns to the system what the daemon can do without until it is used again.
func (d *Daemon) free() {
	if d.o.keepMemory {
		return
	}
	debug.FreeOSMemory()
	if err := releaseProgram(); err != nil {
		d.log.Debug("the pages of the program could not be released", "error", err)
	}
}
