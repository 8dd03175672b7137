package team

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"keepmum/privacy"
	"keepmum/sorting"
	"keepmum/store"
)

// Place is where items are stored on this machine.
type Place interface {
	// Items lists the user's own items of a project that may be shared, when a round begins; Shown lists them at any time.
	Items(ctx context.Context, project int64) ([]Local, error)
	Shown(ctx context.Context, project int64) ([]Local, error)
	// Put stores received items and returns them in the same order; one that is not wanted has no Ref. Before anything
	// is written, it calls note with where each item will be and what it will say; items that it leaves out have no Ref
	// yet and come with another call. Calling Put again with what it stored is safe. It returns [ErrEdited] instead of
	// overwriting what Items has not listed yet.
	Put(ctx context.Context, project int64, in []Incoming, note func([]Local) error) ([]Local, error)
	// Forget removes copies permanently and verifies it. Copies that do not exist count as removed.
	Forget(ctx context.Context, project int64, gone []Gone) error
	// Drop removes everything received from others, because it may no longer be stored here.
	Drop(ctx context.Context, project int64) error
	// Silence takes everything that one author wrote out of use.
	Silence(ctx context.Context, project int64, author string) error
}

// Options configure a [Syncer]. All but Now and Logger are required.
type Options struct {
	DB     *store.DB
	Place  Place
	Gate   *privacy.Gate
	Now    func() time.Time // nil = time.Now
	Logger *slog.Logger     // nil = silent
}

// Syncer carries items between this machine and the shared place. One round runs at a time.
type Syncer struct {
	o        Options
	turn     chan struct{}
	progress atomic.Pointer[Progress]
}

// New returns a syncer. It connects to nothing yet.
func New(o Options) *Syncer {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Syncer{o: o, turn: make(chan struct{}, 1)}
}

// Report is the result of a round.
type Report struct {
	Pushed, Pulled, Forgotten, Held, Conflicts, Waiting int
}

// Progress is how far a round has come with a project that takes long to read.
type Progress struct {
	Project   string
	Read, All int64
}

func (r *Report) add(o Report) {
	r.Pushed, r.Pulled, r.Forgotten = r.Pushed+o.Pushed, r.Pulled+o.Pulled, r.Forgotten+o.Forgotten
	r.Held, r.Conflicts, r.Waiting = r.Held+o.Held, r.Conflicts+o.Conflicts, r.Waiting+o.Waiting
}

// Progress returns the progress of the current round; nil = nothing takes long.
func (s *Syncer) Progress() *Progress { return s.progress.Load() }

// ErrNoTeam means that this data directory is not in a team.
var ErrNoTeam = &Error{What: "this machine is not in a team", Hint: "mum team join DSN"}

// Round records what changed here, then reads and sends. Without a connection, only the first part is done.
func (s *Syncer) Round(ctx context.Context) (Report, error) {
	end, err := s.alone(ctx)
	if err != nil {
		return Report{}, err
	}
	defer end()
	t, ok, err := s.o.DB.Team(ctx)
	if err != nil {
		return Report{}, err
	}
	if !ok {
		return Report{}, ErrNoTeam
	}
	projects, err := s.o.DB.TeamProjects(ctx)
	if err != nil {
		return Report{}, err
	}
	rounds := make([]*round, 0, len(projects))
	for _, p := range projects {
		r := &round{s: s, team: t, project: p}
		if err := r.begin(ctx); err != nil {
			return Report{}, err
		}
		rounds = append(rounds, r)
	}
	return s.exchange(ctx, t, rounds)
}

// alone waits until no round runs. None begins before end is called.
func (s *Syncer) alone(ctx context.Context) (end func(), err error) {
	select {
	case s.turn <- struct{}{}:
		return func() { <-s.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// exchange is the part of a round that needs the shared place.
func (s *Syncer) exchange(ctx context.Context, t store.TeamRow, rounds []*round) (Report, error) {
	var out Report
	there, err := s.open(ctx, t)
	if errors.Is(err, error(ErrRemoved)) {
		return out, errors.Join(err, s.purge(ctx, t, rounds))
	}
	if err != nil {
		return out, err
	}
	defer there.c.close()
	failed := there.expire(ctx)
	for _, r := range rounds {
		r.there = there
		err := r.run(ctx)
		out.add(r.report)
		if err != nil {
			failed = errors.Join(failed, err)
		}
		if errors.Is(err, ErrUnreachable) || ctx.Err() != nil {
			break
		}
	}
	return out, failed
}

// open connects as the member that joined, and records that this machine is active.
func (s *Syncer) open(ctx context.Context, t store.TeamRow) (*remote, error) {
	r, err := s.dial(ctx, t)
	if err != nil {
		return nil, err
	}
	if err := r.greet(ctx); err != nil {
		r.c.close()
		return nil, err
	}
	return r, nil
}

// dial only connects: a caller that just reads need not wait for a commit.
func (s *Syncer) dial(ctx context.Context, t store.TeamRow) (*remote, error) {
	dsn, err := ParseDSN(t.DSN)
	if err != nil {
		return nil, err
	}
	c, err := connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	id, err := c.identify(ctx, s.o.Now())
	if err == nil && id.team != idText(t.ID) {
		err = fault("mum team leave, then: mum team join DSN", "that database contains another team now")
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return &remote{c, id.team, id.member, t.Machine, id.key}, nil
}

// purge deletes what a removed member may no longer keep, and confirms it.
func (s *Syncer) purge(ctx context.Context, t store.TeamRow, rounds []*round) error {
	for _, r := range rounds {
		if err := s.o.Place.Drop(ctx, r.project.Project); err != nil {
			return err
		}
	}
	dsn, err := ParseDSN(t.DSN)
	if err != nil {
		return err
	}
	c, err := connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer c.close()
	err = errors.Join(c.exec(ctx, `UPDATE mum.machines SET gone = now() WHERE machine = $1`, t.Machine),
		c.audit(ctx, idText(t.ID), t.Machine, "purged", "", int64(len(rounds))))
	return errors.Join(err, s.o.DB.LeaveTeam(ctx))
}

// round is a sync of one project.
type round struct {
	s       *Syncer
	team    store.TeamRow
	project store.TeamProject
	there   *remote
	report  Report

	locals []Local
	byRef  map[string]int // keyed hash of a ref → its index in locals
	known  map[store.TeamID]*store.TeamItem
	refs   map[string]store.TeamID
	clean  cleaned
}

// cleaned holds the names of a membership in the form in which they may be stored.
type cleaned struct{ project, member, machine privacy.Clean }

// word passes a name through the gate. A team's names are too plain for the gate to change them.
func (s *Syncer) word(text string) privacy.Clean {
	c, _ := s.o.Gate.Text(text)
	return c
}

// maxTurns is how often a round starts again because the shared place changed meanwhile.
const maxTurns = 4

// run exchanges one project until both sides are the same.
func (r *round) run(ctx context.Context) error {
	if err := r.checkRestored(ctx); err != nil {
		return err
	}
	for range maxTurns {
		if err := r.pull(ctx); err != nil {
			return err
		}
		if err := r.bury(ctx); err != nil {
			return err
		}
		again, err := r.push(ctx)
		if err != nil {
			return err
		}
		if err := r.confirm(ctx); err != nil {
			return err
		}
		if !again {
			return nil
		}
	}
	return nil // the next round continues
}

// checkRestored starts again from the beginning if the database is older than what was read from it: it was restored
// from a backup and may lack what it had acknowledged.
func (r *round) checkRestored(ctx context.Context) error {
	back, err := r.there.wentBack(ctx, r.project.XID)
	if err != nil || !back {
		return err
	}
	step := store.TeamStep{}
	for _, it := range r.known {
		switch {
		case it.Author != r.team.Member:
		case it.State == store.TeamSame && len(it.Ref) > 0 && it.Machine == r.team.Machine:
			it.State, it.Base = store.TeamOut, 0
			step.Items = append(step.Items, *it)
		case it.State == store.TeamGone:
			it.State = store.TeamForget
			step.Items = append(step.Items, *it)
		}
	}
	r.project.XID, r.project.Seq = 0, 0
	step.Mark = &r.project
	return r.keep(ctx, step)
}

// waiting returns the items in a state, oldest first.
func (r *round) waiting(state store.TeamState) []*store.TeamItem {
	var out []*store.TeamItem
	for _, it := range r.known {
		if it.State == state {
			out = append(out, it)
		}
	}
	sorting.Stable(out, func(a, b *store.TeamItem) int { return slices.Compare(a.ID[:], b.ID[:]) })
	return out
}

// confirm sends the receipts that are due.
func (r *round) confirm(ctx context.Context) error {
	var ids []string
	var items []store.TeamItem
	for _, it := range r.known {
		if it.Receipt {
			it.Receipt = false
			ids, items = append(ids, idText(it.ID)), append(items, *it)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	if err := r.there.confirm(ctx, r.project.Key, ids); err != nil {
		return err
	}
	return r.keep(ctx, store.TeamStep{Items: items})
}
