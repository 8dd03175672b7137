package distill_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"keepmum/distill"
	"keepmum/extract"
	"keepmum/longtest"
	"keepmum/store"
)

// forget removes what a selection covers, as the command does.
func (r *rig) forget(sel store.Selection) store.ForgetPlan {
	r.t.Helper()
	plan, err := r.db.PlanForget(r.t.Context(), sel)
	if plan.Empty() && sel.OneSession() {
		for _, agent := range distill.Agents() {
			plan.Read = append(plan.Read, store.Read{Agent: agent, Native: sel.Session})
		}
	}
	if err == nil {
		err = r.db.Forget(r.t.Context(), plan)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return plan
}

func TestASessionThatOnlyAFileKnowsIsForgotten(t *testing.T) {
	r := newRig(t)
	path := r.claude("shop", "s1", user(always))
	r.claude("shop", "s2", user("work on something else"))
	r.sync(distill.SyncOptions{NoExtract: true})
	if plan := r.forget(store.Selection{Session: "s1"}); len(plan.Read) != 1 || len(r.jobs(store.SyncPending)) != 1 {
		t.Errorf("%+v, %+v", plan, r.jobs(store.SyncPending))
	}
	for _, o := range []distill.SyncOptions{{}, {Force: true}, {Session: "s1", Force: true}} {
		if rep := r.sync(o); rep.Learnings != 0 || rep.Why["forgotten"] != 1 || len(r.memories("shop")) != 0 {
			t.Errorf("%+v: %+v", o, rep)
		}
	}
	read := r.countReads()
	if rep := r.sync(distill.SyncOptions{}); *read != 0 || rep.Why["forgotten"] != 1 {
		t.Errorf("a forgotten file is read to find that out: %+v", rep)
	}
	r.now = r.now.Add(3 * time.Hour)
	r.append(path, "shop", "s1", 60,
		user("remember: the staging database is reset every Sunday, so no fixture may live in it"))
	if rep := r.sync(distill.SyncOptions{}); rep.Learnings != 1 {
		t.Errorf("what was said anew: %+v", rep)
	}
	r.holdsNone("cents")
}

func TestASessionIsForgottenBeforeAnyRunMetIt(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always))
	if plan := r.forget(store.Selection{Session: "s1"}); len(plan.Docs)+len(plan.Sessions) != 0 {
		t.Errorf("%+v", plan)
	}
	if rep := r.sync(distill.SyncOptions{Force: true}); rep.Learnings != 0 || rep.Why["forgotten"] != 1 {
		t.Errorf("%+v", rep)
	}
}

func TestWhatASubagentDidIsForgottenWithItsSession(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user("look at the till"))
	sub := filepath.Join(r.agents, "claude", "projects", "-home-dev-shop", "s1", "subagents", "agent-a1.jsonl")
	r.append(sub, "shop", "s1", 0, user(always))
	r.sync(distill.SyncOptions{NoExtract: true})
	if n := len(r.jobs(store.SyncPending)); n != 2 {
		t.Fatalf("%d sessions", n)
	}
	if plan := r.forget(store.Selection{Session: "s1"}); len(plan.Read) != 2 {
		t.Errorf("%+v", plan)
	}
	late := filepath.Join(filepath.Dir(sub), "agent-b2.jsonl")
	r.append(late, "shop", "s1", 1, user(always))
	if rep := r.sync(distill.SyncOptions{Force: true}); rep.Learnings != 0 || len(r.memories("shop")) != 0 {
		t.Errorf("%+v", rep)
	}
	r.holdsNone("cents")
}

func TestAProjectIsForgottenWithTheSessionsThatOnlyFilesKnow(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always))
	r.claude("blog", "s2", user("remember: posts are written in British English, because the readers complained"))
	r.sync(distill.SyncOptions{NoExtract: true})
	r.forget(store.Selection{Project: "shop"})
	r.sync(distill.SyncOptions{Force: true})
	projects, err := r.db.Projects(t.Context())
	if err != nil || len(projects) != 1 || projects[0].Name != "blog" || len(r.memories("blog")) != 1 {
		t.Errorf("%+v, %v", projects, err)
	}
}

// TestWhatIsForgottenDuringAnExtractionIsNotWritten: a model thinks for minutes.
func TestWhatIsForgottenDuringAnExtractionIsNotWritten(t *testing.T) {
	for name, forget := range map[string]func(*rig){
		"the session": func(r *rig) { r.forget(store.Selection{Session: "s1"}) },
		"a text": func(r *rig) {
			if _, err := r.db.Replace(r.t.Context(), "counted in cents"); err != nil {
				r.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.claude("shop", "s1", user(always))
			r.world.Extract = func(ctx context.Context, project int64, s extract.Session, from int) (extract.Result, error) {
				out, err := r.extract(ctx, project, s, from)
				r.seen = nil
				out.Summary = extract.Summary{Title: r.text("Money counted in cents"),
					Intent: r.text("that it is counted in cents")}
				forget(r)
				return out, err
			}
			r.sync(distill.SyncOptions{})
			r.holdsNone("counted in cents")
			if got := r.memories("shop"); name == "the session" && len(got) != 0 {
				t.Errorf("%v", got)
			}
		})
	}
}

// TestForgettingThenSyncingBringsNothingBack forgets at random, then syncs with force: nothing forgotten may be in any
// file.
func TestForgettingThenSyncingBringsNothingBack(t *testing.T) {
	check := func(seed uint64) bool {
		rnd := rand.New(rand.NewPCG(seed, 3))
		r := newRig(t)
		secret := func(i int) string { return fmt.Sprintf("oak board %d by %d of the long table", seed%1000, i) }
		n := 2 + rnd.IntN(3)
		for i := range n {
			id := fmt.Sprintf("session-%d", i)
			r.claude("shop", id,
				user(fmt.Sprintf("remember: the lid of box %d is made of %s, since the carpenter wants it", i, secret(i))),
				said{tool: "Bash", input: map[string]any{"command": "saw '" + secret(i) + "'"},
					output: "error: too long: " + secret(i), failed: true})
			if rnd.IntN(2) == 0 {
				r.hooked(id, "shop", "where is "+secret(i)+"?", r.now.Add(-2*time.Hour))
			}
		}
		if rnd.IntN(3) > 0 {
			r.sync(distill.SyncOptions{NoExtract: rnd.IntN(2) == 0})
		}
		r.now = r.now.Add(time.Minute)
		i := rnd.IntN(n)
		if rnd.IntN(2) == 0 {
			if _, err := r.db.Replace(t.Context(), secret(i)); err != nil {
				t.Fatal(err)
			}
		} else {
			r.forget(store.Selection{Session: fmt.Sprintf("session-%d", i)})
		}
		for _, dir := range []string{"projects", "runs"} { // normally done by the daemon
			if err := os.RemoveAll(filepath.Join(r.home, dir)); err != nil {
				t.Fatal(err)
			}
		}
		r.seen = nil
		for _, o := range []distill.SyncOptions{{}, {Force: true}, {}, {Force: true, Session: fmt.Sprintf("session-%d", i)}} {
			r.now = r.now.Add(time.Minute)
			r.sync(o)
		}
		if err := r.db.Checkpoint(t.Context()); err != nil {
			t.Fatal(err)
		}
		r.holdsNone(secret(i), strings.ToLower(secret(i)))
		others := 0
		for _, text := range r.files() {
			if strings.Contains(text, secret((i+1)%n)) {
				others++
			}
		}
		if others == 0 {
			t.Error("what was not forgotten is gone too")
		}
		return !t.Failed()
	}
	if err := quick.Check(check, &quick.Config{MaxCount: longtest.Rounds(3, 30)}); err != nil {
		t.Error(err)
	}
}

// TestADatabaseWithAForgottenSessionIsNotOpenedForIt: there is nothing to read in it until it changes.
func TestADatabaseWithAForgottenSessionIsNotOpenedForIt(t *testing.T) {
	r := newRig(t)
	db := r.openCode("/home/dev/shop", "t", always, "make", "no", "done")
	r.sync(distill.SyncOptions{NoExtract: true})
	r.forget(store.Selection{Session: "ses_1"})
	at := r.now.Add(-time.Minute).UnixMilli()
	for _, s := range []string{
		fmt.Sprintf(`INSERT INTO session VALUES ('ses_2', 'p', NULL, '/home/dev/shop', 't2', '1.18.33', %d, %d)`, at, at),
		fmt.Sprintf(`INSERT INTO message VALUES ('m9', 'ses_2', %d, %d, '{"role":"user"}')`, at, at),
		fmt.Sprintf(`INSERT INTO part VALUES ('p9', 'm9', 'ses_2', %d, %d, '{"type":"text","text":"look at it"}')`, at, at),
	} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	r.now = r.now.Add(time.Hour)
	r.age(filepath.Join(r.agents, "opencode", "opencode.db"))
	if rep := r.sync(distill.SyncOptions{}); rep.Indexed != 1 || rep.Why["forgotten"] != 1 || rep.Failed != 0 {
		t.Fatalf("%+v", rep)
	}
	if rep := r.sync(distill.SyncOptions{}); rep.Why["forgotten"] != 0 || rep.Why["unchanged"] != 1 {
		t.Errorf("it was listed again: %+v", rep)
	}
}
