package team

import (
	"context"
	"errors"
	"slices"
	"strings"

	"keepmum/privacy"
	"keepmum/store"
)

// pull reads what others did, page by page. A page is applied and marked as a whole: a
// kill in between applies it again.
func (r *round) pull(ctx context.Context) error {
	muted, err := r.s.o.DB.MutedAuthors(ctx)
	if err != nil {
		return err
	}
	deaf := map[string]bool{}
	for _, m := range muted {
		deaf[m] = true
	}
	total := 0
	for {
		page, err := r.there.pull(ctx, r.project.Key, r.project.XID, r.project.Seq)
		if err != nil {
			return err
		}
		if len(page) > 0 {
			n, err := r.apply(ctx, page, deaf)
			if err != nil {
				return err
			}
			total += n
		}
		if len(page) < pullBatch {
			break
		}
	}
	if total == 0 {
		return nil
	}
	r.report.Pulled += total
	return r.there.c.audit(ctx, r.there.team, r.there.machine, "pull", r.project.Key, int64(total))
}

// arrivals are what a page comes to.
type arrivals struct {
	lost   []Incoming // of conflicts: kept for good before anything takes their place
	lostOf []received
	put    []Incoming
	of     []received
	forget []Gone
	strays []Gone // forgotten elsewhere before they were known here: a kill may have left a copy
	step   store.TeamStep
}

func (r *round) apply(ctx context.Context, page []received, deaf map[string]bool) (int, error) {
	var a arrivals
	last := map[store.TeamID]int{} // of several versions in a page the last one counts
	for i, in := range page {
		last[in.id] = i
	}
	for i, in := range page {
		if last[in.id] == i {
			r.sort(in, deaf[in.author], &a)
		}
	}
	if len(a.forget)+len(a.strays) > 0 {
		if err := r.s.o.Place.Forget(ctx, r.project.Project, slices.Concat(a.forget, a.strays)); err != nil {
			return 0, err
		}
	}
	first := arrivals{put: a.lost, of: a.lostOf}
	if err := r.place(ctx, &first); err != nil {
		return 0, err
	}
	if err := r.keep(ctx, first.step); err != nil {
		return 0, err
	}
	if err := r.place(ctx, &a); err != nil {
		return 0, err
	}
	end := page[len(page)-1]
	r.project.XID, r.project.Seq, r.project.Pulled = end.xid, end.seq, r.s.o.Now().UnixMilli()
	a.step.Mark = &r.project
	if err := r.keep(ctx, a.step); err != nil {
		return 0, err
	}
	r.report.Forgotten += len(a.forget)
	if len(a.forget)+len(a.put)+len(a.lost) == 0 {
		return 0, nil
	}
	return len(a.forget) + len(a.put) + len(a.lost), r.rescan(ctx)
}

// sort decides what becomes of one version.
func (r *round) sort(in received, deaf bool, a *arrivals) {
	if in.id.IsZero() || !isName(in.author) { // our own schema lets no such thing in
		return
	}
	it := r.known[in.id]
	a.step.Clock = max(a.step.Clock, in.hlc)
	switch {
	case in.deleted:
		r.sortGone(in, it, a)
	case it != nil:
		r.sortKnown(in, it, a)
	case !deaf:
		r.welcome(in, "", a)
	}
}

// sortKnown decides about a version of something that is known.
func (r *round) sortKnown(in received, it *store.TeamItem, a *arrivals) {
	switch {
	case it.Author != in.author, over(it), it.State == store.TeamUnwanted:
	case in.hlc <= it.Base || in.hlc == it.HLC && in.machine == r.team.Machine:
		if it.State != store.TeamSame && in.hlc == it.HLC { // sent before, and the answer was lost
			it.State, it.Base = store.TeamSame, in.hlc
			a.step.Items = append(a.step.Items, *it)
		}
	case it.State == store.TeamOut || it.State == store.TeamHeld:
		r.clash(in, it, a)
	default:
		r.welcome(in, r.refText(it), a)
	}
}

// sortGone takes a tombstone in. An item that is not known may be here all the same: a process
// that was killed after it kept the item, and before it noted that, left the copy.
func (r *round) sortGone(in received, it *store.TeamItem, a *arrivals) {
	if it == nil {
		a.strays = append(a.strays, Gone{ID: in.id})
		a.step.New = append(a.step.New, r.fresh(store.TeamItem{ID: in.id, HLC: in.hlc, Base: in.hlc, State: store.TeamGone,
			Author: in.author, Kind: in.kind, Receipt: true}, r.s.word(in.kind), r.s.word(in.author), r.s.word(in.machine)))
		return
	}
	if it.State == store.TeamGone || it.Author != in.author {
		return
	}
	a.forget = append(a.forget, Gone{ID: in.id, Ref: r.refText(it)})
	gone := *it
	gone.State, gone.HLC, gone.Base, gone.Ref, gone.Hash, gone.Receipt = store.TeamGone, in.hlc, in.hlc, nil, nil, true
	delete(r.refs, string(it.Ref))
	a.step.Items = append(a.step.Items, gone)
}

// refText is where an item is kept here, "" when the place knows it by its id.
func (r *round) refText(it *store.TeamItem) string {
	if i, ok := r.byRef[string(it.Ref)]; ok && len(it.Ref) > 0 {
		return r.locals[i].Ref
	}
	return ""
}

// welcome opens a version and lets it in. One that cannot be opened is passed over: its key
// is gone, so its tombstone is on its way, or somebody made it by hand.
func (r *round) welcome(in received, ref string, a *arrivals) {
	raw, err := contentOf(in)
	if errors.Is(err, errSeal) {
		return
	}
	if err != nil {
		r.s.o.Logger.Warn("an item of the team is not of our form, and is passed over", "item", idText(in.id), "author",
			in.author)
		return
	}
	a.put = append(a.put, Incoming{ID: in.id, Kind: in.kind, Author: r.s.word(in.author), Machine: r.s.word(in.machine),
		Mine: in.author == r.team.Member, Ref: ref, ConflictOf: in.conflictOf, Conflict: !in.conflictOf.IsZero(),
		Content: raw})
	a.of = append(a.of, in)
}

func contentOf(in received) (Raw, error) {
	body, err := open(in.body, in.key, idText(in.id))
	if err != nil {
		return Raw{}, err
	}
	return decode(body)
}

// clash settles that an item was changed here and elsewhere: the later version is in force, the
// other one is kept out of use, as an item of its own that says what it lost to.
func (r *round) clash(in received, it *store.TeamItem, a *arrivals) {
	at, here := r.byRef[string(it.Ref)]
	if !here {
		return // its tree cannot be read now: the mark moves on, and pushing it meets the same again
	}
	mine := r.locals[at]
	if raw, err := contentOf(in); err == nil && raw.said() == mine.Content.raw().said() { // it was kept before a kill
		r.welcome(in, mine.Ref, a)
		return
	}
	id, err := newID()
	if err != nil {
		return
	}
	r.report.Conflicts++
	lost := Incoming{ID: id, Kind: it.Kind, Author: r.clean.member, Machine: r.clean.machine, Mine: true, Conflict: true,
		ConflictOf: it.ID}
	theirs := in.hlc > it.HLC || in.hlc == it.HLC && strings.Compare(in.machine, r.team.Machine) > 0
	if theirs {
		lost.Content = mine.Content.raw()
	} else {
		if lost.Content, err = contentOf(in); err != nil {
			return
		}
		it.Base, it.HLC = in.hlc, max(it.HLC, in.hlc+1)
		a.step.Items = append(a.step.Items, *it)
	}
	a.lost = append(a.lost, lost)
	a.lostOf = append(a.lostOf, received{id: id, kind: it.Kind, author: r.team.Member, machine: r.team.Machine,
		conflictOf: it.ID})
	if theirs {
		r.welcome(in, mine.Ref, a)
	}
}

// raw is a content of this machine as it would come in.
func (c Content) raw() Raw {
	tags := make([]string, len(c.Tags))
	for i, t := range c.Tags {
		tags[i] = t.String()
	}
	return Raw{Form: c.Form.String(), Kind: c.Kind.String(), Title: c.Title.String(),
		Body: c.Body.String(), Key: c.Key.String(), Tags: tags, State: c.State.String(), Confidence: c.Confidence,
		Created: c.Created, Updated: c.Updated}
}

// place hands over what came, and notes as what it is kept.
func (r *round) place(ctx context.Context, a *arrivals) error {
	if len(a.put) == 0 {
		return nil
	}
	kept, err := r.s.o.Place.Put(ctx, r.project.Project, a.put)
	if err != nil {
		return err
	}
	for i, l := range kept {
		r.settle(a.of[i], a.put[i], l, a)
	}
	return nil
}

// settle notes where an item is kept now, and what it says there.
func (r *round) settle(in received, put Incoming, l Local, a *arrivals) {
	it := store.TeamItem{ID: in.id, Kind: in.kind, Author: in.author, Machine: in.machine, HLC: in.hlc, Base: in.hlc,
		State: store.TeamSame, ConflictOf: in.conflictOf}
	if l.Ref == "" {
		it.State = store.TeamUnwanted
	} else {
		it.Ref, it.Hash = r.s.refOf(l.Ref), r.s.hashOf(l.Content)
	}
	if in.hlc == 0 { // the loser of a conflict, which the others do not have yet
		it.HLC, it.State = r.stamp(0, Content{}), store.TeamOut
	}
	if twin, ok := r.refs[string(it.Ref)]; ok && twin != it.ID && len(it.Ref) > 0 {
		r.merge(twin, &it, a)
	}
	if it.Held = (privacy.Clean{}); r.known[it.ID] != nil {
		a.step.Items = append(a.step.Items, it)
		return
	}
	a.step.New = append(a.step.New, r.fresh(it, r.s.word(it.Kind), put.Author, put.Machine))
}

// merge settles that the same words have two ids, because two machines had them before either
// knew of the other: the smaller id stays, on every machine.
func (r *round) merge(twin store.TeamID, it *store.TeamItem, a *arrivals) {
	other := r.known[twin]
	switch {
	case other.Base == 0: // never sent
		a.step.Drop = append(a.step.Drop, twin)
	case string(it.ID[:]) < string(twin[:]):
		gone := *other
		gone.State, gone.Ref, gone.Hash, gone.Graves = store.TeamForget, nil, nil, nil
		a.step.Items = append(a.step.Items, gone)
	default:
		it.State, it.Ref, it.Hash = store.TeamForget, nil, nil
	}
}
