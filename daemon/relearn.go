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
	relearnPatience = 150 * time.Millisecond // how long an event waits for it
	maxRelearn      = 20 * time.Second       // how long it may take
)

// relearned records the sessions whose secrets this daemon knows. It is kept only in memory, because the secrets of an
// earlier daemon are lost.
type relearned struct {
	mu   sync.Mutex
	byID *sessions.Map[chan struct{}]
}

func newRelearned() *relearned {
	return &relearned{byID: sessions.New(func() *chan struct{} { return new(chan struct{}) })}
}

// begin returns a channel that is closed once the session was read, and whether the caller must read it.
func (r *relearned) begin(id string) (read chan struct{}, first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.byID.Need(id)
	if first = *c == nil; first {
		*c = make(chan struct{})
	}
	return *c, first
}

// relearn reads the agent's own file of a session at the first event of it that this daemon sees. Reading of a long
// file continues while the event is processed.
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
			long, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxRelearn)
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

// hear reads the file. If it cannot be read, its secrets remain unknown, but the event is not lost.
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
