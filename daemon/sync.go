package daemon

import (
	"context"
	"time"

	"keepmum/capture"
	"keepmum/distill"
	"keepmum/hooks"
	"keepmum/memory"
	"keepmum/store"
)

// world returns what runs of sync and maintain work on.
func (d *Daemon) world() distill.World {
	w := distill.World{
		Home: string(d.o.Home), DB: d.db, Gate: d.intake.Gate(), Roots: d.o.Transcripts, Admit: d.admit,
		Extract: d.extract, Place: d.place, Bar: d.reviews.Bar, Branch: d.learnedOn, Trace: d.traceOf,
		Settle: time.Duration(d.o.Config.Sync.Settle), Now: d.o.Now, Logger: d.log,
	}
	if r := d.o.Config.Roles.Extract; isAgent(r) {
		w.Extract = d.extractBy(r.Provider)
	}
	if d.worker != nil && d.opener(roleConsolidate) != nil {
		w.Consolidate = d.consolidate
	}
	return w
}

// admit decides whether a session in a file may be read, by the same rules as capture of a running session.
func (d *Daemon) admit(o distill.Origin) (*distill.Admission, string) {
	if d.isOwnQuestion(o.Dir) {
		return nil, distill.OwnQuestion
	}
	r, why := d.intake.Read(hooks.Event{Agent: o.Agent, Session: o.ID, Parent: o.Parent, Dir: o.Dir, Branch: o.Branch})
	if why == capture.ExcludedProject {
		why = distill.Excluded
	}
	if why != "" {
		return nil, why
	}
	if o.DryRun {
		r.Look()
	}
	return &distill.Admission{Gate: r.Gate, Scope: r.Scope, Project: knownBy(r.Project), Moved: r.Moved, Prompt: r.Prompt,
		Step: r.Step, Private: r.Private, Named: r.Named}, ""
}

// knownBy returns the identity of a directory's project; without a directory there is none.
func knownBy(p capture.Project) store.Project {
	if p.Root.IsZero() {
		return store.Project{}
	}
	return projectRef(p)
}

// place returns where the memories of a project are, and what their files do not say about them. It writes nothing,
// because a dry run uses it too.
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
	return distill.Place{Root: t.Root(), Gate: t.gate, Decay: d.decay(), Access: access,
		Buried: func(ctx context.Context, c memory.Candidate) (bool, error) { return d.buried(ctx, project, c) },
		Words:  background{d.db, project},
		Claim:  func(id string) error { return d.claim(r, id) },
		Placed: func() (func(memory.Memory) bool, error) { return d.placed(t) },
		Wrote:  func(ctx context.Context) error { return d.wroteMemories(ctx, project) }}, err
}

// wroteMemories indexes what a run wrote.
func (d *Daemon) wroteMemories(ctx context.Context, project int64) error {
	r, err := d.rootOf(ctx, project)
	if err != nil {
		return err
	}
	if _, err = d.reindexRoot(ctx, r, store.IndexOptions{}); err != nil {
		return err
	}
	return d.closeProposals(ctx, r)
}

// buried reports whether a candidate has the same source as something that the user has forgotten since, as it would be
// the same thing in other words, or has the same words.
func (d *Daemon) buried(ctx context.Context, project int64, c memory.Candidate) (bool, error) {
	m := store.MemoryMark{Project: project, Title: c.Title.String(), Body: c.Body.String()}
	for _, s := range c.Sources {
		m.Sources = append(m.Sources, store.Source{Session: s.Session.String(), Ref: s.Ref.String()})
	}
	if gone, err := d.db.Tombstoned(ctx, m, c.At); gone || err != nil {
		return gone, err
	}
	var said time.Time
	var sessions []string
	if c.Told { // the user may say it again later, in another session
		said = c.At
		for _, s := range m.Sources {
			sessions = append(sessions, s.Session)
		}
	}
	for _, print := range memory.Fingerprints(m.Title, m.Body) {
		if gone, err := d.db.ForgottenPrint(ctx, print, said, sessions...); gone || err != nil {
			return gone, err
		}
	}
	return false, nil
}
