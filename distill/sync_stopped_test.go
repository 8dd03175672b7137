package distill_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"keepmum/distill"
	"keepmum/extract"
	"keepmum/longtest"
	"keepmum/store"
)

func TestOneBrokenProjectFailsAlone(t *testing.T) {
	r := newRig(t)
	for _, p := range []string{"shop", "blog", "site"} {
		r.claude(p, "in-"+p,
			user("remember: "+p+" is deployed from its own branch, never from the main one, as the hoster wants it"))
	}
	r.fail["blog"] = errors.New("no")
	rep := r.sync(distill.SyncOptions{})
	if rep.Extracted != 2 || rep.Failed != 1 || !rep.Partly() || len(r.memories("shop")) != 1 ||
		len(r.memories("site")) != 1 {
		t.Errorf("%+v", rep)
	}
	runs, err := r.db.Runs(t.Context(), store.RunSync, 1)
	if err != nil || runs[0].Outcome != store.OutcomePartial || runs[0].Failed != 1 {
		t.Errorf("the run: %+v, %v", runs, err)
	}
	for range 2 {
		if rep := r.sync(distill.SyncOptions{}); rep.Failed != 0 {
			t.Errorf("it was tried before its time: %+v", rep)
		}
		r.now = r.now.Add(2 * time.Minute)
		r.sync(distill.SyncOptions{})
	}
	if dead := r.jobs(store.SyncDead); len(dead) != 1 || dead[0].Attempts != 3 {
		t.Fatalf("dead letters %+v", dead)
	}
	delete(r.fail, "blog")
	r.claude("blog", "next", user("remember: the feed of the blog is checked by hand after each change of the theme"))
	r.now = r.now.Add(2 * time.Hour)
	if rep := r.sync(distill.SyncOptions{}); rep.Extracted != 1 || len(r.memories("blog")) != 1 {
		t.Errorf("a dead letter keeps its project waiting: %+v", rep)
	}
}

func TestAProjectWhoseMemoriesCannotBeWrittenFailsAlone(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always))
	r.claude("blog", "s2", user("remember: the blog is built with the second theme because the first has no dark mode"))
	if err := os.MkdirAll(filepath.Join(r.home, "projects"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.home, "projects", "blog"), []byte("in the way"), 0o600); err != nil {
		t.Fatal(err)
	}
	rep := r.sync(distill.SyncOptions{})
	if rep.Failed != 1 || len(r.memories("shop")) != 1 {
		t.Errorf("%+v", rep)
	}
}

func TestARunThatIsStoppedGivesBackItsSession(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always))
	ctx, stop := context.WithCancel(t.Context())
	r.world.Extract = func(context.Context, int64, extract.Session, int) (extract.Result, error) {
		stop()
		return extract.Result{}, ctx.Err()
	}
	if _, err := distill.Sync(ctx, r.world, distill.SyncOptions{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("it ended with %v", err)
	}
	if p := r.jobs(store.SyncPending); len(p) != 1 || p[0].Attempts != 0 {
		t.Errorf("queue %+v", p)
	}
	runs, err := r.db.Runs(t.Context(), store.RunSync, 1)
	if err != nil || runs[0].Outcome != store.OutcomeStopped {
		t.Errorf("the run: %+v, %v", runs, err)
	}
}

func TestARunMakesRoomForTheUser(t *testing.T) {
	r := newRig(t)
	for _, id := range []string{"s1", "s2", "s3"} {
		r.claude("shop", id, user("work on "+id))
	}
	r.sync(distill.SyncOptions{NoExtract: true})
	rep := r.sync(distill.SyncOptions{Yield: func() bool {
		counts, err := r.db.SyncCounts(context.Background())
		return err == nil && counts[string(store.SyncDone)] > 0
	}})
	if !rep.Stopped || rep.Extracted != 1 || rep.Waiting != 2 {
		t.Errorf("%+v", rep)
	}
}

func TestASecondRunIsRefusedAndMayBeForced(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always))
	inner := r.world
	var refused, forced, dry error
	r.world.Extract = func(ctx context.Context, p int64, s extract.Session, from int) (extract.Result, error) {
		_, refused = distill.Sync(ctx, inner, distill.SyncOptions{})
		_, dry = distill.Sync(ctx, inner, distill.SyncOptions{DryRun: true})
		_, forced = distill.Sync(ctx, inner, distill.SyncOptions{IgnoreLock: true})
		return r.extract(ctx, p, s, from)
	}
	rep := r.sync(distill.SyncOptions{RunID: "sync-first"})
	var busy *distill.BusyError
	if !errors.As(refused, &busy) || busy.Owner.Run != "sync-first" || busy.Owner.Does != "sync" {
		t.Errorf("the second run: %v", refused)
	}
	if forced != nil || dry != nil || rep.Learnings != 1 {
		t.Errorf("forced: %v, dry: %v, %+v", forced, dry, rep)
	}
}

// TestTheUserInterruptsTheReadingOfALongSession: a user who types does not wait until the session is read, and
// nothing is lost.
func TestTheUserInterruptsTheReadingOfALongSession(t *testing.T) {
	r := newRig(t)
	var long []said
	for i := range longtest.Size(250, 3000) {
		long = append(long,
			user(fmt.Sprintf("line %d of a session that has many: %s", i, strings.Repeat("the till prints receipts ", 40))))
	}
	r.claude("shop", "s1", append(long, user(always))...)
	var asked atomic.Int64
	read, comes := 0, make(chan struct{})
	admit := r.world.Admit
	r.world.Admit = func(o distill.Origin) (*distill.Admission, string) {
		a, why := admit(o)
		prompt := a.Prompt
		a.Prompt = func(text string, at time.Time) bool {
			if read++; read == 10 {
				<-comes // it is being read until the user comes
			}
			return prompt(text, at)
		}
		return a, why
	}
	rep := r.sync(distill.SyncOptions{Yield: func() bool {
		n := asked.Add(1)
		if n == 2 {
			close(comes)
		}
		return n > 1
	}})
	if !rep.Stopped || rep.Indexed+rep.Extracted+rep.Failed != 0 || read > len(long)/2 {
		t.Errorf("%d of %d lines were read: %+v", read, len(long), rep)
	}
	if rep = r.sync(distill.SyncOptions{}); rep.Extracted != 1 || len(r.memories("shop")) != 1 {
		t.Errorf("afterwards: %+v", rep)
	}
}

func TestTheUserInterruptsAnExtraction(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always))
	plain := r.world.Extract
	r.world.Extract = func(ctx context.Context, _ int64, _ extract.Session, _ int) (extract.Result, error) {
		<-ctx.Done() // a model that thinks for minutes
		return extract.Result{}, ctx.Err()
	}
	asked := 0
	rep := r.sync(distill.SyncOptions{Yield: func() bool { asked++; return asked > 3 }})
	if jobs := r.jobs(store.SyncPending); !rep.Stopped || rep.Failed != 0 || len(jobs) != 1 || jobs[0].Attempts != 0 {
		t.Errorf("%+v, %+v", rep, jobs)
	}
	r.world.Extract = plain
	if rep = r.sync(distill.SyncOptions{}); rep.Extracted != 1 || len(r.memories("shop")) != 1 {
		t.Errorf("afterwards: %+v", rep)
	}
}

// TestAListThatCannotBeWrittenLosesNoMemory: a repository may have a link in its place.
func TestAListThatCannotBeWrittenLosesNoMemory(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always))
	r.claude("blog", "s2", user("remember: the blog is built with the second theme because the first has no dark mode"))
	dir := filepath.Join(r.home, "projects", "shop", "memory")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "index.md")); err != nil {
		t.Fatal(err)
	}
	rep := r.sync(distill.SyncOptions{})
	if rep.Learnings != 2 || rep.Failed != 0 || len(r.memories("shop")) != 1 || len(r.memories("blog")) != 1 {
		t.Errorf("%+v", rep)
	}
	if runs, err := r.db.Runs(t.Context(), store.RunSync, 1); err != nil || runs[0].Outcome != store.OutcomeDone {
		t.Errorf("the run: %+v, %v", runs, err)
	}
	if to, err := os.Readlink(filepath.Join(dir, "index.md")); err != nil || to != "/etc/hostname" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
}

// TestATranscriptThatChangesWhileItIsRead: existing entries are stored once, the next run finds new ones, and broken
// lines affect nothing else.
func TestATranscriptThatChangesWhileItIsRead(t *testing.T) {
	r := newRig(t)
	path := r.claude("shop", "s1", user(always), user("go on"))
	admit := r.world.Admit
	r.world.Admit = func(o distill.Origin) (*distill.Admission, string) {
		a, why := admit(o)
		prompt, first := a.Prompt, true
		a.Prompt = func(text string, at time.Time) bool {
			if first { // in the middle of the file, ending in half a line or in an invalid one
				first = false
				r.append(path, "shop", "s1", 5,
					user("remember: the staging database is reset every Sunday, so no fixture may live in it"))
				f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
				if err != nil {
					t.Error(err)
					return true
				}
				_, err = f.WriteString("{\"type\":\"user\",\"message\":{]]\nnot json at all\n{\"type\":\"us")
				if err := errors.Join(err, f.Close()); err != nil {
					t.Error(err)
				}
			}
			return prompt(text, at)
		}
		return a, why
	}
	if rep := r.sync(distill.SyncOptions{}); rep.Failed != 0 || rep.Extracted != 1 {
		t.Errorf("%+v", rep)
	}
	r.world.Admit = admit
	old := r.now.Add(-10 * time.Minute)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if rep := r.sync(distill.SyncOptions{}); rep.Failed != 0 {
		t.Errorf("the next run: %+v", rep)
	}
	if got := r.memories("shop"); len(got) != 2 {
		t.Errorf("memories %v", got)
	}
}
