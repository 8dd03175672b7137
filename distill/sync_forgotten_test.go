package distill_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/config"
	"keepmum/distill"
	"keepmum/store"
)

func TestWhatIsForgottenDoesNotComeBack(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always))
	r.hooked("s1", "shop", always, r.now.Add(-2*time.Hour))
	r.sync(distill.SyncOptions{})
	plan, err := r.db.PlanForget(t.Context(), store.Selection{Session: "s1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.db.Forget(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(r.home, "projects")); err != nil {
		t.Fatal(err)
	}
	r.now = r.now.Add(time.Minute)
	rep := r.sync(distill.SyncOptions{Force: true})
	if rep.Learnings != 0 || rep.Why["forgotten"] != 1 || len(r.memories("shop")) != 0 {
		t.Errorf("%+v", rep)
	}
}

func TestAPromptThatIsForgottenTeachesNothing(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always),
		user("remember: the till prints its receipts twice, once for the guest and once for the house"))
	at := r.now.Add(-2 * time.Hour)
	r.hooked("s1", "shop", always, at)
	id := r.hooked("s1", "shop", "remember: the till prints its receipts twice, once for the guest and once for the house",
		at.Add(time.Minute))
	plan, err := r.db.PlanForget(t.Context(), store.Selection{IDs: []int64{id}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.db.Forget(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	r.sync(distill.SyncOptions{})
	if got := r.memories("shop"); len(got) != 1 {
		t.Errorf("memories %v", got)
	}
	r.holdsNone("receipts twice")
}

func TestALongPromptThatIsForgottenTeachesNothing(t *testing.T) {
	r := newRig(t)
	long := "remember: the till prints its receipts twice\n\n" + strings.Repeat("a line of a log, ", 3000) + "end"
	r.claude("shop", "s1", user(always), user(long))
	at := r.now.Add(-2 * time.Hour)
	r.hooked("s1", "shop", always, at)
	r.forget(store.Selection{IDs: []int64{r.hooked("s1", "shop", long, at.Add(time.Minute))}})
	r.sync(distill.SyncOptions{})
	r.holdsNone("receipts twice")
}

func TestSwitchesOfCaptureHoldForFilesToo(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*config.Config)
		lines  []said
		why    string
		want   int // number of memories
	}{
		"capture off": {func(c *config.Config) { c.Capture.Enabled = false }, []said{user(always)}, "capture is off",
			0},
		"an excluded project": {func(c *config.Config) { c.Capture.ExcludeProjects = []string{"/home/dev/*"} },
			[]said{user(always)}, "directory is in capture.exclude_projects", 0},
		"private from a prompt on": {func(*config.Config) {}, []said{user(always), user("#private now"),
			user("remember: nobody may ever learn of the surprise party that is planned for the founder")}, "", 1},
		"private from the start": {func(*config.Config) {}, []said{user("#private"), user(always)}, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, c.change)
			r.claude("shop", "s1", c.lines...)
			rep := r.sync(distill.SyncOptions{})
			if got := r.memories("shop"); len(got) != c.want || c.why != "" && rep.Why[c.why] != 1 {
				t.Errorf("memories %v, %+v", got, rep)
			}
			r.holdsNone("surprise party")
		})
	}
}

// TestNewStepsAreSeenAfterForgottenOnes: a model is asked about what is new, and removed steps must not count as
// already processed.
func TestNewStepsAreSeenAfterForgottenOnes(t *testing.T) {
	r := newRig(t)
	var many []said
	at := r.now.Add(-2 * time.Hour)
	for i := range 200 {
		many = append(many, user(fmt.Sprintf("what about case %d of the till?", i)))
	}
	path := r.claude("shop", "s1", many...)
	r.sync(distill.SyncOptions{})
	for i := range 200 {
		if i%2 == 0 {
			r.hooked("s1", "shop", fmt.Sprintf("what about case %d of the till?", i), at.Add(time.Duration(i)*time.Minute))
		}
	}
	r.now = r.now.Add(24 * time.Hour)
	var ids []int64
	ses, err := r.db.FindSession(t.Context(), r.text("claude"), r.text("s1"))
	if err != nil {
		t.Fatal(err)
	}
	docs, err := r.db.SessionDocs(t.Context(), ses.ID, 0, 500)
	if err != nil || len(docs) != 100 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	for _, d := range docs[1:] {
		ids = append(ids, d.ID)
	}
	r.forget(store.Selection{IDs: ids})
	r.append(path, "shop", "s1", 3000, user(always))
	r.seen = nil
	r.sync(distill.SyncOptions{})
	if len(r.seen) != 1 {
		t.Fatalf("%d sessions", len(r.seen))
	}
	steps := r.seen[0].Steps
	if len(steps) != 61 || !strings.Contains(steps[60].Text.String(), "cents") || steps[0].Text.String() == "" {
		t.Errorf("%d steps, from %q", len(steps), steps[0].Text)
	}
}
