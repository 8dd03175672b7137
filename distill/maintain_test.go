package distill_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	mathrand "math/rand" // the one that testing/quick uses
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"keepmum/distill"
	"keepmum/longtest"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
)

// learn writes a memory into the tree of a project and returns the project.
func (r *rig) learn(project, title, body string, confidence float64, age time.Duration, tags ...string) int64 {
	r.t.Helper()
	id, err := r.db.PutProject(r.t.Context(), store.Project{Name: r.text(project)})
	if err != nil {
		r.t.Fatal(err)
	}
	place, err := r.place(r.t.Context(), id)
	if err != nil {
		r.t.Fatal(err)
	}
	tree, err := memory.Open(place.Root, r.world.Gate)
	if err != nil {
		r.t.Fatal(err)
	}
	c := memory.Candidate{Primitive: memory.Learning, Kind: memory.Insight, Title: r.text(title), Body: r.text(body),
		Confidence: confidence}
	for _, tag := range tags {
		c.Tags = append(c.Tags, r.text(tag))
	}
	if _, err := tree.Add(c, memory.Stamp{Now: r.now.Add(-age), By: privacy.Const("cli")}); err != nil {
		r.t.Fatal(err)
	}
	return id
}

func (r *rig) maintain(o distill.MaintainOptions) distill.Maintained {
	r.t.Helper()
	m, err := distill.Maintain(r.t.Context(), r.world, o)
	if err != nil {
		r.t.Fatal(err)
	}
	return m
}

const year = 365 * 24 * time.Hour

func TestMaintainMergesAndArchivesOnceAndThenNothing(t *testing.T) {
	r := newRig(t)
	shop := r.learn("shop", "Count money in integer cents",
		"Floats lost a cent on every third invoice, so all money is counted in integer cents.", 0.9, time.Hour)
	r.learn("shop", "Count all money in integer cents",
		"Floats lost a cent on every third invoice, so money is counted in integer cents everywhere.", 0.8, time.Hour)
	blog := r.learn("blog", "The second theme has a dark mode",
		"The blog is built with the second theme because the first one has no dark mode.", 0.6, 2*year)
	before := r.files()
	plan := r.maintain(distill.MaintainOptions{Projects: []int64{shop, blog}, DryRun: true})
	if !maps.Equal(before, r.files()) {
		t.Error("a dry run wrote something")
	}
	if plan.Counts.Merged != 1 || plan.Counts.Archived != 1 {
		t.Fatalf("plan %+v", plan.Counts)
	}
	done := r.maintain(distill.MaintainOptions{Projects: []int64{shop, blog}})
	if done.Counts != plan.Counts || done.Failed != 0 {
		t.Errorf("planned %+v, done %+v", plan.Counts, done.Counts)
	}
	after := r.files()
	if after["runs/"+done.RunID+"/maintain_actions.json"] == "" ||
		!strings.Contains(after["activity.log"], " | maintain | blog, shop | 2 actions | ") {
		t.Errorf("activity %q", after["activity.log"])
	}
	if len(r.memories("shop")) != 1 || len(r.memories("blog")) != 0 {
		t.Errorf("left %v and %v", r.memories("shop"), r.memories("blog"))
	}
	trees := func() map[string]string {
		files := r.files()
		maps.DeleteFunc(files, func(name, _ string) bool { return !strings.HasPrefix(name, "projects/") })
		return files
	}
	kept := trees()
	if again := r.maintain(distill.MaintainOptions{Projects: []int64{shop, blog}}); again.Counts.Merged+
		again.Counts.Archived != 0 {
		t.Errorf("again: %+v", again.Counts)
	}
	if !maps.Equal(kept, trees()) {
		t.Error("the second run changed the files")
	}
}

func TestMaintainOfABrokenProjectFailsAlone(t *testing.T) {
	r := newRig(t)
	shop := r.learn("shop", "Count money in integer cents",
		"Floats lost a cent on every third invoice, so all money is counted in integer cents.", 0.6, 2*year)
	blog := r.learn("blog", "The second theme has a dark mode",
		"The blog is built with the second theme because the first one has no dark mode.", 0.6, 2*year)
	inner := r.world.Place
	r.world.Place = func(ctx context.Context, project int64) (distill.Place, error) {
		if project == shop {
			return distill.Place{}, errors.New("the repository does not exist")
		}
		return inner(ctx, project)
	}
	m := r.maintain(distill.MaintainOptions{Projects: []int64{shop, blog}})
	if m.Failed != 1 || m.Counts.Archived != 1 || m.Projects[0].Error.IsZero() {
		t.Errorf("%+v", m)
	}
	runs, err := r.db.Runs(t.Context(), store.RunMaintain, 1)
	if err != nil || runs[0].Outcome != store.OutcomePartial || runs[0].Archived != 1 {
		t.Errorf("the run: %+v, %v", runs, err)
	}
}

func TestSyncAndMaintainShareOneLock(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always))
	var refused error
	inner := r.world
	r.world.Place = func(ctx context.Context, project int64) (distill.Place, error) {
		_, refused = distill.Maintain(ctx, inner, distill.MaintainOptions{})
		return inner.Place(ctx, project)
	}
	r.sync(distill.SyncOptions{RunID: "sync-first"})
	var busy *distill.BusyError
	if !errors.As(refused, &busy) || busy.Owner.Run != "sync-first" {
		t.Errorf("maintain while sync runs: %v", refused)
	}
}

func TestWhatIsForgottenLeavesTheRecordsOfRuns(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always))
	rep := r.sync(distill.SyncOptions{})
	if n, err := distill.ForgetRuns(r.home, "counted in cents"); err != nil || n != 2 {
		t.Errorf("%d files, %v", n, err)
	}
	if _, err := os.Stat(filepath.Join(distill.RunsDir(r.home), rep.RunID, "summary.json")); err != nil {
		t.Errorf("what does not hold it is gone: %v", err)
	}
	if n, err := distill.ForgetRuns(filepath.Join(r.home, "nothing"), "x"); n != 0 || err != nil {
		t.Errorf("without runs: %d, %v", n, err)
	}
}

// printers writes memories that share two uncommon tags.
func (r *rig) printers() (project int64) {
	r.t.Helper()
	for i, m := range [][2]string{
		{"Labels are cut at the edge", "A margin of 2 millimetres helps, because the printer feeds them slanted."},
		{"The driver wants millimetres", "The API gives inches, and the driver takes them for millimetres without a word."},
		{"Restart the spooler after a firmware update", "Or the printer prints nothing, and says nothing of it."},
	} {
		project = r.learn("shop", m[0], m[1], 0.8, time.Duration(i+1)*time.Hour, "printer", "labels")
	}
	return project
}

func TestMaintainConsolidatesAClusterOnce(t *testing.T) {
	r := newRig(t)
	shop, asked := r.printers(), 0
	r.world.Consolidate = func(_ context.Context, c memory.Cluster) (title, body privacy.Clean, ok bool, err error) {
		asked++
		return r.text("Printing labels with the driver"),
			r.text("Labels are cut at the edge because the printer feeds them slanted: a margin of 2 millimetres helps. The " +
				"driver wants millimetres and the API gives inches. " +
				"After a firmware update restart the spooler, or the printer prints nothing."), true, nil
	}
	o := distill.MaintainOptions{Projects: []int64{shop}}
	before := r.files()
	if dry := r.maintain(distill.MaintainOptions{Projects: o.Projects, DryRun: true}); dry.Counts.Consolidated != 0 ||
		len(dry.Projects[0].Plan.Consolidate) != 1 || asked != 0 || !maps.Equal(before, r.files()) {
		t.Errorf("a dry run: %+v, asked %d times", dry, asked)
	}
	m := r.maintain(o)
	if m.Counts.Consolidated != 3 || m.Counts.Unchanged != 0 || len(m.Projects[0].Plan.Steps) != 3 ||
		len(m.Projects[0].Plan.Consolidate) != 0 {
		t.Errorf("%+v", m)
	}
	files := r.files()
	if got := r.memories("shop"); len(got) != 1 || !strings.Contains(got[0], "printing-labels-with-the-driver") {
		t.Errorf("memories %v", got)
	}
	if art := files["runs/"+m.RunID+"/maintain_actions.json"]; !strings.Contains(art, `"consolidated": 3`) ||
		!strings.Contains(art, `"action": "consolidate"`) {
		t.Errorf("artifact %s", art)
	}
	if list := files["projects/shop/memory/index.md"]; strings.Count(list, "\n- ") != 1 {
		t.Errorf("index %s", list)
	}
	again := r.maintain(o)
	if again.Counts.Consolidated != 0 || len(again.Projects[0].Plan.Steps) != 0 || asked != 1 {
		t.Errorf("a second run: %+v, asked %d times", again.Counts, asked)
	}
	after := r.files()
	for name, text := range files {
		if strings.HasPrefix(name, "projects/") && after[name] != text {
			t.Errorf("a second run wrote %s", name)
		}
	}
}

func TestAClusterThatNobodyCanWordStaysAProposal(t *testing.T) {
	for name, answer := range map[string]func() (title, body string, ok bool, err error){
		"no model":  nil,
		"not asked": func() (string, string, bool, error) { return "", "", false, errors.New("on battery") },
		"no answer": func() (string, string, bool, error) { return "", "", false, nil },
		"made up": func() (string, string, bool, error) {
			return "Buy a new printer in Vienna", "The old one is from 1999, and the shop in Vienna has one for 80 euros today.",
				true, nil
		},
		"user working": func() (string, string, bool, error) { t.Error("it was asked"); return "", "", false, nil },
	} {
		r := newRig(t)
		shop := r.printers()
		if answer != nil {
			r.world.Consolidate = func(context.Context, memory.Cluster) (privacy.Clean, privacy.Clean, bool, error) {
				title, body, ok, err := answer()
				return r.text(title), r.text(body), ok, err
			}
		}
		m := r.maintain(distill.MaintainOptions{Projects: []int64{shop},
			Yield: func() bool { return name == "user working" }})
		if m.Counts.Consolidated != 0 || len(m.Projects[0].Plan.Consolidate) != 1 || len(r.memories("shop")) != 3 ||
			m.Failed != 0 {
			t.Errorf("%s: %+v", name, m)
		}
		if why := m.Projects[0].NotAsked.String(); (why != "") != (name == "not asked") {
			t.Errorf("%s: %q", name, why)
		}
	}
}

// words is a project in which some words are common.
type words map[string]int

func (w words) DocumentFrequencies(context.Context, []string) (map[string]int, int, error) {
	return w, 100, nil
}

func TestCommonWordsOfAProjectAreNotTopics(t *testing.T) {
	r := newRig(t)
	shop := r.learn("shop", "Count money in integer cents",
		"Floats lost a cent on every third invoice, so all money is counted in integer cents.", 0.9, time.Hour)
	plain := r.world.Place
	r.world.Place = func(ctx context.Context, id int64) (distill.Place, error) {
		p, err := plain(ctx, id)
		p.Words = words{"till": 60, "receipts": 4}
		return p, err
	}
	place, err := r.world.Place(t.Context(), shop)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := memory.Open(place.Root, r.world.Gate)
	if err != nil {
		t.Fatal(err)
	}
	for i, title := range []string{"The till loses receipts", "Receipts of the till again", "Printing till receipts",
		"Colours of the blog", "A new logo", "The newsletter", "Holidays"} {
		if _, err := tree.WriteSummary(memory.Draft{Title: r.text(title), Session: r.text(string(rune('a' + i))), At: r.now,
			Happened: r.text("x")}, memory.Stamp{Now: r.now}); err != nil {
			t.Fatal(err)
		}
	}
	m := r.maintain(distill.MaintainOptions{Projects: []int64{shop}})
	if got := m.Projects[0].Plan.CrossSession; len(got) != 1 || got[0].Topic != "receipts" {
		t.Errorf("%+v", got)
	}
}

// TestMaintainWithAModelIsIdempotentAndLosesNothing: a consolidated memory may belong to others, which the same run
// finds.
func TestMaintainWithAModelIsIdempotentAndLosesNothing(t *testing.T) {
	consolidated := 0
	check := func(seed uint64) bool {
		rnd := rand.New(rand.NewPCG(seed, 5))
		r := newRig(t)
		things := strings.Fields("queue cache login invoice upload search export webhook billing avatar printer ledger " +
			"parser mailer router")
		var project int64
		for i := range 25 {
			group := rnd.IntN(8)
			a, b := things[rnd.IntN(len(things))], things[rnd.IntN(len(things))]
			project = r.learn("shop", fmt.Sprintf("The %s of case%d waits for the %s", a, i, b),
				fmt.Sprintf("The %s of case%d fails when the %s is %d seconds late, because nobody retries it.", a, i, b,
					2+rnd.IntN(50)), 0.6+rnd.Float64()/3, time.Duration(rnd.IntN(400*24))*time.Hour, fmt.Sprint("t", group),
				fmt.Sprint("u", group), fmt.Sprint("u", rnd.IntN(8)), fmt.Sprint("v", rnd.IntN(8)))
		}
		r.world.Consolidate = func(_ context.Context, c memory.Cluster) (title, body privacy.Clean, ok bool, err error) {
			var all []string
			for _, m := range c.Members {
				all = append(all, m.Title+". "+m.Body)
			}
			return r.text(c.Members[0].Title), r.text(strings.Join(all, " ")), rnd.IntN(4) > 0, nil
		}
		before := r.listing("shop")
		o := distill.MaintainOptions{Projects: []int64{project}}
		first := r.maintain(o)
		consolidated += first.Counts.Consolidated
		if first.Failed != 0 || len(first.Projects[0].Skipped) != 0 {
			t.Errorf("seed %d: %+v", seed, first)
		}
		r.world.Consolidate = nil
		if again := r.maintain(o); len(again.Projects[0].Plan.Steps) != 0 {
			t.Errorf("seed %d: a second run does %+v", seed, again.Projects[0].Plan.Steps)
		}
		after, kept := r.listing("shop"), map[string]memory.Memory{}
		for _, m := range after.Memories() {
			kept[m.ID] = m
		}
		for _, m := range before.Active {
			end := m.ID
			for kept[end].SupersededBy != "" {
				end = kept[end].SupersededBy
			}
			for _, tag := range m.Tags {
				if !slices.Contains(kept[end].Tags, tag) {
					t.Errorf("seed %d: %s lost the tag %s of %s", seed, end, tag, m.ID)
				}
			}
			if kept[m.ID].Body == "" || len(after.Broken) != 0 {
				t.Errorf("seed %d: %s is gone, or broken: %v", seed, m.ID, after.Broken)
			}
		}
		return !t.Failed()
	}
	if err := quick.Check(check, &quick.Config{MaxCount: longtest.Rounds(2, 16), Rand: chance(t)}); err != nil {
		t.Error(err)
	}
	if consolidated == 0 {
		t.Error("nothing was put together")
	}
}

// chance is the same in each short run, in which too few rounds might consolidate nothing.
func chance(t *testing.T) *mathrand.Rand {
	t.Helper()
	if longtest.Asked() {
		return mathrand.New(mathrand.NewSource(longtest.Chance(t).Int64()))
	}
	return mathrand.New(mathrand.NewSource(1))
}

func (r *rig) listing(project string) memory.Listing {
	r.t.Helper()
	tree, err := memory.Open(filepath.Join(r.home, "projects", project, "memory"), r.world.Gate)
	if err != nil {
		r.t.Fatal(err)
	}
	l, err := tree.Load()
	if err != nil {
		r.t.Fatal(err)
	}
	return l
}
