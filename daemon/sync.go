package daemon

import (
	"context"
	"time"

	"keepmum/capture"
	"keepmum/distill"
	"keepmum/hooks"
	"keepmum/store"
)

// world is what runs of sync and maintain work on.
func (d *Daemon) world() distill.World {
	return distill.World{
		Home: string(d.o.Home), DB: d.db, Gate: d.intake.Gate(), Roots: d.o.Transcripts, Admit: d.admit,
		Extract: d.extract, Place: d.place, Wrote: d.wroteMemories,
		Settle: time.Duration(d.o.Config.Sync.Settle), Now: d.o.Now, Logger: d.log,
	}
}

// admit asks the same question about a session in a file that capture asks
// about one that runs.
func (d *Daemon) admit(o distill.Origin) (*distill.Admission, string) {
	r, why := d.intake.Read(hooks.Event{Agent: o.Agent, Session: o.ID, Dir: o.Dir, Branch: o.Branch})
	if why != "" {
		return nil, why
	}
	return &distill.Admission{Gate: r.Gate, Scope: r.Scope, Project: knownBy(r.Project), Prompt: r.Prompt, Step: r.Step, Private: r.Private}, ""
}

// knownBy is the project of a directory; of no directory there is none.
func knownBy(p capture.Project) store.Project {
	if p.Root.IsZero() {
		return store.Project{}
	}
	return projectRef(p)
}

// place says where the memories of a project lie, and what their files do not
// say of them. It writes nothing: a dry run asks it too.
func (d *Daemon) place(ctx context.Context, project int64) (distill.Place, error) {
	r, err := d.whereTo(ctx, project)
	if err != nil {
		return distill.Place{}, err
	}
	t, err := d.openTree(r)
	if err != nil {
		return distill.Place{}, err
	}
	access, err := d.accessOf(ctx, r.ID)
	return distill.Place{Root: t.Root(), Access: access, Decay: d.decay(), Forgotten: func(print string) bool {
		forgotten, err := d.db.ForgottenPrint(ctx, print)
		return forgotten || err != nil // in doubt it stays away
	}}, err
}

// wroteMemories indexes what a run wrote.
func (d *Daemon) wroteMemories(ctx context.Context, project int64) error {
	r, err := d.rootOf(ctx, project)
	if err != nil {
		return err
	}
	_, err = d.reindexRoot(ctx, r, false)
	return err
}
