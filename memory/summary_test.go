package memory_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"keepmum/memory"
	"keepmum/privacy"
)

func draft() memory.Draft {
	return memory.Draft{
		Title: privacy.Const("Moved the job queue to Postgres"), Description: privacy.Const("Jobs survive a restart now"),
		Agent: privacy.Const("claude"), Session: privacy.Const("0f8fad5b-d9cb-469f-a165-70867728950e"),
		Repo: privacy.Const("shop"), Branch: privacy.Const("queue"), Tags: []privacy.Clean{privacy.Const("queue")},
		Intent: privacy.Const("Make jobs survive a restart."), Happened: privacy.Const("The queue became a table."),
		At: noon().Add(-time.Hour),
	}
}

func TestASummaryIsAFileOfItsSession(t *testing.T) {
	tree := newTree(t)
	s, err := tree.WriteSummary(draft(), stamp())
	if err != nil {
		t.Fatal(err)
	}
	want := `---
id: moved-the-job-queue-to-postgres
title: Moved the job queue to Postgres
created: 2026-03-01T11:00:00Z
source: sync-20260301-120000-abcdef
description: Jobs survive a restart now
coding_agent: claude
session_id: 0f8fad5b-d9cb-469f-a165-70867728950e
repo: shop
branch: queue
tags: [queue]
---

## User intent

Make jobs survive a restart.

## What happened

The queue became a table.
`
	if diff := cmp.Diff(want,
		readFile(t, filepath.Join(tree.Root(), "summaries", "20260301", "110000",
			"moved-the-job-queue-to-postgres.md"))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]memory.Summary{s}, load(t, tree).Summaries); diff != "" {
		t.Error(diff)
	}
}

func TestASessionHasOneSummaryAndTwoSessionsHaveTwo(t *testing.T) {
	tree := newTree(t)
	first, err := tree.WriteSummary(draft(), stamp())
	if err != nil {
		t.Fatal(err)
	}
	grown := draft()
	grown.Happened, grown.At = privacy.Const("The queue became a table, and old jobs are removed."), noon()
	second, err := tree.WriteSummary(grown, later())
	if err != nil || second.Path != first.Path || !strings.Contains(second.Body, "old jobs are removed") {
		t.Errorf("%+v, %v", second, err)
	}
	other := draft()
	other.Session = privacy.Const("another")
	third, err := tree.WriteSummary(other, stamp())
	if err != nil || third.Path == first.Path || len(load(t, tree).Summaries) != 2 {
		t.Errorf("%+v, %v", third, err)
	}
}

// A name made of a title may look like a key that the title did not look like.
func TestATitleThatMakesNoNameLosesNoSummary(t *testing.T) {
	d := draft()
	d.Title = privacy.Const("SDK 8cf6f3c7 bfc6 3292 5938 60f36b5a9afd")
	s, err := newTree(t).WriteSummary(d, stamp())
	if err != nil || s.Title != d.Title.String() {
		t.Errorf("%q, %v", s.Title, err)
	}
}

func TestASummaryIsCutToItsLength(t *testing.T) {
	tree := newTree(t)
	d := draft()
	d.Intent, d.Happened = clean(t, strings.Repeat("word ", 400)), clean(t, strings.Repeat("word\n", 400))
	s, err := tree.WriteSummary(d, stamp())
	if err != nil {
		t.Fatal(err)
	}
	intent, happened, _ := strings.Cut(s.Body, "## What happened")
	if a, b := strings.Count(intent, "word"), strings.Count(happened, "word"); a != 150 || b != 200 {
		t.Errorf("%d and %d words", a, b)
	}
}

func TestTheIndexAndTheHotMemoryStayInTheirBounds(t *testing.T) {
	tree := newTree(t)
	for i := range 260 {
		kind, dir := "", "decisions"
		if i%2 == 1 {
			kind, dir = "kind: pitfall\n", "learnings"
		}
		title := fmt.Sprintf("title: \"Finding [%d] about データベース <b> of the\\nshop\"\n", i)
		put(t, tree, fmt.Sprintf("%s/20260101-m%03d (x).md", dir, i),
			file(fmt.Sprintf("m%03d", i), title+kind+"created: 2026-02-01\nsources: [claude/1, codex/2]\n",
				"# Why\n\n"+strings.Repeat("A long first sentence goes on ", 20)+". Second."))
	}
	changed, err := tree.Regenerate(nil, noon(), memory.DefaultDecay())
	if err != nil || !changed {
		t.Fatal(changed, err)
	}
	index := readFile(t, filepath.Join(tree.Root(), "index.md"))
	if n := strings.Count(index, "\n"); n > 200 || len(index) > 25<<10 || !strings.Contains(index, " more\n") {
		t.Errorf("%d lines, %d bytes", n, len(index))
	}
	if line := strings.Split(index, "\n")[4]; !strings.HasPrefix(line,
		`- [Finding \[0\] about データベース \<b> of the shop](decisions/20260101-m000%20%28x%29.md) — A long first sentence`) {
		t.Error(line)
	}
	hot := readFile(t, filepath.Join(tree.Root(), "hot-memory.md"))
	if n := len([]rune(hot)); n > 4*2000 {
		t.Errorf("%d characters", n)
	}
	for _, s := range []string{"## Active decisions\n\n- ", "## Watch out\n\n- ", "## Across agents\n\n- ",
		"Made by mum"} {
		if !strings.Contains(hot, s) {
			t.Errorf("no %q in:\n%s", s, hot)
		}
	}
	for _, empty := range []string{"Key learnings", "Recent context"} {
		if strings.Contains(hot, empty) {
			t.Errorf("%s has nothing to tell, and is there", empty)
		}
	}
}

func TestGeneratedFilesAreWrittenOnlyWhenTheyChange(t *testing.T) {
	tree := newTree(t)
	if changed, err := tree.Regenerate(nil, noon(), memory.DefaultDecay()); err != nil || changed {
		t.Fatalf("an empty tree: %v, %v", changed, err)
	}
	if _, err := os.Stat(tree.Root()); !os.IsNotExist(err) {
		t.Error("a directory was made for nothing")
	}
	m := add(t, tree, queue())
	for i, want := range []bool{true, false, false} {
		changed, err := tree.Regenerate(nil, noon().Add(time.Duration(i)*time.Hour), memory.DefaultDecay())
		if err != nil || changed != want {
			t.Errorf("time %d: %v, %v", i, changed, err)
		}
	}
	if _, err := tree.Archive(m, stamp()); err != nil {
		t.Fatal(err)
	}
	if changed, err := tree.Regenerate(nil, noon(), memory.DefaultDecay()); err != nil || !changed {
		t.Errorf("after a change: %v, %v", changed, err)
	}
	if index := readFile(t, filepath.Join(tree.Root(), "index.md")); strings.Contains(index, m.ID) {
		t.Error("an archived memory is in the index")
	}
	// a clone may have a huge one
	if err := os.Truncate(filepath.Join(tree.Root(), "index.md"), 20<<20); err != nil {
		t.Fatal(err)
	}
	if changed, err := tree.Regenerate(nil, noon(), memory.DefaultDecay()); err != nil || !changed {
		t.Errorf("over a huge list: %v, %v", changed, err)
	}
}

// TestATagThatTheGateTakesOutIsLeftOut: the mark in its place would be a list in YAML, and the file could not be read.
func TestATagThatTheGateTakesOutIsLeftOut(t *testing.T) {
	for _, tag := range []privacy.Clean{privacy.Const("ugzlrjxpmxns8i7kg4x7"), privacy.Const("5ysibnhxaw0aopozw4x7"),
		privacy.Const("xkac4pk7lgg2smvvq4x7")} {
		tree, d := newTree(t), draft()
		d.Title, d.Tags = privacy.Const("Remember from now on: we decided the tenant of the shop is called so"),
			[]privacy.Clean{privacy.Const("tenant"), tag}
		s, err := tree.WriteSummary(d, stamp())
		if err != nil {
			t.Fatalf("tag %s: %v", tag, err)
		}
		if l := load(t, tree); len(l.Broken) != 0 || len(l.Summaries) != 1 || !slices.Contains(s.Tags, "tenant") {
			t.Errorf("%+v", l)
		}
		if again := scrub(t, tree, nil); len(again.Changed) != 0 {
			t.Errorf("it was written with what the gate takes out: %+v", again)
		}
	}
	tree := newTree(t) // marks that the gate leaves in a frontmatter, each with another meaning in YAML
	put(t, tree, "learnings/a.md",
		"---\nid: a\ntitle: Several\ntags: [one, x]\nx-login: {user: bob, password: \"kV7mQ2xL9pRt\"}\nx-list:\n"+
			"  - password: kV7mQ2xL9pRt # kV7mQ2xL9pRt\n---\nThe password is kV7mQ2xL9pRt.\n")
	if out := scrub(t, tree, nil); len(out.Broken) != 0 || len(load(t, tree).Active) != 1 ||
		len(holders(t, tree, "kV7mQ2xL9pRt")) != 0 {
		t.Errorf("%+v, %+v", out, load(t, tree))
	}
}

// A short answer is no secret by itself. With the question it is: then no name and no tag may be made of it.
func TestASummaryIsNotNamedAfterWhatTheGateRemoves(t *testing.T) {
	tree := newTree(t)
	text := func(s string) privacy.Clean { return clean(t, s) }
	s, err := tree.WriteSummary(memory.Draft{Title: text("it is Osprey#Lagoon83"), Agent: text("claude"),
		Session: text("s1"), Tags: []privacy.Clean{text("lagoon83"), text("mails"), text("osprey")}, At: noon(),
		Intent: text("Set up mails."),
		Happened: privacy.Join("\n", text("What is the mail password?"), text("it is Osprey#Lagoon83"),
			text("ok, mails are set up"))}, stamp())
	if err != nil {
		t.Fatal(err)
	}
	data := strings.ToLower(s.Path + readFile(t, filepath.Join(tree.Root(), filepath.FromSlash(s.Path))))
	if strings.Contains(data, "osprey") || strings.Contains(data, "lagoon83") || !strings.Contains(data, "mails") {
		t.Errorf("got %s", data)
	}
}
