package store_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"keepmum/privacy"
	"keepmum/store"
)

// syncRig is a database with a stopped clock.
type syncRig struct {
	*store.DB
	gate *privacy.Gate
	now  time.Time
}

func newSyncRig(t *testing.T) *syncRig {
	t.Helper()
	gate, err := privacy.New(privacy.Options{Key: []byte("key")})
	if err != nil {
		t.Fatal(err)
	}
	r := &syncRig{gate: gate, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	r.DB, err = store.Open(t.Context(),
		store.Options{Path: filepath.Join(t.TempDir(), "memory.db"), Now: func() time.Time { return r.now },
			Key: []byte("key")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func (r *syncRig) text(s string) privacy.Clean {
	c, _ := r.gate.Text(s)
	return c
}

// put catalogues a session of a project that ended some minutes ago.
func (r *syncRig) put(t *testing.T, native, project, hash string, ago int) (store.CatalogueRow, bool) {
	t.Helper()
	ended := r.now.Add(-time.Duration(ago) * time.Minute)
	row, known, err := r.PutCatalogue(t.Context(), store.CatalogueEntry{
		Key: r.gate.ID("claude", native), Agent: privacy.Const("claude"), Native: r.text(native),
		Project: store.Project{Name: r.text(project)}, Counts: store.Counts{Steps: 3}, Started: ended, Ended: ended,
		Hash: r.text(hash),
	})
	if err != nil {
		t.Fatal(err)
	}
	return row, known
}

func (r *syncRig) claim(t *testing.T) (store.CatalogueRow, bool) {
	t.Helper()
	row, ok, err := r.ClaimSync(t.Context(), store.SyncFilter{}, privacy.Const("me"), 5*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return row, ok
}

func TestSessionsAreClaimedNewestFirstAndOneOfAProjectAtATime(t *testing.T) {
	r := newSyncRig(t)
	r.put(t, "older", "shop", "h", 20)
	r.put(t, "newer", "shop", "h", 10)
	r.put(t, "other", "blog", "h", 30)
	var got []string
	for {
		row, ok := r.claim(t)
		if !ok {
			break
		}
		got = append(got, row.Native)
	}
	if len(got) != 2 || got[0] != "newer" || got[1] != "other" {
		t.Errorf("claimed %v", got)
	}
}

func TestASessionIsTriedThreeTimesAndItsProjectGoesOn(t *testing.T) {
	r := newSyncRig(t)
	r.put(t, "broken", "shop", "h", 1)
	for i, wait := range []time.Duration{30 * time.Second, time.Minute} {
		row, ok := r.claim(t)
		if !ok || row.Attempts != i+1 {
			t.Fatalf("attempt %d: %v %+v", i+1, ok, row)
		}
		if err := r.FailSync(t.Context(), row, privacy.Const("no")); err != nil {
			t.Fatal(err)
		}
		r.now = r.now.Add(wait - time.Millisecond)
		if _, ok := r.claim(t); ok {
			t.Fatalf("attempt %d came before its time", i+2)
		}
		r.now = r.now.Add(time.Millisecond)
	}
	row, _ := r.claim(t)
	if err := r.FailSync(t.Context(), row, privacy.Const("no")); err != nil {
		t.Fatal(err)
	}
	jobs, err := r.SyncJobs(t.Context(), store.SyncFilter{States: []store.SyncState{store.SyncDead}}, 10)
	if err != nil || len(jobs) != 1 || jobs[0].Error != "no" {
		t.Fatalf("dead letters %+v, %v", jobs, err)
	}
	r.put(t, "next", "shop", "h", 50)
	if row, ok := r.claim(t); !ok || row.Native != "next" {
		t.Errorf("a dead letter blocks its project: %v %q", ok, row.Native)
	}
}

func TestALeaseThatRanOutIsTakenBack(t *testing.T) {
	r := newSyncRig(t)
	r.put(t, "s", "shop", "h", 1)
	first, _ := r.claim(t)
	r.now = r.now.Add(4 * time.Minute)
	if err := r.HeartbeatSync(t.Context(), first, 5*time.Minute); err != nil {
		t.Fatal(err)
	}
	r.now = r.now.Add(4 * time.Minute)
	if _, ok := r.claim(t); ok {
		t.Fatal("a lease that was renewed was taken")
	}
	r.now = r.now.Add(2 * time.Minute)
	second, ok := r.claim(t)
	if !ok || second.Attempts != 2 {
		t.Fatalf("taken back: %v, attempt %d", ok, second.Attempts)
	}
	first.Lease = "somebody else"
	if err := r.CompleteSync(t.Context(), first, privacy.Const("run")); !errors.Is(err, store.ErrLeaseLost) {
		t.Errorf("whoever lost the lease ended the session: %v", err)
	}
}

func TestASessionIsPendingAgainOnlyWhenItSaysSomethingNew(t *testing.T) {
	r := newSyncRig(t)
	r.put(t, "s", "shop", "h1", 9)
	row, _ := r.claim(t)
	if err := r.CompleteSync(t.Context(), row, privacy.Const("run")); err != nil {
		t.Fatal(err)
	}
	if row, known := r.put(t, "s", "shop", "h1", 8); !known || row.State != store.SyncDone || row.Extracted != 3 {
		t.Errorf("the same again: known %v, %s, %d", known, row.State, row.Extracted)
	}
	if row, known := r.put(t, "s", "shop", "h2", 7); known || row.State != store.SyncPending || row.Extracted != 3 {
		t.Errorf("grown: known %v, %s, %d", known, row.State, row.Extracted)
	}
}

func TestASessionThatGrewWhileItRanIsPendingAfterwards(t *testing.T) {
	r := newSyncRig(t)
	r.put(t, "s", "shop", "h1", 9)
	row, _ := r.claim(t)
	if grown, _ := r.put(t, "s", "shop", "h2", 8); grown.State != store.SyncRunning {
		t.Fatalf("it was taken from the run: %s", grown.State)
	}
	if err := r.CompleteSync(t.Context(), row, privacy.Const("run")); err != nil {
		t.Fatal(err)
	}
	if again, ok := r.claim(t); !ok || again.Hash != "h2" {
		t.Errorf("what was said meanwhile is lost: %v %q", ok, again.Hash)
	}
}

func TestASessionIsFoundByTheBeginningOfItsID(t *testing.T) {
	r := newSyncRig(t)
	row, _ := r.put(t, "4ab774e4-one", "shop", "h", 1)
	for _, native := range []string{"4ab774e4-two", "4ab774e4", "s1", "żółta-żaba-12", "żółta-żaba-1"} {
		r.put(t, native, "shop", "h", 1)
	}
	for _, c := range []struct {
		prefix string
		want   error
	}{
		{"4ab77", store.ErrShort},
		{"4ab774", store.ErrAmbiguous},
		{"4ab774e4", nil},
		{"s1", nil},
		{"s", store.ErrShort},
		{"4ab774e4-o", nil},
		{row.Key[:12], nil},
		{"4ab774e4-on", nil},
		{"żółta-żaba-1", nil}, // of which another one begins with it, too
		{"żółta-ż", store.ErrAmbiguous},
		{"żółta-żaba-12", nil},
		{"żół", store.ErrShort},
		{"zzzzzz", store.ErrNotFound},
		{"%%%%%%", store.ErrNotFound},
	} {
		if _, err := r.FindSync(t.Context(), c.prefix); !errors.Is(err, c.want) {
			t.Errorf("%q: %v, want %v", c.prefix, err, c.want)
		}
	}
}

func TestAForgottenSessionIsNotCataloguedAgain(t *testing.T) {
	r := newSyncRig(t)
	at := r.now.Add(-time.Hour)
	ref := store.SessionRef{Agent: privacy.Const("claude"), Native: r.text("s"),
		Project: store.Project{Name: r.text("shop")}}
	if _, err := r.PutPrompt(t.Context(),
		store.Prompt{Session: ref, Text: r.text("why is the bill wrong"), At: at}); err != nil {
		t.Fatal(err)
	}
	r.put(t, "s", "shop", "h", 60)
	plan, err := r.PlanForget(t.Context(), store.Selection{Session: "s"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Forget(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	if rows, err := r.Catalogue(t.Context()); err != nil || len(rows) != 0 {
		t.Errorf("the catalogue still knows it: %d, %v", len(rows), err)
	}
	_, _, err = r.PutCatalogue(t.Context(),
		store.CatalogueEntry{Key: r.gate.ID("claude", "s"), Agent: privacy.Const("claude"), Native: r.text("s"), Started: at,
			Ended: at})
	if !errors.Is(err, store.ErrForgotten) {
		t.Errorf("it was catalogued again: %v", err)
	}
	said, err := r.Forgotten(t.Context(), privacy.Const("claude"), r.text("s"), []store.Said{
		{Role: store.RoleUser, Text: r.text("why is the bill wrong"), At: at},
		{Role: store.RoleUser, Text: r.text("another question"), At: at}})
	if err != nil || !said[0] || said[1] {
		t.Errorf("forgotten %v, %v", said, err)
	}
	if when, err := r.ForgottenAt(t.Context(), privacy.Const("claude"), r.text("s")); err != nil || !when.Equal(r.now) {
		t.Errorf("forgotten at %v, %v", when, err)
	}
}

// A run that was killed, or failed, before the clock was set back.
func TestAClockSetBackHoldsUpNoSession(t *testing.T) {
	r := newSyncRig(t)
	r.put(t, "s", "shop", "h", 1)
	row, ok := r.claim(t)
	if !ok {
		t.Fatal("nothing to do")
	}
	if err := r.FailSync(t.Context(), row, privacy.Const("no reason")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r.now = r.now.AddDate(-1, 0, 0)
		if _, ok := r.claim(t); !ok {
			t.Errorf("it waits for %s", r.now.AddDate(1, 0, 0))
		}
	}
}
