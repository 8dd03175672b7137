package distill_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/config"
	"keepmum/distill"
	"keepmum/extract"
	"keepmum/memory"
	"keepmum/store"
)

const seeds = "Never reset the seeds of the shop."

// days writes a session a day in which the user says something else besides a text.
func (r *rig) days(project, text string, days ...int) {
	r.t.Helper()
	for n, day := range days {
		r.now = time.Date(2026, 3, day, 12, n, 0, 0, time.UTC)
		said := fmt.Sprintf("Fix the till of room %d.%d. %s", day, n, text)
		r.claude(project, fmt.Sprintf("%s-%d-%d", project, day, n), user(said))
	}
	r.now = r.now.Add(24 * time.Hour)
}

func TestARuleOfThreeSessionsOnTwoDaysBecomesAMemory(t *testing.T) {
	r := newRig(t)
	r.days("shop", seeds, 2, 2)
	if rep := r.sync(distill.SyncOptions{}); rep.Extracted != 2 || rep.Learnings != 0 {
		t.Errorf("two sessions: %+v", rep)
	}
	r.seen = nil
	r.holdsNone("seeds", "Seeds")
	r.days("shop", strings.ToUpper(seeds), 3)
	if rep := r.sync(distill.SyncOptions{}); rep.Learnings != 1 {
		t.Errorf("three sessions: %+v", rep)
	}
	r.days("shop", seeds, 4)
	if rep := r.sync(distill.SyncOptions{}); rep.Learnings != 0 || len(r.memories("shop")) != 1 {
		t.Errorf("four sessions: %+v, %v", rep, r.memories("shop"))
	}
	for name, text := range r.files() {
		if strings.Contains(name, "/learnings/") && (!strings.Contains(text, "confidence: 0.75") ||
			!strings.Contains(text, "Said by the user in several sessions.")) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestWhatDoesNotCountAsARuleOfSeveralSessions(t *testing.T) {
	for name, write := range map[string]func(r *rig){
		"one day":     func(r *rig) { r.days("shop", seeds, 2, 2, 2) },
		"other words": func(r *rig) { r.days("shop", seeds, 2, 3); r.days("shop", "Never reset the seeds of the blog.", 4) },
		"another project": func(r *rig) {
			r.days("shop", seeds, 2, 3)
			r.days("blog", seeds, 4, 5)
		},
		"a session resumed each day": func(r *rig) {
			path := r.claude("shop", "s1", user(seeds))
			for day := range 3 {
				r.now = r.now.Add(24 * time.Hour)
				r.append(path, "shop", "s1", day+1, user(seeds+" Fix the till."))
			}
			r.now = r.now.Add(24 * time.Hour)
		},
		"a copy with the times of the original": func(r *rig) {
			r.days("shop", seeds, 2, 3)
			r.now = time.Date(2026, 3, 3, 12, 1, 0, 0, time.UTC)
			r.claude("shop", "copy", user("Fix another thing. "+seeds))
			r.now = r.now.Add(24 * time.Hour)
		},
		"a copy with times of its own": func(r *rig) {
			r.days("shop", seeds, 2, 3)
			r.claude("shop", "copy", user("Fix the till of room 3.1. "+seeds), user("And the lamp."))
			r.now = r.now.Add(24 * time.Hour)
		},
		"subagents": func(r *rig) {
			for day := 2; day < 6; day++ {
				r.now = time.Date(2026, 3, day, 12, 0, 0, 0, time.UTC)
				path := filepath.Join(r.agents, "claude", "projects", "-home-dev-shop", "s1", "subagents",
					fmt.Sprintf("agent-a%d.jsonl", day))
				r.append(path, "shop", "s1", 0, user(fmt.Sprintf("Fix room %d again. %s", day, seeds)))
			}
			r.now = r.now.Add(24 * time.Hour)
		},
		"pasted": func(r *rig) { r.days("shop", "\n```\n"+seeds+"\n```\n", 2, 3, 4) },
		"private": func(r *rig) {
			r.days("shop", seeds, 2, 3)
			r.claude("shop", "s4", user("#private"), user("Fix a thing. "+seeds))
			r.now = r.now.Add(24 * time.Hour)
		},
		"a pause": func(r *rig) {
			r.days("shop", seeds, 2, 3, 4)
			pause := `[{"from":"2026-03-04T00:00:00Z","until":"2026-03-04T23:00:00Z"}]`
			if err := os.WriteFile(filepath.Join(r.home, "pauses.json"), []byte(pause), 0o600); err != nil {
				r.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			write(r)
			rep := r.sync(distill.SyncOptions{})
			if got := r.memories("shop"); len(got) != 0 || rep.Failed != 0 || rep.Extracted == 0 {
				t.Errorf("%v, %+v", got, rep)
			}
		})
	}
}

func TestRulesOfExcludedProjectsAreNotCounted(t *testing.T) {
	r := newRig(t, func(c *config.Config) { c.Capture.ExcludeProjects = []string{"/home/dev/shop"} })
	r.days("shop", seeds, 2, 3, 4)
	if rep := r.sync(distill.SyncOptions{}); rep.Extracted != 0 || len(r.memories("shop")) != 0 {
		t.Errorf("%+v", rep)
	}
}

func TestADryRunCountsRulesWithoutRecordingThem(t *testing.T) {
	r := newRig(t)
	r.days("shop", seeds, 2)
	r.sync(distill.SyncOptions{})
	r.days("shop", seeds, 3, 4)
	r.sync(distill.SyncOptions{NoExtract: true})
	before := r.files()
	plan := r.sync(distill.SyncOptions{DryRun: true})
	if !maps.Equal(before, r.files()) {
		t.Error("a dry run writes")
	}
	again := r.sync(distill.SyncOptions{DryRun: true})
	done := r.sync(distill.SyncOptions{})
	if plan.Learnings != 1 || again.Learnings != 1 || done.Learnings != 1 {
		t.Errorf("planned %d and %d, done %d", plan.Learnings, again.Learnings, done.Learnings)
	}
}

func TestAForgottenSessionStatesNoRule(t *testing.T) {
	r := newRig(t)
	r.days("shop", seeds, 2, 3)
	r.sync(distill.SyncOptions{})
	r.forget(store.Selection{Session: "shop-2-0"})
	r.days("shop", seeds, 4)
	if rep := r.sync(distill.SyncOptions{Force: true}); rep.Learnings != 0 {
		t.Errorf("%+v", rep)
	}
	r.days("shop", seeds, 5)
	if rep := r.sync(distill.SyncOptions{}); rep.Learnings != 1 {
		t.Errorf("three others: %+v", rep)
	}
}

func TestASessionThatIsForgottenWhileItIsReadStatesNoRule(t *testing.T) {
	r := newRig(t)
	r.world.Extract = func(ctx context.Context, p int64, s extract.Session, from int) (extract.Result, error) {
		if s.ID.String() == "shop-2-0" {
			r.forget(store.Selection{Session: "shop-2-0"})
		}
		return r.extract(ctx, p, s, from)
	}
	r.days("shop", seeds, 2)
	r.sync(distill.SyncOptions{})
	r.days("shop", seeds, 3, 4)
	if rep := r.sync(distill.SyncOptions{}); rep.Learnings != 0 || rep.Extracted != 2 {
		t.Errorf("%+v", rep)
	}
}

func TestAForgottenMemoryOfARuleDoesNotComeBack(t *testing.T) {
	r := newRig(t)
	r.days("shop", seeds, 2, 3, 4)
	place := r.world.Place
	r.world.Place = func(ctx context.Context, project int64) (distill.Place, error) {
		p, err := place(ctx, project)
		p.Buried = func(context.Context, memory.Candidate) (bool, error) { return true, nil }
		return p, err
	}
	if rep := r.sync(distill.SyncOptions{}); rep.Learnings != 0 || len(r.memories("shop")) != 0 {
		t.Errorf("%+v", rep)
	}
}

func TestRejudgingCountsTheSessionsOfARule(t *testing.T) {
	r := newRig(t)
	r.days("blog", seeds, 2)
	r.days("shop", seeds, 2, 3, 4)
	r.sync(distill.SyncOptions{})
	of := func(session string) memory.Memory {
		return memory.Memory{Title: "Never reset the seeds of the shop", Body: seeds, Source: "sync-1",
			Sources: []memory.Origin{{Session: "claude/" + session, Ref: "1"}}}
	}
	all := []memory.Memory{of("shop-3-1"), of("blog-2-0"), of("gone")}
	before := r.files()
	got, err := distill.Rejudge(t.Context(), r.world, all)
	if err != nil || got[0] != distill.Today || got[1] != distill.NotToday || got[2] != distill.Unknown {
		t.Errorf("%v, %v", got, err)
	}
	if !maps.Equal(before, r.files()) {
		t.Error("it was recorded")
	}
	r.forget(store.Selection{Session: "shop-2-0"})
	if got, err := distill.Rejudge(t.Context(), r.world, all[:1]); err != nil || got[0] != distill.NotToday {
		t.Errorf("after one was forgotten: %v, %v", got, err)
	}
}
