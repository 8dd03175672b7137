package distill_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/distill"
	"keepmum/extract"
	"keepmum/store"
)

const always = "remember: money is always counted in cents, because floats lost a cent on every third invoice"

func TestASessionBecomesAMemory(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always), assistant("I will use integers of cents everywhere."))
	rep := r.sync(distill.SyncOptions{})
	if rep.Scanned != 1 || rep.Indexed != 1 || rep.Extracted != 1 || rep.Learnings != 1 || rep.Failed != 0 {
		t.Errorf("%+v", rep)
	}
	if got := r.memories("shop"); len(got) != 1 || !strings.HasPrefix(got[0], "learnings/20260301-") {
		t.Errorf("memories %v", got)
	}
	files := r.files()
	for _, name := range []string{"runs/" + rep.RunID + "/extract.json", "runs/" + rep.RunID + "/memory_actions.json",
		"runs/" + rep.RunID + "/summary.json", "runs/" + rep.RunID + "/session.log", "activity.log"} {
		if files[name] == "" {
			t.Errorf("%s is not there: %v", name, slices.Sorted(maps.Keys(files)))
		}
	}
	if line := files["activity.log"]; line != "2026-03-01 12:00:00 | sync | shop | 1 session | 0.0s\n" {
		t.Errorf("activity %q", line)
	}
}

func TestASecondSyncAddsNothingAndReadsNothing(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always))
	r.sync(distill.SyncOptions{})
	before := r.memories("shop")
	read := r.countReads()
	rep := r.sync(distill.SyncOptions{})
	if rep.Indexed+rep.Extracted+rep.Learnings+rep.Failed+*read != 0 || rep.Why["unchanged"] != 1 {
		t.Errorf("%d sessions were read: %+v", *read, rep)
	}
	if after := r.memories("shop"); !slices.Equal(before, after) {
		t.Errorf("%v became %v", before, after)
	}
}

// countReads counts, from now on, the sessions of which something is read.
func (r *rig) countReads() *int {
	n, admit := new(int), r.world.Admit
	r.world.Admit = func(o distill.Origin) (*distill.Admission, string) {
		a, why := admit(o)
		if a != nil {
			prompt, first := a.Prompt, true
			a.Prompt = func(text string, at time.Time) bool {
				if first {
					*n, first = *n+1, false
				}
				return prompt(text, at)
			}
		}
		return a, why
	}
	return n
}

func TestASessionThatGrewIsExtractedAgainWithoutDuplicates(t *testing.T) {
	r := newRig(t)
	path := r.claude("shop", "s1", user(always))
	r.sync(distill.SyncOptions{})
	r.append(path, "shop", "s1", 5,
		user("remember: the staging database is reset every Sunday, so no fixture may live in it"))
	rep := r.sync(distill.SyncOptions{})
	if rep.Indexed != 1 || rep.Extracted != 1 || rep.Learnings != 1 {
		t.Errorf("%+v", rep)
	}
	if got := r.memories("shop"); len(got) != 2 {
		t.Errorf("memories %v", got)
	}
	row := r.jobs()[0]
	if row.Prompts != 2 || row.Extracted != 2 {
		t.Errorf("%d prompts, %d extracted", row.Prompts, row.Extracted)
	}
}

func TestBookkeepingAtTheEndOfAFileIsNotNews(t *testing.T) {
	r := newRig(t)
	path := r.claude("shop", "s1", user(always))
	r.sync(distill.SyncOptions{})
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"type":"file-history-snapshot","messageId":"m"}` + "\n"); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	if err := os.Chtimes(path, r.now.Add(-30*time.Minute), r.now.Add(-30*time.Minute)); err != nil {
		t.Fatal(err)
	}
	rep := r.sync(distill.SyncOptions{})
	if rep.Indexed != 0 || rep.Extracted != 0 || rep.Why["nothing new"] != 1 {
		t.Errorf("%+v", rep)
	}
}

func TestAFileThatWasReplacedIsReadFromItsStart(t *testing.T) {
	r := newRig(t)
	path := r.claude("shop", "s1", user("what is a cent"), user("and a euro"))
	r.sync(distill.SyncOptions{})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	r.append(path, "shop", "s1", 3, user(always), user("go on"), user("and on"), user("and on and on"))
	r.sync(distill.SyncOptions{})
	if got := r.memories("shop"); len(got) != 1 {
		t.Errorf("memories %v", got)
	}
	if row := r.jobs()[0]; row.Prompts != 4 {
		t.Errorf("%d prompts", row.Prompts)
	}
}

func TestADryRunWritesNothingAtAll(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always))
	r.sync(distill.SyncOptions{})
	r.claude("shop", "s2", user(always),
		user("remember: releases are tagged on Fridays only after the smoke test of the whole shop"))
	r.claude("blog", "s3", user("remember: the blog is built with the second theme because the first has no dark mode"))
	before := r.files()
	rep := r.sync(distill.SyncOptions{DryRun: true})
	after := r.files()
	if !maps.Equal(before, after) {
		for name := range after {
			if before[name] != after[name] {
				t.Errorf("%s was written", name)
			}
		}
		for name := range before {
			if _, ok := after[name]; !ok {
				t.Errorf("%s was removed", name)
			}
		}
	}
	if rep.Indexed != 2 || rep.Extracted != 2 || rep.Learnings != 2 {
		t.Errorf("the plan: %+v", rep)
	}
	done := r.sync(distill.SyncOptions{})
	if done.Learnings != rep.Learnings || done.Updated != rep.Updated {
		t.Errorf("planned %d added, %d updated; done %d, %d", rep.Learnings, rep.Updated, done.Learnings, done.Updated)
	}
}

func TestNoExtractQueuesAndWritesNoMemory(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always))
	rep := r.sync(distill.SyncOptions{NoExtract: true})
	if rep.Indexed != 1 || rep.Extracted != 0 || len(r.jobs(store.SyncPending)) != 1 || len(r.memories("shop")) != 0 {
		t.Errorf("%+v", rep)
	}
	if rep = r.sync(distill.SyncOptions{}); rep.Indexed != 0 || rep.Extracted != 1 {
		t.Errorf("afterwards: %+v", rep)
	}
}

func TestForceExtractsAgain(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always))
	r.sync(distill.SyncOptions{})
	rep := r.sync(distill.SyncOptions{Force: true})
	if rep.Extracted != 1 || rep.Learnings != 0 {
		t.Errorf("%+v", rep)
	}
	if len(r.memories("shop")) != 1 {
		t.Error("it was added twice")
	}
}

func TestMaxSessionsAreTheNewest(t *testing.T) {
	r := newRig(t)
	for _, id := range []string{"s1", "s2", "s3"} {
		r.claude("shop", id, user("work on "+id))
		r.now = r.now.Add(time.Hour)
	}
	rep := r.sync(distill.SyncOptions{MaxSessions: 2})
	if done := r.jobs(); rep.Extracted != 2 || rep.Waiting != 1 || len(done) != 2 || done[0].Native != "s3" ||
		done[1].Native != "s2" {
		t.Errorf("%+v", rep)
	}
	if rep = r.sync(distill.SyncOptions{MaxSessions: 2}); rep.Extracted != 1 || rep.Waiting != 0 ||
		rep.Why["unchanged"] != 2 {
		t.Errorf("the next run: %+v", rep)
	}
}

// TestEachSessionIsFinishedBeforeTheNextIsRead: if the first sync of many sessions is stopped, it has written what the
// newest sessions taught, and the next one continues from there.
func TestEachSessionIsFinishedBeforeTheNextIsRead(t *testing.T) {
	r := newRig(t)
	for i, rule := range []string{"receipts of a till are printed in black", "invoices go out on Mondays",
		"photos of articles are square", "couriers ring twice", "vouchers expire after a year"} {
		r.claude("shop", fmt.Sprint("s", i), user("remember: "+rule+", whatever the settings of the house say"))
		r.now = r.now.Add(time.Hour)
	}
	ctx, stop := context.WithCancel(t.Context())
	var read []string
	admit := r.world.Admit
	r.world.Admit = func(o distill.Origin) (*distill.Admission, string) {
		if read = append(read, o.ID); len(read) == 3 {
			stop()
		}
		return admit(o)
	}
	var meter []distill.Progress
	rep, err := distill.Sync(ctx, r.world,
		distill.SyncOptions{Progress: func(p distill.Progress) { meter = append(meter, p) }})
	if !errors.Is(err, context.Canceled) || rep.Extracted != 2 || !slices.Equal(read, []string{"s4", "s3", "s2"}) {
		t.Fatalf("read %v, %v: %+v", read, err, rep)
	}
	if got := r.memories("shop"); len(got) != 2 {
		t.Errorf("memories %v", got)
	}
	for i := 1; i < len(meter); i++ {
		if meter[i].Bytes <= meter[i-1].Bytes && meter[i].Done <= meter[i-1].Done {
			t.Errorf("progress stood still: %+v, %+v", meter[i-1], meter[i])
		}
	}
	read, r.world.Admit = nil, admit
	if rep = r.sync(distill.SyncOptions{}); rep.Extracted != 3 || len(r.memories("shop")) != 5 {
		t.Errorf("the next run: %+v", rep)
	}
}

func TestOptionsSelectSessions(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "old", user("an old one"))
	r.now = r.now.Add(10 * 24 * time.Hour)
	r.claude("shop", "young", user("a young one"))
	r.claude("blog", "other", user("of another project"))
	day := 24 * time.Hour
	for _, c := range []struct {
		name string
		o    distill.SyncOptions
		want []string
	}{
		{"all", distill.SyncOptions{}, []string{"old", "other", "young"}},
		{"since", distill.SyncOptions{Window: distill.Window{Since: r.now.Add(-day)}}, []string{"other", "young"}},
		{"until", distill.SyncOptions{Window: distill.Window{Until: r.now.Add(-day)}}, []string{"old"}},
		{"one session by its own id, whatever the window",
			distill.SyncOptions{Session: "old", Window: distill.Window{Since: r.now.Add(-day)}}, []string{"old"}},
		{"one project", distill.SyncOptions{Project: "blog"}, []string{"other"}},
		{"another agent", distill.SyncOptions{Agents: []string{"codex"}}, nil},
		{"this agent", distill.SyncOptions{Agents: []string{"claude"}}, []string{"old", "other", "young"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r.seen = nil
			c.o.Force = true
			r.sync(c.o)
			var got []string
			for _, s := range r.seen {
				got = append(got, s.ID.String())
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("looked at %v, want %v", got, c.want)
			}
			r.seen = nil
			c.o.DryRun = true
			r.sync(c.o)
			if len(r.seen) != len(c.want) {
				t.Errorf("a dry run looks at %d, want %d", len(r.seen), len(c.want))
			}
		})
	}
}

func TestASessionThatIsBeingWrittenWaits(t *testing.T) {
	r := newRig(t)
	path := r.claude("shop", "s1", user(always))
	touch := func(ago time.Duration) {
		if err := os.Chtimes(path, r.now.Add(-ago), r.now.Add(-ago)); err != nil {
			t.Fatal(err)
		}
	}
	touch(time.Minute)
	if rep := r.sync(distill.SyncOptions{}); rep.Why["in progress"] != 1 || rep.Indexed != 0 {
		t.Errorf("a minute ago: %+v", rep)
	}
	touch(3 * time.Minute)
	if rep := r.sync(distill.SyncOptions{}); rep.Extracted != 1 {
		t.Errorf("three minutes ago: %+v", rep)
	}
}

func TestASessionThatHooksSawEndDoesNotWait(t *testing.T) {
	r := newRig(t)
	path := r.claude("shop", "s1", user(always))
	at := r.now.Add(-30 * time.Second)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
	r.hooked("s1", "shop", always, at)
	ref := store.SessionRef{Agent: r.text("claude"), Native: r.text("s1")}
	if _, err := r.db.EndSession(t.Context(), ref, r.text("exit"), at); err != nil {
		t.Fatal(err)
	}
	if rep := r.sync(distill.SyncOptions{}); rep.Scanned != 1 || rep.Extracted != 1 || rep.Learnings != 1 {
		t.Errorf("%+v", rep)
	}
}

func TestWhatHooksSawAndAFileAreOneSession(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "both", user("hello there"), user(always))
	r.hooked("both", "shop", "hello there", r.now.Add(-2*time.Hour))
	id := r.hooked("both", "shop", always, r.now.Add(-2*time.Hour))
	r.hooked("hooks-only", "shop",
		"remember: the queue of the printers is emptied by hand before each release of the till", r.now.Add(-2*time.Hour))
	rep := r.sync(distill.SyncOptions{})
	if rep.Scanned != 2 || rep.Extracted != 2 || rep.Learnings != 2 || len(r.memories("shop")) != 2 {
		t.Errorf("%+v, %v", rep, r.memories("shop"))
	}
	named := false
	for _, text := range r.files() {
		named = named || strings.Contains(text, fmt.Sprintf("2#%d", id))
	}
	if !named {
		t.Error("no memory names both the line and the document")
	}
	if rep := r.sync(distill.SyncOptions{}); rep.Indexed+rep.Extracted != 0 {
		t.Errorf("again: %+v", rep)
	}
}

func TestNewRunIDSaysWhatAndWhen(t *testing.T) {
	id := distill.NewRunID(store.RunSync, time.Date(2026, 3, 1, 14, 23, 5, 0, time.UTC))
	if !strings.HasPrefix(id, "sync-20260301-142305-") || len(id) != len("sync-20260301-142305-")+6 {
		t.Errorf("%q", id)
	}
}

func TestASessionThatGrewKeepsItsSummary(t *testing.T) {
	r := newRig(t)
	plain := r.world.Extract
	r.world.Extract = func(ctx context.Context, project int64, s extract.Session, from int) (extract.Result, error) {
		out, err := plain(ctx, project, s, from)
		out.Summary = extract.Summary{Title: r.text(fmt.Sprintf("Work in %d steps", len(s.Steps))), Intent: r.text("x"),
			Happened: r.text("y")}
		return out, err
	}
	summaries := func() (out []string) {
		for name := range r.files() {
			if strings.Contains(name, "/summaries/") {
				out = append(out, name)
			}
		}
		return out
	}
	path := r.claude("shop", "s1", user("one"))
	r.sync(distill.SyncOptions{})
	before := summaries()
	r.append(path, "shop", "s1", 5, user("two"))
	r.sync(distill.SyncOptions{})
	r.append(path, "shop", "s1", 9, user("three"))
	r.sync(distill.SyncOptions{})
	if after := summaries(); len(before) != 1 || !slices.Equal(before, after) ||
		!strings.Contains(r.files()[after[0]], "title: Work in 3 steps") {
		t.Errorf("%v became %v", before, after)
	}
}

// What somebody typed wrong is no failure of sync: status would report one.
func TestAProjectThatDoesNotExistIsNoFailureOfTheRun(t *testing.T) {
	r := newRig(t)
	for _, o := range []distill.SyncOptions{{Project: "atlantis"}, {Session: "none-of-these"}} {
		if _, err := distill.Sync(t.Context(), r.world, o); !errors.Is(err, store.ErrNoProject) &&
			!errors.Is(err, distill.ErrNoSession) {
			t.Errorf("%+v: %v", o, err)
		}
		runs, err := r.db.Runs(t.Context(), store.RunSync, 1)
		if err != nil || runs[0].Outcome != store.OutcomeDone || runs[0].Error == "" {
			t.Errorf("%+v: recorded %+v, %v", o, runs, err)
		}
	}
}
