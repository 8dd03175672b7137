package team

import (
	"context"
	"errors"
	"strings"
	"time"

	"keepmum/store"
)

// pull reads changes by others page by page. Each page is applied and marked as a unit: after a kill, it is applied
// again.
func (r *round) pull(ctx context.Context) error {
	muted, err := r.s.o.DB.MutedAuthors(ctx)
	if err != nil {
		return err
	}
	deaf := map[string]bool{}
	for _, m := range muted {
		deaf[m] = true
	}
	total, edits := 0, 0
	defer r.s.progress.Store(nil)
	for {
		page, err := r.there.pull(ctx, r.project.Key, r.project.XID, r.project.Seq)
		if err != nil {
			return err
		}
		if len(page) > 0 {
			n, err := r.apply(ctx, page, deaf)
			if errors.Is(err, ErrEdited) && edits < maxTurns { // it is a conflict, once the edit is known
				edits++
				if err = r.rescan(ctx); err == nil {
					continue
				}
			}
			if err != nil {
				return err
			}
			total += n
		}
		if len(page) < pullBatch {
			break
		}
		if err := r.tellProgress(ctx, len(page)); err != nil {
			return err
		}
	}
	if total == 0 {
		return nil
	}
	r.report.Pulled += total
	return r.there.c.audit(ctx, r.there.team, r.there.machine, "pull", r.project.Key, int64(total))
}

// tellProgress counts what was read. At the first call it asks how much there is to read.
func (r *round) tellProgress(ctx context.Context, n int) error {
	p := Progress{Project: r.project.Key, Read: int64(n)}
	if old := r.s.progress.Load(); old != nil {
		p.Read, p.All = old.Read+p.Read, old.All
	} else if row, err := r.there.c.one(ctx, `SELECT count(*) FROM mum.items WHERE team_id = $1 AND project_key = $2
		AND (xid, seq) > ($3::bigint, $4::bigint)`, r.there.team, r.project.Key, r.project.XID, r.project.Seq); err != nil {
		return err
	} else {
		p.All = p.Read + row.int(0)
	}
	r.s.progress.Store(&p)
	return nil
}

// arrivals are the effects of one page.
type arrivals struct {
	lost   []Incoming // losing versions of conflicts: stored before anything replaces them
	lostOf []received
	put    []Incoming
	of     []received
	forget []Gone
	strays int // how many in forget were unknown here; a kill may have left them
	step   store.TeamStep
}

// apply applies a page in the order of the commits, because one item may be forgotten and another one with the same
// words written after it.
func (r *round) apply(ctx context.Context, page []received, deaf map[string]bool) (n int, err error) {
	for _, run := range runs(page) {
		var a arrivals
		for _, in := range run {
			r.sort(in, deaf[in.author], &a)
		}
		if err := r.take(ctx, &a); err != nil {
			return 0, err
		}
		n += len(a.forget) - a.strays + len(a.put) + len(a.lost)
		r.report.Forgotten += len(a.forget) - a.strays
	}
	end := page[len(page)-1]
	r.project.XID, r.project.Seq, r.project.Pulled = end.xid, end.seq, r.s.o.Now().UnixMilli()
	if err := r.keep(ctx, store.TeamStep{Mark: &r.project}); err != nil || n == 0 {
		return 0, err
	}
	return n, r.rescan(ctx)
}

// runs returns the last versions of a page's items, split where tombstones and versions alternate.
func runs(page []received) (out [][]received) {
	last := map[store.TeamID]int{}
	for i, in := range page {
		last[in.id] = i
	}
	for i, in := range page {
		if last[in.id] != i {
			continue
		}
		if n := len(out); n == 0 || out[n-1][0].deleted != in.deleted {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], in)
	}
	return out
}

// take first forgets, then stores the losing versions, then puts the winning ones in their place.
func (r *round) take(ctx context.Context, a *arrivals) error {
	if len(a.forget) > 0 {
		if err := r.s.o.Place.Forget(ctx, r.project.Project, a.forget); err != nil {
			return err
		}
	}
	first := arrivals{put: a.lost, of: a.lostOf}
	if err := r.place(ctx, &first); err != nil {
		return err
	}
	if err := r.place(ctx, a); err != nil {
		return err
	}
	return r.keep(ctx, a.step)
}

// sort decides what happens to one version.
func (r *round) sort(in received, deaf bool, a *arrivals) {
	if in.id.IsZero() || !isName(in.author) { // our own schema does not allow this
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

// sortKnown decides about a version of a known item.
func (r *round) sortKnown(in received, it *store.TeamItem, a *arrivals) {
	switch {
	case it.Author != in.author, over(it), it.State == store.TeamUnwanted:
	case len(it.Coming) == 0 && (in.hlc <= it.Base || in.hlc == it.HLC && in.machine == r.team.Machine):
		if it.State != store.TeamSame && in.hlc == it.HLC { // sent before, but the answer was lost
			it.State, it.Base = store.TeamSame, in.hlc
			a.step.Items = append(a.step.Items, *it)
		}
	case it.State == store.TeamOut || it.State == store.TeamHeld:
		r.resolveConflict(in, it, a)
	default:
		r.welcome(in, r.refText(it), a)
	}
}

// sortGone handles a tombstone. One with a twin says that the same words have another id, so they were not forgotten.
func (r *round) sortGone(in received, it *store.TeamItem, a *arrivals) {
	gone := Gone{ID: in.id, At: StampTime(in.hlc)}
	if !in.conflictOf.IsZero() {
		gone.At = time.UnixMilli(1)
	}
	if it == nil { // a restored database, or an older program that was killed, may have left a copy
		a.forget, a.strays = append(a.forget, gone), a.strays+1
		a.step.New = append(a.step.New, r.fresh(store.TeamItem{ID: in.id, HLC: in.hlc, Base: in.hlc, State: store.TeamGone,
			Author: in.author, Kind: in.kind, Receipt: true}, r.s.word(in.kind), r.s.word(in.author), r.s.word(in.machine)))
		return
	}
	if over(it) || it.Author != in.author { // our own tombstone has more information and is yet to be sent
		return
	}
	end := *it
	end.State, end.HLC, end.Base, end.Coming, end.Receipt = store.TeamGone, in.hlc, in.hlc, nil, true
	stays, bound := r.twinStays(in, it)
	if !bound {
		end.Ref, end.Hash = nil, nil
		delete(r.refs, string(it.Ref))
	}
	if !stays {
		gone.Ref = r.refText(it)
		a.forget = append(a.forget, gone)
	}
	a.step.Items = append(a.step.Items, end)
}

// twinStays reports, for an own item with a twin, whether its file stays because the twin is there or someone changed
// the file meanwhile, and whether the file is still bound to this item.
func (r *round) twinStays(in received, it *store.TeamItem) (stays, bound bool) {
	if in.conflictOf.IsZero() || it.Author != r.team.Member {
		return false, false
	}
	other := r.known[in.conflictOf]
	bound = it.State == store.TeamSame && other != nil && !over(other)
	return bound || it.State == store.TeamOut || it.State == store.TeamHeld, bound
}

// refText returns where an item is stored here, or "" if the place finds it by id.
func (r *round) refText(it *store.TeamItem) string {
	if i, ok := r.byRef[string(it.Ref)]; ok && len(it.Ref) > 0 {
		return r.locals[i].Ref
	}
	return ""
}

// welcome opens a version and accepts it. It skips one that cannot be opened: either its key is gone, so its tombstone
// is on its way, or someone made it by hand.
func (r *round) welcome(in received, ref string, a *arrivals) {
	raw, err := contentOf(in)
	if errors.Is(err, errSeal) {
		return
	}
	if err != nil {
		r.s.o.Logger.Warn("an item of the team has an unknown format and is skipped", "item", idText(in.id), "author",
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

// resolveConflict resolves an item that was changed both here and elsewhere: the later version wins; the other one is
// kept, out of use, as an item of its own that refers to the winner.
func (r *round) resolveConflict(in received, it *store.TeamItem, a *arrivals) {
	at, here := r.byRef[string(it.Ref)]
	if !here {
		return // its tree cannot be read now; pushing it will run into the same conflict again
	}
	mine := r.locals[at]
	if raw, err := contentOf(in); err == nil && raw.said() == mine.Content.raw().said() {
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
		it.Base, it.HLC, it.Coming = in.hlc, max(it.HLC, in.hlc+1), nil
		a.step.Items = append(a.step.Items, *it)
	}
	a.lost = append(a.lost, lost)
	a.lostOf = append(a.lostOf, received{id: id, kind: it.Kind, author: r.team.Member, machine: r.team.Machine,
		conflictOf: it.ID})
	if theirs {
		r.welcome(in, mine.Ref, a)
	}
}

// raw returns local content in the form of received content.
func (c Content) raw() Raw {
	tags := make([]string, len(c.Tags))
	for i, t := range c.Tags {
		tags[i] = t.String()
	}
	return Raw{Form: c.Form.String(), Kind: c.Kind.String(), Title: c.Title.String(),
		Body: c.Body.String(), Key: c.Key.String(), Tags: tags, State: c.State.String(), Confidence: c.Confidence,
		Created: c.Created, Updated: c.Updated}
}
