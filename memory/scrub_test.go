package memory_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"keepmum/memory"
	"keepmum/privacy"
)

// key is recognised by the gate everywhere.
const key = "ghp_" + "aB3dE6gH9kL2mN5pQ8rS1tU4vW7xY0zA1bC2"

const session = "opencode/ses_2f8e1c9d4ffeQ7mKx3ZbTnRvLp"

// holders returns the files of a tree that contain a text, in their content or names.
func holders(t *testing.T, tree *memory.Tree, text string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(tree.Root(), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (strings.Contains(path, text) || strings.Contains(readFile(t, path), text)) {
			out = append(out, strings.TrimPrefix(path, tree.Root()+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func scrub(t *testing.T, tree *memory.Tree, gone *memory.Gone) memory.Scrubbed {
	t.Helper()
	out, err := tree.Scrub(gone, false)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestAScrubLeavesFilesThatCanBeRead: a placeholder begins with a bracket and contains a number sign, which have a
// meaning in YAML.
func TestAScrubLeavesFilesThatCanBeRead(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "learnings/20260301-a.md",
		"---\nid: a\ntitle: "+key+"\n# "+key+"\ntags: ["+key+", deploy]\nsources: [{from: "+session+
			", ref: msg_2f8e1c9d4001aBcDeFgHiJkLmN}]\n"+
			"token: "+key+"\npassword: correcthorse\n---\nThe key of the deploy is "+key+" and nothing else.\n")
	put(t, tree, "summaries/20260301/120000/b.md",
		"---\nid: b\ntitle: B\ndescription: "+key+"\nsession_id: ses_2f8e1c9d4ffeQ7mKx3ZbTnRvLp\n---\n## What happened\n"+key+
			"\n")
	put(t, tree, "index.md", "- [A](learnings/20260301-a.md) — "+key+"\n")
	untouched := "---\nid: c\ntitle:   written by   hand\r\n---\nNothing to take out.\n"
	put(t, tree, "learnings/c.md", untouched)
	dry, err := tree.Scrub(nil, true)
	if err != nil || len(dry.Changed) != 3 || len(holders(t, tree, key)) != 3 {
		t.Errorf("a dry run: %+v, %v", dry, err)
	}
	out := scrub(t, tree, nil)
	if len(out.Changed) != 3 || len(out.Findings) == 0 || len(out.Broken) != 0 {
		t.Errorf("%+v", out)
	}
	for _, secret := range []string{key, "correcthorse"} {
		if got := holders(t, tree, secret); len(got) > 0 {
			t.Errorf("%s stands in %v", secret, got)
		}
	}
	l := load(t, tree)
	if len(l.Broken) != 0 || len(l.Active) != 2 || len(l.Summaries) != 1 {
		t.Fatalf("%+v", l)
	}
	if m := l.Active[0]; m.ID != "a" || len(m.Sources) != 1 || m.Sources[0].Session != session ||
		strings.Join(m.Tags, ",") != "deploy" {
		t.Errorf("%+v", m)
	}
	if l.Summaries[0].Session != "ses_2f8e1c9d4ffeQ7mKx3ZbTnRvLp" {
		t.Errorf("%+v", l.Summaries[0])
	}
	if got := readFile(t, filepath.Join(tree.Root(), "learnings/c.md")); got != untouched {
		t.Errorf("a file without a secret was written: %q", got)
	}
	if again := scrub(t, tree, nil); len(again.Changed) != 0 {
		t.Errorf("a second scrub changes %v", again.Changed)
	}
}

func TestABrokenFileLosesTheSecretAndNothingElse(t *testing.T) {
	tree := newTree(t)
	text := "---\nid: [unclosed\nsources: [{from: " + session + "}]\nnote: KEY\n---\nMy own words, and KEY in them.\n"
	put(t, tree, "learnings/20260301-broken.md", strings.ReplaceAll(text, "KEY", key))
	out := scrub(t, tree, nil)
	if len(out.Changed) != 1 || len(out.Broken) != 1 || out.Broken[0].Path != "learnings/20260301-broken.md" {
		t.Errorf("%+v", out)
	}
	got := readFile(t, filepath.Join(tree.Root(), "learnings/20260301-broken.md"))
	mark, _, _ := strings.Cut(got[strings.Index(got, "[REDACTED"):], "]")
	if want := strings.ReplaceAll(text, "KEY", mark+"]"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestALargeFileLosesTheSecretToo(t *testing.T) {
	tree := newTree(t)
	text := "---\nid: log\ntitle: A log somebody put here\n---\n" + strings.Repeat("a line of it\n", 150_000)
	put(t, tree, "learnings/log.md", text+key+"\n")
	if out := scrub(t, tree, nil); len(out.Changed) != 1 || len(holders(t, tree, key)) != 0 {
		t.Errorf("%+v", out)
	}
	if got := readFile(t, filepath.Join(tree.Root(), "learnings/log.md")); strings.Count(got,
		"a line of it\n") != 150_000 {
		t.Errorf("%d of its %d bytes are left", len(got), len(text))
	}
}

func TestARemovedTextIsAlsoRemovedFromNames(t *testing.T) {
	tree := newTree(t)
	c := queue()
	c.Title, c.Body = privacy.Const("Exports use the Bandicoot Format"),
		privacy.Const("The Bandicoot\nFormat of the customer is what they read; it's the only one.")
	c.Tags = append(c.Tags, privacy.Const("Bandicoot Format"))
	old := add(t, tree, c)
	c.Title, c.Body = privacy.Const("Exports are compressed"),
		privacy.Const("The customer asked for it, because they pay for each megabyte that leaves the region.")
	next, err := tree.Supersede(c, later(), old)
	if err != nil {
		t.Fatal(err)
	}
	kept := add(t, tree, queue())
	before := readFile(t, filepath.Join(tree.Root(), kept.Path))
	if _, err := tree.Regenerate(nil, noon(), memory.DefaultDecay()); err != nil {
		t.Fatal(err)
	}
	out := scrub(t, tree, memory.NewGone("Bandicoot Format"))
	for _, text := range []string{"Bandicoot", "bandicoot"} {
		if got := holders(t, tree, text); len(got) > 0 {
			t.Errorf("%s stands in %v", text, got)
		}
	}
	l := load(t, tree)
	if len(l.Broken)+len(out.Broken) != 0 || len(l.Active) != 2 || len(l.Archived) != 1 {
		t.Fatalf("%+v, %+v", l, out)
	}
	gone := l.Archived[0]
	for _, m := range l.Active {
		if m.ID == next.ID && (len(m.Supersedes) != 1 || m.Supersedes[0] != gone.ID) {
			t.Errorf("%s refers to %v, which is %s now", m.ID, m.Supersedes, gone.ID)
		}
	}
	if gone.SupersededBy != next.ID || !strings.Contains(gone.Body, "[REDACTED:forgotten] of the customer") ||
		!strings.Contains(gone.ID, "exports-use-the-forgotten-") {
		t.Errorf("%+v", gone)
	}
	if after := readFile(t, filepath.Join(tree.Root(), kept.Path)); after != before {
		t.Errorf("what does not hold it was written: %q", after)
	}
	if again := scrub(t, tree, memory.NewGone("Bandicoot Format")); len(again.Changed) != 0 {
		t.Errorf("a second time: %+v", again)
	}
}

func TestATextIsFoundAsYAMLAndJSONQuoteIt(t *testing.T) {
	for _, text := range []string{`wal"rus<-7741`, `it's the word`, "back\\slash word", "ключ от двери"} {
		tree := newTree(t)
		c := queue()
		c.Title = privacy.Join(" ", privacy.Const("The word is"), clean(t, text), privacy.Const("and we decided so"))
		add(t, tree, c)
		put(t, tree, "learnings/broken.md",
			"---\nid: [\ntitle: \""+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)+"\"\n---\n"+text+"\n")
		out := scrub(t, tree, memory.NewGone(text))
		if l := load(t, tree); len(out.Changed) != 2 || len(l.Active) != 1 || strings.Contains(l.Active[0].Title, text) {
			t.Errorf("%s: %+v, %+v", text, out, l)
		}
		if got := holders(t, tree, text); len(got) > 0 {
			t.Errorf("%s stands in %v", text, got)
		}
	}
}

func TestATextOfWhiteSpaceTakesNoOtherWithIt(t *testing.T) {
	tree := newTree(t)
	c := queue()
	c.Body = privacy.Const("Case a b is not case a    b, as the parser counts the spaces between them.")
	m := add(t, tree, c)
	scrub(t, tree, memory.NewGone("a    b"))
	if got := load(t, tree).Active[0]; got.Body != "Case a b is not case [REDACTED:forgotten], as the parser counts the "+
		"spaces between them." {
		t.Errorf("%q became %q", m.Body, got.Body)
	}
}

// TestAScrubLosesNoOtherWrite: a scrub writes under the lock of the tree.
func TestAScrubLosesNoOtherWrite(t *testing.T) {
	tree := newTree(t)
	for i := range 8 {
		c := queue()
		c.Title = clean(t, "Use Postgres for the queue of "+strings.Repeat("x", i+1)+" things")
		m := add(t, tree, c)
		file := filepath.Join(tree.Root(), m.Path)
		if err := os.WriteFile(file, []byte(readFile(t, file)+"\nAnd "+key+" too.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for _, m := range load(t, tree).Active {
			for {
				now, err := tree.Get(m.ID)
				if err == nil {
					_, err = tree.Pin(now, true, later())
				}
				if err == nil {
					break
				}
			}
		}
	}()
	scrub(t, tree, nil)
	wg.Wait()
	scrub(t, tree, nil)
	for _, m := range load(t, tree).Active {
		if !m.Pinned || strings.Contains(m.Body, key) {
			t.Errorf("%+v", m)
		}
	}
}

func TestTagsAreNoPiecesOfPlaceholders(t *testing.T) {
	tree := newTree(t)
	c := queue()
	c.Body = clean(t, "The token of the mailer, "+key+", is rotated by the deploy, since the provider locks old ones.")
	if !strings.Contains(c.Body.String(), "[REDACTED:github-token#") {
		t.Fatalf("the gate calls it something else: %s", c.Body)
	}
	for _, tag := range []string{"REDACTED", "github-token", "Github", "mailer", "token", "c++", "[REDACTED:private]"} {
		c.Tags = append(c.Tags, clean(t, tag))
	}
	c.Tags = c.Tags[2:] // those of the other candidate
	m := add(t, tree, c)
	if got := strings.Join(m.Tags, " "); got != "mailer token c++" {
		t.Errorf("tags %q of %q", got, m.Body)
	}
	tags := append([]privacy.Clean{privacy.Const("redacted")}, c.Tags...)
	m, err := tree.Edit(m, memory.Edit{Tags: &tags}, later())
	if got := strings.Join(m.Tags, " "); err != nil || got != "mailer token c++" {
		t.Errorf("edited: %q, %v", got, err)
	}
}

func TestARewrittenFileGainsNoOutcomeThatNobodyKnows(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "learnings/a.md",
		file("a", "title: The importer reads local times\ncreated: 2026-02-01\nconfidence: 0.9\n",
			"The importer reads local times, so two tests fail in every other zone."))
	put(t, tree, "learnings/b.md",
		file("b", "title: The importer reads local times\ncreated: 2026-02-01\nconfidence: 0.5\noutcome: unknown\n",
			"The importer reads local times, so two tests fail in every other zone."))
	maintain(t, tree, nil, stamp())
	l := load(t, tree)
	if len(l.Active) != 1 || l.Active[0].Outcome != "" {
		t.Errorf("%+v", l.Active)
	}
}

// TestNamesGivenByHandAreSeenAndForgotten: the name of a file or a directory may be a secret.
func TestNamesGivenByHandAreSeenAndForgotten(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "learnings/20260301-"+key+".md", "---\nid: named\ntitle: Named by hand\n---\nNothing to take out.\n")
	put(t, tree, "learnings/"+key+"/x.md",
		"---\nid: named\ntitle: It has the id of the other\n---\nNothing to take out.\n")
	put(t, tree, "learnings/"+key+"-broken.md", "Nothing to take out.\n")
	if got := load(t, tree).Broken; len(got) != 2 || strings.Contains(fmt.Sprint(got), key) ||
		!strings.Contains(got[0].Path, "learnings/") {
		t.Errorf("%+v", got)
	}
	out := scrub(t, tree, memory.NewGone(key))
	if len(out.Changed) != 3 || len(holders(t, tree, key)) != 0 {
		t.Errorf("%+v, %v", out, holders(t, tree, key))
	}
	if _, err := os.Stat(filepath.Join(tree.Root(), "learnings", key)); err == nil {
		t.Error("the directory has its name yet")
	}
	if all := holders(t, tree, "Nothing to take out"); len(all) != 3 {
		t.Errorf("%v", all)
	}
}

// TestTheIDOfAMemoryIsNoPassword: it has the words of a title, and some of them are those of a login.
func TestTheIDOfAMemoryIsNoPassword(t *testing.T) {
	tree := newTree(t)
	const by = "the-queue-of-case6-waits-for-the-mailer-b6fb7d"
	put(t, tree, "learnings/a.md", `---
id: the-mailer-of-case19-waits-for-the-upload-1f36de
primitive: learning
title: The mailer of case19 waits for the upload
created: 2026-03-01T12:00:00Z
updated: 2026-03-01T12:00:00Z
source: maintain-20260301-120000-d72ec7
confidence: 0.86
tags: [t4, u4, u3]
kind: insight
supersedes: [the-login-of-case14-waits-for-the-avatar, the-invoice-of-case24-waits-for-the-avatar]
superseded_by: `+by+`
valid_from: 2025-11-10T20:00:00Z
---

The mailer of case19 fails when the upload is 35 seconds late. The login of case14 waits for the avatar.
`)
	if _, err := tree.Pin(load(t, tree).Active[0], true, stamp()); err != nil {
		t.Fatal(err)
	}
	m := load(t, tree).Active[0]
	if want := "the-login-of-case14-waits-for-the-avatar"; !m.Pinned || m.SupersededBy != by ||
		!slices.Contains(m.Supersedes, want) {
		t.Errorf("%+v", m)
	}
}
