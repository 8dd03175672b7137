package distill_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/distill"
	"keepmum/extract"
	"keepmum/memory"
	"keepmum/privacy"
)

// saidAt writes a session of the shop in which one thing was said.
func (r *rig) saidAt(id, text string, at time.Time) {
	r.t.Helper()
	now := r.now
	r.now = at.Add(2 * time.Hour) // a session begins two hours before its file is read
	r.claude("shop", id, user(text))
	r.now = now
}

// tree returns the memories of the shop.
func (r *rig) tree() *memory.Tree {
	r.t.Helper()
	tree, err := memory.Open(filepath.Join(r.home, "projects", "shop", "memory"), r.world.Gate)
	if err != nil {
		r.t.Fatal(err)
	}
	return tree
}

func (r *rig) loaded() memory.Listing {
	r.t.Helper()
	l, err := r.tree().Load()
	if err != nil {
		r.t.Fatal(err)
	}
	return l
}

// A rule that another session changed later has its own time, and so has the old one, in whatever order they are read.
func TestARuleThatWasChangedLaterHasItsOwnTime(t *testing.T) {
	before := time.Date(2026, 2, 10, 10, 0, 0, 0, time.UTC)
	after := before.AddDate(0, 0, 4)
	const old = "remember: the deploy branch is called release, because the vendor pulls from it every night at two"
	const now = "remember: the deploy branch is now called production, not release any more, because the vendor left us"
	for name, read := range map[string]func(r *rig){
		"in one run": func(r *rig) {
			r.saidAt("s1", old, before)
			r.saidAt("s2", now, after)
			r.sync(distill.SyncOptions{})
		},
		"in two runs": func(r *rig) {
			r.saidAt("s1", old, before)
			r.sync(distill.SyncOptions{})
			r.saidAt("s2", now, after)
			r.sync(distill.SyncOptions{})
		},
		"the later one first": func(r *rig) {
			r.saidAt("s2", now, after)
			r.sync(distill.SyncOptions{})
			r.saidAt("s1", old, before)
			r.sync(distill.SyncOptions{})
		},
	} {
		r := newRig(t)
		read(r)
		l := r.loaded()
		if len(l.Active) != 1 || len(l.Archived) != 1 {
			t.Fatalf("%s: %d active, %d archived: %+v", name, len(l.Active), len(l.Archived), l)
		}
		is, was := l.Active[0], l.Archived[0]
		if !strings.Contains(is.Title, "production") || !is.ValidFrom.Equal(after) || was.SupersededBy != is.ID {
			t.Errorf("%s: %s is valid from %s and replaced %q", name, is.Title, is.ValidFrom, was.SupersededBy)
		}
		if day := before.AddDate(0, 0, 2); strings.Contains(was.Title, "production") || !was.HeldAt(day) || is.HeldAt(day) {
			t.Errorf("%s: on %s %q: %v, %q: %v", name, day, was.Title, was.HeldAt(day), is.Title, is.HeldAt(day))
		}
	}
}

// What the user wrote by hand or pinned is not replaced by an agent's word, but by the user's.
func TestAnAgentsWordDoesNotReplaceWhatTheUserWrote(t *testing.T) {
	for _, told := range []bool{true, false} {
		r := newRig(t)
		if _, err := r.tree().Add(memory.Candidate{Primitive: memory.Learning, Kind: memory.Fact, Confidence: 0.9, Told: true,
			Title: r.text("The deploy branch is called release")},
			memory.Stamp{Now: r.now.AddDate(0, 0, -3), By: privacy.Const("cli")}); err != nil {
			t.Fatal(err)
		}
		r.world.Extract = func(_ context.Context, _ int64, s extract.Session, _ int) (extract.Result, error) {
			return extract.Result{Candidates: []memory.Candidate{{Primitive: memory.Learning, Kind: memory.Fact,
				Title: r.text("The deploy branch is called production"), Confidence: 0.9, Told: told, At: s.End}}}, nil
		}
		r.saidAt("s1", "which branch do we deploy from", r.now.Add(-3*time.Hour))
		rep := r.sync(distill.SyncOptions{})
		l := r.loaded()
		if len(l.Active) != 1 || strings.Contains(l.Active[0].Title, "production") != told {
			t.Errorf("told %v: %+v, %+v", told, rep.Actions, l.Active)
		}
	}
}
