package team

import (
	"context"

	"keepmum/privacy"
	"keepmum/sorting"
	"keepmum/store"
)

// place stores what was received. Before, it records where each item will be, and afterwards what it says there.
func (r *round) place(ctx context.Context, a *arrivals) error {
	if len(a.put) == 0 {
		return nil
	}
	kept, err := r.s.o.Place.Put(ctx, r.project.Project, a.put, func(list []Local) error {
		return r.keep(ctx, r.expect(a, list))
	})
	if err != nil {
		return err
	}
	step := store.TeamStep{}
	for i, l := range kept {
		r.settle(a.of[i], a.put[i], l, &step)
	}
	return r.keep(ctx, step)
}

// expect records where items will be, so that what is found there later is recognised as theirs, even after a kill.
func (r *round) expect(a *arrivals, list []Local) (step store.TeamStep) {
	fresh := map[store.TeamID]Incoming{}
	var touched []*store.TeamItem
	for i, l := range list {
		if l.Ref == "" {
			continue
		}
		in := a.of[i]
		it := r.known[in.id]
		if it == nil {
			it = &store.TeamItem{ID: in.id, Kind: in.kind, Author: in.author, Machine: in.machine, HLC: in.hlc, Base: in.hlc,
				ConflictOf: in.conflictOf}
			fresh[in.id] = a.put[i]
		}
		r.unbind(it)
		it.State, it.Held, it.Ref, it.Coming = store.TeamSame, privacy.Clean{}, r.s.refOf(l.Ref), r.s.wordsOf(l.Content)
		if in.hlc == 0 { // the losing version of a conflict, which the others do not have yet
			it.State, it.HLC = store.TeamOut, r.stamp(it.HLC, Content{})
		}
		if twin, ok := r.refs[string(it.Ref)]; ok {
			touched = append(touched, r.merge(r.known[twin], it, &step))
		}
		touched = append(touched, it)
		r.know(it)
	}
	for _, it := range touched {
		put, isNew := fresh[it.ID]
		switch {
		case r.known[it.ID] == nil: // a twin that was never sent
		case isNew:
			step.New = append(step.New, r.fresh(*it, r.s.word(it.Kind), put.Author, put.Machine))
			delete(fresh, it.ID)
		default:
			step.Items = append(step.Items, *it)
		}
	}
	// A place must be freed before another item takes it.
	sorting.Stable(step.Items, func(a, b store.TeamItem) int { return len(a.Ref) - len(b.Ref) })
	return step
}

// unbind frees the place of an item.
func (r *round) unbind(it *store.TeamItem) {
	if r.refs[string(it.Ref)] == it.ID {
		delete(r.refs, string(it.Ref))
	}
	it.Ref = nil
}

// merge resolves that the same words have two ids because two machines wrote them independently: every machine keeps
// the smaller id.
func (r *round) merge(other, it *store.TeamItem, step *store.TeamStep) *store.TeamItem {
	stays, goes := it, other
	switch {
	case other.Base == 0: // never sent
		step.Drop = append(step.Drop, other.ID)
		delete(r.known, other.ID)
		return other
	case string(other.ID[:]) < string(it.ID[:]):
		stays, goes = other, it
	}
	goes.State, goes.HLC = store.TeamForget, later(max(goes.HLC, goes.Base), r.s.o.Now())
	goes.Ref, goes.Hash, goes.Coming, goes.Graves, goes.ConflictOf = nil, nil, nil, nil, stays.ID
	return other
}

// settle records the content of an item at its place.
func (r *round) settle(in received, put Incoming, l Local, step *store.TeamStep) {
	it := r.known[in.id]
	switch {
	case it == nil && in.hlc == 0:
	case it == nil: // not wanted, and nothing was recorded
		step.New = append(step.New, r.fresh(store.TeamItem{ID: in.id, Kind: in.kind, Author: in.author, Machine: in.machine,
			HLC: in.hlc, Base: in.hlc, State: store.TeamUnwanted}, r.s.word(in.kind), put.Author, put.Machine))
	case it.State != store.TeamForget:
		it.Coming, it.Hash = nil, r.s.hashOf(l.Content)
		if l.Ref == "" {
			r.unbind(it)
			it.State, it.Hash = store.TeamUnwanted, nil
		}
		if in.hlc > 0 {
			it.HLC, it.Base, it.Machine = in.hlc, in.hlc, in.machine
		}
		step.Items = append(step.Items, *it)
	}
}
