package daemon

import (
	"context"
	"slices"
	"sync"
	"time"

	"keepmum/budget"
	"keepmum/distill"
	"keepmum/hooks"
	"keepmum/privacy/sessions"
	"keepmum/transcript"
)

const (
	relearnPatience = 150 * time.Millisecond // that an event waits for it
	relearnMost     = 20 * time.Second       // that it may take
)

// relearned is which sessions this daemon knows the secrets of. They are in memory
// only: what an earlier daemon knew is gone.
type relearned struct {
	mu   sync.Mutex
	byID *sessions.Map[chan struct{}]
}

func newRelearned() *relearned {
	return &relearned{byID: sessions.New(func() *chan struct{} { return new(chan struct{}) })}
}

// begin returns what is closed once a session was read, and whether the caller is to read it.
func (r *relearned) begin(id string) (read chan struct{}, first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.byID.Need(id)
	if first = *c == nil; first {
		*c = make(chan struct{})
	}
	return *c, first
}

// relearn reads the agent's own file of a session at the first event of it that this
// daemon sees. A long one is read on while the event goes its way.
func (d *Daemon) relearn(ctx context.Context, e hooks.Event) {
	reading := d.o.Config.Sync
	if e.Session == "" || e.Transcript == "" || !reading.Enabled ||
		len(reading.Agents) > 0 && !slices.Contains(reading.Agents, e.Agent) {
		return
	}
	read, first := d.heard.begin(e.Agent + "/" + e.Session + "/" + e.Transcript)
	if first {
		go func() {
			defer close(read)
			long, cancel := context.WithTimeout(context.WithoutCancel(ctx), relearnMost)
			defer cancel()
			d.hear(long, e)
		}()
	}
	wait := time.NewTimer(budget.Of(relearnPatience))
	defer wait.Stop()
	select {
	case <-read:
	case <-wait.C:
	case <-ctx.Done():
	}
}

// hear reads it. What cannot be read is not known: that is no reason to lose an event.
func (d *Daemon) hear(ctx context.Context, e hooks.Event) {
	a, why := d.admit(distill.Origin{Agent: e.Agent, ID: e.Session, Parent: e.Parent, Dir: e.Dir, Branch: e.Branch})
	if why != "" {
		return
	}
	if err := distill.Hear(ctx, transcript.Source{Agent: e.Agent, Path: e.Transcript, ID: e.Session, Dir: e.Dir},
		a); err != nil {
		d.log.Debug("the secrets of a session could not be learned again", "agent", e.Agent)
	}
}
