package team

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"keepmum/privacy"
	"keepmum/privacy/egress"
	"keepmum/store"
)

// follow forgets the versions that lost to something that is now forgotten.
func (r *round) follow(ctx context.Context) error {
	var gone []Gone
	var items []store.TeamItem
	for _, it := range r.known {
		if it.ConflictOf.IsZero() || it.Author != r.team.Member || over(it) {
			continue
		}
		if of := r.known[it.ConflictOf]; of != nil && over(of) {
			at := later(max(it.HLC, it.Base), r.s.o.Now())
			gone = append(gone, Gone{ID: it.ID, Ref: r.refText(it), At: StampTime(at)})
			r.unbind(it)
			it.State, it.HLC, it.Hash, it.ConflictOf = store.TeamForget, at, nil, store.TeamID{}
			items = append(items, *it)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	if err := r.s.o.Place.Forget(ctx, r.project.Project, gone); err != nil {
		return err
	}
	return r.keep(ctx, store.TeamStep{Items: items})
}

// over reports whether an item is forgotten, at least here.
func over(it *store.TeamItem) bool { return it.State == store.TeamGone || it.State == store.TeamForget }

// bury sends the waiting tombstones.
func (r *round) bury(ctx context.Context) error {
	if err := r.follow(ctx); err != nil {
		return err
	}
	waiting := r.waiting(store.TeamForget)
	for batch := range slices.Chunk(waiting, pushBatch) {
		var list []version
		graves := map[string]int64{}
		var items []store.TeamItem
		for _, it := range batch {
			v := version{ID: idText(it.ID), Kind: it.Kind, HLC: max(it.HLC, it.Base+1)}
			if twin := idText(it.ConflictOf); twin != "" {
				v.ConflictOf = &twin
			}
			list = append(list, v)
			for _, g := range it.Graves {
				graves[g] = max(graves[g], StampTime(v.HLC).UnixMilli())
			}
			gone := *it
			gone.State, gone.Receipt, gone.Ref, gone.Hash = store.TeamGone, true, nil, nil
			items = append(items, gone)
		}
		if err := r.there.tombstone(ctx, r.project.Key, list, graves); err != nil {
			return err
		}
		if err := r.keep(ctx, store.TeamStep{Items: items}); err != nil {
			return err
		}
		r.report.Forgotten += len(items)
	}
	return nil
}

// outgoing is an item to be sent, with the version that is sent.
type outgoing struct {
	item  *store.TeamItem
	sent  version
	bytes int64
	sum   string
}

// push sends what is waiting. It returns true if the shared place has another version of something, which must be read
// first.
func (r *round) push(ctx context.Context) (again bool, err error) {
	waiting := r.waiting(store.TeamOut)
	if len(waiting) == 0 {
		return false, nil
	}
	graves, err := r.there.graves(ctx, r.project.Key)
	if err != nil {
		return false, err
	}
	for batch := range slices.Chunk(waiting, pushBatch) {
		more, err := r.pushSome(ctx, batch, graves)
		if err != nil {
			return false, err
		}
		again = again || more
	}
	return again, nil
}

func (r *round) pushSome(ctx context.Context, batch []*store.TeamItem,
	graves map[string]int64) (again bool, err error) {
	step := store.TeamStep{}
	var out []outgoing
	var gone []Gone
	for _, it := range batch {
		at, here := r.byRef[string(it.Ref)]
		if !here {
			r.report.Waiting++ // its tree cannot be read now
			continue
		}
		l := r.locals[at]
		when, all := r.buried(l.Content, graves)
		if all && it.Base == 0 { // exactly these words, written before they were forgotten
			gone = append(gone, Gone{ID: it.ID, Ref: l.Ref, At: when})
			step.Drop = append(step.Drop, it.ID)
			continue
		}
		rules := privacy.Const("forgotten_elsewhere")
		var o outgoing
		if when.IsZero() {
			if o, rules, err = r.prepare(it, l.Content); err != nil {
				return false, err
			}
		}
		if !rules.IsZero() {
			it.State, it.Held = store.TeamHeld, rules
			step.Items = append(step.Items, *it)
			r.report.Held++
			continue
		}
		out = append(out, o)
	}
	if err := r.forget(ctx, gone); err != nil {
		return false, err
	}
	if err := r.keep(ctx, step); err != nil || len(out) == 0 {
		return false, err
	}
	return r.send(ctx, out)
}

// forget removes what another machine of this member forgot but is still here, because that machine did not know our id
// for it, for example after a backup was restored.
func (r *round) forget(ctx context.Context, gone []Gone) error {
	if len(gone) == 0 {
		return nil
	}
	r.report.Forgotten += len(gone)
	return r.s.o.Place.Forget(ctx, r.project.Project, gone)
}

// buried returns when the title or the words of something were forgotten after it was written (zero = never), and
// whether all of it was.
func (r *round) buried(c Content, graves map[string]int64) (when time.Time, all bool) {
	all = true
	for _, g := range Graves([]byte(r.there.key), c.Title.String(), c.Body.String()) {
		at, ok := graves[g]
		if !ok || c.Created > at {
			all = false
			continue
		}
		if t := time.UnixMilli(at); t.After(when) {
			when = t
		}
	}
	return when, all
}

// send writes the ledger, then sends.
func (r *round) send(ctx context.Context, out []outgoing) (again bool, err error) {
	list := make([]version, len(out))
	ledger := make([]store.Egress, len(out))
	host := r.s.word(r.team.Host)
	for i, o := range out {
		list[i] = o.sent
		ledger[i] = store.Egress{Host: host, Model: r.clean.project, Purpose: privacy.Const("team"), Bytes: o.bytes,
			SHA256: r.s.word(o.sum), Project: r.project.Project}
	}
	if err := r.s.o.DB.RecordEgresses(ctx, ledger); err != nil {
		return false, err
	}
	stored, err := r.there.push(ctx, r.project.Key, list)
	if err != nil && !errors.Is(err, errForgotten) {
		return false, err
	}
	step := store.TeamStep{}
	for _, o := range out {
		if !stored[o.sent.ID] {
			again = true
			continue
		}
		o.item.State, o.item.Base, o.item.Held = store.TeamSame, o.item.HLC, privacy.Clean{}
		step.Items = append(step.Items, *o.item)
		r.report.Pushed++
	}
	return again, r.keep(ctx, step)
}

// prepare makes the version to send, or returns the rules that hold it back.
func (r *round) prepare(it *store.TeamItem, c Content) (o outgoing, rules privacy.Clean, err error) {
	if found := egress.Scan(c.textual() + "\n" + r.project.Key); len(found) > 0 {
		return o, r.s.word(ruleNames(found)), nil
	}
	body, err := c.encode()
	if errors.Is(err, errTooLarge) {
		return o, privacy.Const("too_large"), nil
	}
	if err != nil {
		return o, privacy.Clean{}, err
	}
	sealed, key, err := seal(body, idText(it.ID))
	if err != nil {
		return o, privacy.Clean{}, err
	}
	sum := sha256.Sum256(body)
	o = outgoing{item: it, bytes: int64(len(sealed)), sum: hex.EncodeToString(sum[:]), sent: version{
		ID: idText(it.ID), Kind: it.Kind, HLC: it.HLC, Base: it.Base, Body: hex.EncodeToString(sealed),
		Key: hex.EncodeToString(key), Terms: terms(r.there.key, store.ContentWords(c.textual()))}}
	if !it.ConflictOf.IsZero() {
		of := idText(it.ConflictOf)
		o.sent.ConflictOf = &of
	}
	return o, privacy.Clean{}, nil
}

func ruleNames(found []egress.Finding) string {
	var names []string
	for _, f := range found {
		names = append(names, f.Rule)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}
