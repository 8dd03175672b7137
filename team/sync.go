package team

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"keepmum/privacy"
	"keepmum/store"
)

// Place is where items are kept on this machine.
type Place interface {
	// Items lists what is one's own of a project and may be shared.
	Items(ctx context.Context, project int64) ([]Local, error)
	// Put keeps what came in, in the same order; what is not wanted has no Ref. It may be
	// called again with what it kept before.
	Put(ctx context.Context, project int64, in []Incoming) ([]Local, error)
	// Forget removes copies for good and proves it; those that are not there are gone already.
	Forget(ctx context.Context, project int64, gone []Gone) error
	// Drop removes all that came in from others, because it may no longer be held here.
	Drop(ctx context.Context, project int64) error
	// Silence takes what one author wrote out of use.
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

// Syncer carries items between this machine and the shared place. One round goes on at a time.
type Syncer struct {
	o    Options
	turn chan struct{}
}

// New returns a syncer that has touched nothing yet.
func New(o Options) *Syncer {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Syncer{o: o, turn: make(chan struct{}, 1)}
}

// Report is what a round did.
type Report struct {
	Pushed, Pulled, Forgotten, Held, Conflicts, Waiting int
}

func (r *Report) add(o Report) {
	r.Pushed, r.Pulled, r.Forgotten = r.Pushed+o.Pushed, r.Pulled+o.Pulled, r.Forgotten+o.Forgotten
	r.Held, r.Conflicts, r.Waiting = r.Held+o.Held, r.Conflicts+o.Conflicts, r.Waiting+o.Waiting
}

// ErrNoTeam says that this data directory is in no team.
var ErrNoTeam = &Error{What: "this machine is in no team", Hint: "mum team join DSN"}

// Round notes what changed here, then reads and sends what there is. Without a connection the
// first half is done all the same.
func (s *Syncer) Round(ctx context.Context) (Report, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return Report{}, ctx.Err()
	}
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

// exchange is the half of a round that needs the shared place.
func (s *Syncer) exchange(ctx context.Context, t store.TeamRow, rounds []*round) (Report, error) {
	var out Report
	there, err := s.open(ctx, t)
	if errors.Is(err, ErrRemoved) {
		return out, errors.Join(err, s.purge(ctx, t, rounds))
	}
	if err != nil {
		return out, err
	}
	defer there.c.close()
	var failed error
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

// open connects as the member that joined.
func (s *Syncer) open(ctx context.Context, t store.TeamRow) (*remote, error) {
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
		err = fault("mum team leave, then: mum team join DSN", "that database holds another team now")
	}
	r := &remote{c, id.team, id.member, t.Machine, id.key}
	if err == nil {
		err = r.greet(ctx)
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return r, nil
}

// purge deletes what a member who was removed may no longer hold, and says so.
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
	byRef  map[string]int // keyed hash of a ref → its place in locals
	known  map[store.TeamID]*store.TeamItem
	refs   map[string]store.TeamID
	clean  cleaned
}

// cleaned are the words of a membership as they may be kept.
type cleaned struct{ project, member, machine privacy.Clean }

// word passes a name through the gate. Names of a team are too plain to lose anything there.
func (s *Syncer) word(text string) privacy.Clean {
	c, _ := s.o.Gate.Text(text)
	return c
}

// begin reads what is here, and notes what changed since it was last sent.
func (r *round) begin(ctx context.Context) error {
	r.clean = cleaned{r.s.word(r.project.Key), r.s.word(r.team.Member), r.s.word(r.team.Machine)}
	items, err := r.s.o.DB.TeamItems(ctx, r.project.Key)
	if err != nil {
		return err
	}
	r.known, r.refs = map[store.TeamID]*store.TeamItem{}, map[string]store.TeamID{}
	for i := range items {
		r.know(&items[i])
	}
	return r.rescan(ctx)
}

func (r *round) know(it *store.TeamItem) {
	r.known[it.ID] = it
	if len(it.Ref) > 0 {
		r.refs[string(it.Ref)] = it.ID
	}
}

// rescan looks what is here now and makes the outbox say it.
func (r *round) rescan(ctx context.Context) (err error) {
	if r.locals, err = r.s.o.Place.Items(ctx, r.project.Project); err != nil {
		return err
	}
	r.byRef = map[string]int{}
	step := store.TeamStep{}
	for i, l := range r.locals {
		ref := r.s.refOf(l.Ref)
		r.byRef[string(ref)] = i
		id, known := r.refs[string(ref)]
		if !known {
			if err := r.discover(l, ref, &step); err != nil {
				return err
			}
			continue
		}
		it := r.known[id]
		if hash := r.s.hashOf(l.Content); string(it.Hash) != string(hash) && it.State != store.TeamForget {
			it.Hash, it.State, it.HLC = hash, store.TeamOut, r.stamp(max(it.HLC, it.Base), l.Content)
			it.Held = privacy.Clean{}
			step.Items = append(step.Items, *it)
			step.Clock = max(step.Clock, it.HLC)
		}
	}
	return r.keep(ctx, step)
}

// discover puts something new into the outbox.
func (r *round) discover(l Local, ref []byte, step *store.TeamStep) error {
	if l.Content.State.String() != "active" || l.Content.Created < r.project.Since {
		return nil
	}
	id, err := newID()
	if err != nil {
		return err
	}
	it := store.TeamItem{ID: id, Kind: l.Kind.String(), Author: r.team.Member, Machine: r.team.Machine,
		HLC: r.stamp(0, l.Content), Ref: ref, Hash: r.s.hashOf(l.Content), State: store.TeamOut}
	step.New = append(step.New, r.fresh(it, l.Kind, r.clean.member, r.clean.machine))
	step.Clock = max(step.Clock, it.HLC)
	return nil
}

func (r *round) fresh(it store.TeamItem, kind, author, machine privacy.Clean) store.TeamNew {
	return store.TeamNew{TeamItem: it, Project: r.clean.project, Kind: kind, Author: author, Machine: machine}
}

// stamp is the stamp of a change that was made here: when it was made, and after what was seen of the item.
func (r *round) stamp(last int64, c Content) int64 {
	at, now := time.UnixMilli(c.Updated), r.s.o.Now()
	if at.After(now) || c.Updated == 0 {
		at = now
	}
	return later(last, at)
}

// keep writes a step down, and knows it from then on.
func (r *round) keep(ctx context.Context, step store.TeamStep) error {
	if len(step.New)+len(step.Items)+len(step.Drop) == 0 && step.Mark == nil {
		return nil
	}
	if err := r.s.o.DB.KeepTeam(ctx, step); err != nil {
		return err
	}
	for _, id := range step.Drop {
		if it := r.known[id]; it != nil {
			delete(r.refs, string(it.Ref))
			delete(r.known, id)
		}
	}
	for i := range step.New {
		r.know(&step.New[i].TeamItem)
	}
	for i := range step.Items {
		r.know(&step.Items[i])
	}
	return nil
}

func (s *Syncer) refOf(ref string) []byte {
	if ref == "" {
		return nil
	}
	return s.o.DB.MAC("team ref", ref)
}

// RefMAC is the keyed hash of a ref, by which [store.DB.ForgetShared] knows an item.
func (s *Syncer) RefMAC(ref string) []byte { return s.refOf(ref) }

func (s *Syncer) hashOf(c Content) []byte { return s.o.DB.MAC("team item", c.said()) }

// Graves are the keyed hashes by which a text is known once it was forgotten.
func Graves(key []byte, title, body string) []string {
	out := []string{grave(string(key), title)}
	if wordsOnly(body) != "" {
		out = append(out, grave(string(key), body))
	}
	return out
}

// maxTurns is how often a round begins again because the shared place moved on meanwhile.
const maxTurns = 4

// run exchanges one project until both sides say the same.
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
	return nil // the next round goes on
}

// checkRestored begins anew with a database that is older than what was read of it: it
// was restored from a backup, and may lack what it had acknowledged.
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

// waiting are the items in a state, oldest first.
func (r *round) waiting(state store.TeamState) []*store.TeamItem {
	var out []*store.TeamItem
	for _, it := range r.known {
		if it.State == state {
			out = append(out, it)
		}
	}
	slices.SortFunc(out, func(a, b *store.TeamItem) int { return slices.Compare(a.ID[:], b.ID[:]) })
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
