package team

import (
	"context"
	"time"

	"keepmum/privacy"
	"keepmum/store"
)

// begin reads what is here and records what changed since it was last sent.
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
	if err := r.withdraw(ctx); err != nil {
		return err
	}
	if err := r.rescan(ctx); err != nil {
		return err
	}
	return r.dropUnborn(ctx)
}

// withdraw takes back the summaries of sessions that an earlier version sent from a machine of this member, which may
// have another name now. Other machines delete them; nobody forgot them, so they stay here: conflict_of refers to the
// item itself.
func (r *round) withdraw(ctx context.Context) error {
	step := store.TeamStep{}
	for _, it := range r.known {
		if it.Kind != kindSummary || it.Author != r.team.Member || over(it) {
			continue
		}
		it.HLC = later(max(it.HLC, it.Base), r.s.o.Now())
		it.State, it.ConflictOf = store.TeamForget, it.ID
		it.Held = privacy.Clean{}
		step.Items = append(step.Items, *it)
		step.Clock = max(step.Clock, it.HLC)
	}
	return r.keep(ctx, step)
}

// dropUnborn drops items that were recorded but neither stored here, because of a kill, nor sent. They come back with
// whatever caused them.
func (r *round) dropUnborn(ctx context.Context) error {
	step := store.TeamStep{}
	for id, it := range r.known {
		if _, here := r.byRef[string(it.Ref)]; len(it.Coming) > 0 && it.Base == 0 && !here {
			step.Drop = append(step.Drop, id)
		}
	}
	return r.keep(ctx, step)
}

func (r *round) know(it *store.TeamItem) {
	r.known[it.ID] = it
	if len(it.Ref) > 0 {
		r.refs[string(it.Ref)] = it.ID
	}
}

// rescan reads what is here now and updates the outbox.
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
		if err := r.compare(l, r.known[id], &step); err != nil {
			return err
		}
	}
	return r.keep(ctx, step)
}

// compare puts changed content into the outbox.
func (r *round) compare(l Local, it *store.TeamItem, step *store.TeamStep) error {
	hash := r.s.hashOf(l.Content)
	switch {
	case string(it.Hash) == string(hash), it.State == store.TeamForget:
		return nil
	case it.State == store.TeamGone: // the file stayed because of a twin, and has been changed since
		ref := it.Ref
		it.Ref, it.Hash = nil, nil
		delete(r.refs, string(ref))
		step.Items = append(step.Items, *it)
		return r.discover(l, ref, step)
	case len(it.Coming) > 0 && string(it.Coming) == string(r.s.wordsOf(l.Content)): // stored here before a kill
		it.Hash = hash
	default:
		it.Hash, it.State, it.HLC = hash, store.TeamOut, r.stamp(max(it.HLC, it.Base), l.Content)
		it.Held = privacy.Clean{}
	}
	step.Items = append(step.Items, *it)
	step.Clock = max(step.Clock, it.HLC)
	return nil
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

// stamp returns the stamp of a local change: the time of the change, but after every known version of the item.
func (r *round) stamp(last int64, c Content) int64 {
	at, now := time.UnixMilli(c.Updated), r.s.o.Now()
	if at.After(now) || c.Updated == 0 {
		at = now
	}
	return later(last, at)
}

// keep stores a step, then updates what the round knows.
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

// RefMAC is the keyed hash of a ref, by which [store.DB.ForgetShared] finds an item.
func (s *Syncer) RefMAC(ref string) []byte { return s.refOf(ref) }

func (s *Syncer) hashOf(c Content) []byte { return s.o.DB.MAC("team item", c.said()) }

// wordsOf identifies content that was stored here and not read back yet.
func (s *Syncer) wordsOf(c Content) []byte {
	return s.o.DB.MAC("team words", wordsOnly(c.Title.String()), wordsOnly(c.Body.String()))
}

// Graves returns the keyed hashes by which a forgotten text is recognised.
func Graves(key []byte, title, body string) []string {
	out := []string{grave(string(key), title)}
	if wordsOnly(body) != "" {
		out = append(out, grave(string(key), body))
	}
	return out
}
