package daemon

import (
	"errors"
	"testing"
	"time"

	"keepmum/privacy"
	"keepmum/store"
	"keepmum/team"
)

// TestAFileFromAnotherMachineIsNotedBeforeItIsThere, and one that was written after a forget elsewhere
// comes in, though the same words were forgotten here a moment ago.
func TestAFileFromAnotherMachineIsNotedBeforeItIsThere(t *testing.T) {
	r := startRig(t, t.TempDir())
	ctx := t.Context()
	id, err := r.d.db.PutProject(ctx, store.Project{Name: privacy.Const("shop")})
	if err != nil {
		t.Fatal(err)
	}
	p := newTeamPlace(r.d)
	now := time.Now().Truncate(time.Second)
	item := func(n byte, written time.Time) team.Incoming {
		return team.Incoming{ID: store.TeamID{n}, Kind: team.KindMemory, Author: privacy.Const("anna"),
			Machine: privacy.Const("desk"), Mine: true, Content: team.Raw{Form: "learning", Kind: "insight",
				Title: "The port of the API", Body: "The API listens on 8080, because the proxy expects it there.", State: "active",
				Confidence: 0.9,
				Created:    written.UnixMilli(), Updated: written.UnixMilli()}}
	}
	count := func() int {
		t.Helper()
		items, err := p.Items(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		return len(items)
	}
	first := []team.Incoming{item(1, now.Add(-time.Hour))}
	told, stop := "", errors.New("killed")
	_, err = p.Put(ctx, id, first, func(list []team.Local) error {
		if told = list[0].Ref; told != "" {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || count() != 0 {
		t.Fatalf("%v, %d files", err, count())
	}
	out, err := p.Put(ctx, id, first, func([]team.Local) error { return nil })
	if err != nil || out[0].Ref != told || count() != 1 {
		t.Fatalf("told of %q, kept as %+v, %v", told, out, err)
	}
	err = p.Forget(ctx, id, []team.Gone{{ID: first[0].ID, Ref: told, At: now.Add(-30 * time.Minute)}})
	if err != nil || count() != 0 {
		t.Fatalf("%v, %d files", err, count())
	}
	for _, tc := range []struct {
		in   team.Incoming
		want int
	}{{item(2, now.Add(-45*time.Minute)), 0}, {item(3, now.Add(-10*time.Minute)), 1}} {
		out, err := p.Put(ctx, id, []team.Incoming{tc.in}, func([]team.Local) error { return nil })
		if err != nil || count() != tc.want || (out[0].Ref != "") != (tc.want == 1) {
			t.Errorf("%+v %v, %d files", out, err, count())
		}
	}
}
