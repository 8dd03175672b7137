package memory_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/memory"
	"keepmum/privacy"
)

// put writes a file by hand.
func put(t testing.TB, tree *memory.Tree, rel, text string) string {
	t.Helper()
	file := filepath.Join(tree.Root(), rel)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const byHand = `---
# what the team agreed on
id: retry-webhooks
reviewers: # ours
  - ada
  - grace
title: "Retry webhooks: five times" # says who?
created: 2026-01-02
tags: [ webhooks , retry ]
confidence: 0.70
x-ticket: {system: tracker, number: 42}
---

# Why

Customers deploy at noon.


- keep this list
`

func TestARewriteKeepsWhatIsNotOurs(t *testing.T) {
	tree := newTree(t)
	file := put(t, tree, "decisions/20260102-retry-webhooks.md", byHand)
	if _, err := tree.Pin(load(t, tree).Active[0], true, stamp()); err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(byHand, "created: 2026-01-02\n", "created: 2026-01-02\nupdated: 2026-03-01T12:00:00Z\n", 1)
	want = strings.Replace(want, "confidence: 0.70\n", "confidence: 0.70\npinned: true\n", 1)
	want = strings.Replace(want, "[ webhooks , retry ]", "[webhooks, retry]", 1)
	if got := readFile(t, file); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestFilesOfOtherEditorsAreRead(t *testing.T) {
	for name, text := range map[string]string{
		"crlf":    strings.ReplaceAll(byHand, "\n", "\r\n"),
		"bom":     "\uFEFF" + byHand,
		"bare":    "---\ntitle: Retry webhooks\n---\nCustomers deploy at noon.",
		"no keys": "---\n---\n# Retry webhooks: five times\n\nCustomers deploy at noon.\n",
		"tags, plain": "---\ntitle: Retry webhooks\ntags: webhooks, retry\nsources: claude/1\n---\n" +
			"Customers deploy at noon.\n",
	} {
		t.Run(name, func(t *testing.T) {
			tree := newTree(t)
			put(t, tree, "decisions/20260102-retry-webhooks.md", text)
			l := load(t, tree)
			if len(l.Active) != 1 {
				t.Fatalf("broken: %v", l.Broken)
			}
			m := l.Active[0]
			if m.ID != "retry-webhooks" || !strings.HasPrefix(m.Title, "Retry webhooks") ||
				m.Created.Format("2006-01-02") != "2026-01-02" || !strings.Contains(m.Body, "Customers deploy at noon.") {
				t.Errorf("%+v", m)
			}
			if m, err := tree.Pin(m, true, stamp()); err != nil || !m.Pinned || m.ID != "retry-webhooks" {
				t.Errorf("%+v, %v", m, err)
			}
		})
	}
}

func TestAFileWithoutTimesIsNotOfTheYearOne(t *testing.T) {
	changed := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	first := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		file, text       string
		created, updated time.Time
	}{
		"no times": {"decisions/retry.md", "---\ntitle: Retry webhooks\n---\nCustomers deploy at noon.\n", changed,
			changed},
		"created": {"decisions/retry.md",
			"---\ntitle: Retry webhooks\ncreated: 2026-01-02\n---\nCustomers deploy at noon.\n", first, first},
		"day in its name": {"decisions/20260102-retry.md", "---\ntitle: Retry webhooks\n---\nCustomers deploy at noon.\n",
			first, first},
		"updated": {"decisions/retry.md",
			"---\ntitle: Retry webhooks\nupdated: 2026-01-02\n---\nCustomers deploy at noon.\n", first, first},
	} {
		t.Run(name, func(t *testing.T) {
			tree := newTree(t)
			if err := os.Chtimes(put(t, tree, c.file, c.text), changed, changed); err != nil {
				t.Fatal(err)
			}
			m := load(t, tree).Active[0]
			if !m.Created.Equal(c.created) || !m.Updated.Equal(c.updated) {
				t.Errorf("created %s, updated %s", m.Created, m.Updated)
			}
			if m, err := tree.Pin(m, true, stamp()); err != nil || !m.Created.Equal(c.created) {
				t.Errorf("pinned: created %s, %v", m.Created, err)
			}
		})
	}
}

func TestABrokenFileIsNamedWithItsLineAndLeftAlone(t *testing.T) {
	for name, c := range map[string]struct {
		text, want string
	}{
		"not yaml":       {"---\nid: a\ntitle: [open\ncreated: x\n---\nbody\n", "decisions/a.md:"},
		"no end":         {"---\nid: a\n", "decisions/a.md:1: the frontmatter has no end (a line of ---)"},
		"no frontmatter": {"only text\n", "decisions/a.md:1: there is no frontmatter"},
		"confidence": {"---\nid: a\ntitle: A\nconfidence: high\n---\nbody\n",
			"decisions/a.md:4: confidence is not a number from 0 to 1"},
		"too sure": {"---\nid: a\ntitle: A\nconfidence: 7\n---\nbody\n",
			"decisions/a.md:4: confidence is not a number from 0 to 1"},
		"created": {"---\nid: a\ncreated: yesterday\n---\nbody\n",
			"decisions/a.md:3: created is not a time (2026-03-01T14:23:05Z)"},
		"a list of titles": {"---\nid: a\ntitle:\n  - A\n---\nbody\n", "decisions/a.md:4: title is not a plain value"},
		"twice":            {"---\nid: a\nid: b\n---\nbody\n", "decisions/a.md:3: a key occurs twice"},
		"id": {"---\nid: ../../etc/passwd\n---\nbody\n",
			"decisions/a.md: its id is not made of lower-case letters, digits and hyphens"},
		"kind":          {"---\nid: a\nkind: pitfall\n---\nbody\n", "decisions/a.md: a decision has no kind"},
		"not a mapping": {"---\n- a\n---\nbody\n", "decisions/a.md:2: the frontmatter is not a list of keys and values"},
		"not text":      {"---\nid: \xff\n---\nbody\n", "decisions/a.md:"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := newTree(t)
			file := put(t, tree, "decisions/a.md", c.text)
			l := load(t, tree)
			if len(l.Broken) != 1 || len(l.Active) != 0 {
				t.Fatalf("%+v", l)
			}
			if got := l.Broken[0].Error(); !strings.HasPrefix(got, c.want) ||
				l.Broken[0].Line == 0 && strings.HasSuffix(c.want, ":") {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if _, err := tree.Regenerate(nil, noon(), memory.DefaultDecay()); err != nil {
				t.Error(err)
			}
			if readFile(t, file) != c.text {
				t.Error("the file was changed")
			}
		})
	}
}

// A clone may contain lists of any length, and the work grows with the square of it. A list that a person or keepmum
// writes is read.
func TestAListThatNobodyWritesIsNotRead(t *testing.T) {
	many := func(key, item string, n int) string {
		return "---\nid: a\n" + key + ":\n" + strings.Repeat("  - "+item+"\n", n) + "---\nbody\n"
	}
	numbered := func(n int) string {
		var list strings.Builder
		for i := range n {
			fmt.Fprintf(&list, "a%d, ", i)
		}
		return list.String()
	}
	for text, why := range map[string]string{
		"---\nid: a\ntags: [" + numbered(1000) + "]\n---\nbody\n":       "",
		"---\nid: a\ntags: [" + numbered(1001) + "]\n---\nbody\n":       "tags has more than 1000 entries",
		"---\nid: a\ntags: " + numbered(1001) + "\n---\nbody\n":         "tags has more than 1000 entries",
		"---\nid: a\nsupersedes: [" + numbered(1001) + "]\n---\nbody\n": "supersedes has more than 1000 entries",
		"---\nid: a\nlinks: [" + numbered(1001) + "]\n---\nbody\n":      "links has more than 1000 entries",
		many("held", "{from: 2026-01-01, to: 2026-02-01}", 1001):        "held has more than 1000 entries",
		many("sources", "claude/1", 10_001):                             "sources has more than 10000 entries",
		"---\nid: a\nsources: [" + numbered(5000) + "]\n---\nbody\n":    "",
	} {
		tree := newTree(t)
		put(t, tree, "decisions/a.md", text)
		l := load(t, tree)
		if why == "" && (len(l.Active) != 1 || len(l.Broken) != 0) {
			t.Errorf("%.40q: %v", text, l.Broken)
		}
		if why != "" && (len(l.Broken) != 1 || l.Broken[0].Why != why) {
			t.Errorf("%.40q: %v, want %s", text, l.Broken, why)
		}
	}
}

func TestTwoFilesOfOneIDAreNotMixedUp(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "decisions/a.md", "---\nid: a\n---\nfirst\n")
	put(t, tree, "learnings/b.md", "---\nid: a\n---\nsecond\n")
	l := load(t, tree)
	if len(l.Active) != 1 || len(l.Broken) != 1 ||
		l.Broken[0].Error() != "learnings/b.md:1: its id is that of decisions/a.md" {
		t.Errorf("%+v", l)
	}
}

func TestOfTwoFilesWithOneIDTheKnownOneIsTheMemory(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "decisions/a.md", "---\nid: a\n---\npulled\n")
	put(t, tree, "learnings/b.md", "---\nid: a\n---\nknown\n")
	put(t, tree, "learnings/c.md", "---\nid: a\n---\npulled, too\n")
	asked := 0
	tree.Placed(func() (func(memory.Memory) bool, error) {
		asked++
		return func(m memory.Memory) bool { return m.Path == "learnings/b.md" }, nil
	})
	l := load(t, tree)
	if len(l.Active) != 1 || l.Active[0].Path != "learnings/b.md" || len(l.Broken) != 2 || asked != 1 ||
		!l.Broken[0].Twin || l.Broken[0].Error() != "decisions/a.md:1: its id is that of learnings/b.md" {
		t.Errorf("%+v", l)
	}
}

func TestNothingIsReadIfItIsUnknownWhichOfTwoFilesIsTheMemory(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "decisions/a.md", "---\nid: a\n---\npulled\n")
	put(t, tree, "learnings/b.md", "---\nid: a\n---\nknown\n")
	locked := errors.New("the database is locked")
	tree.Placed(func() (func(memory.Memory) bool, error) { return nil, locked })
	if l, err := tree.Load(); !errors.Is(err, locked) || len(l.Memories()) > 0 {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestAnyTitleIsReadAsItWasWritten(t *testing.T) {
	for _, title := range []privacy.Clean{
		privacy.Const("---"), privacy.Const("- a list"), privacy.Const("key: value # no comment"),
		privacy.Const("@at `tick` %percent"), privacy.Const("'single' \"double\" \\back"), privacy.Const("[not, a, list]"),
		privacy.Const("{no: map}"), privacy.Const("yes"), privacy.Const("null"), privacy.Const("1e3"),
		privacy.Const("2026-03-01"), privacy.Const("~"), privacy.Const("& anchor * alias ! tag"), privacy.Const("| > - ? :"),
		privacy.Const("データベースは一つだけ"), privacy.Const("قاعدة البيانات"), privacy.Const("Größe 🙂 naïve"),
		privacy.Const("../../etc/passwd"),
		privacy.Const("con"), privacy.Const("tab\there"),
		privacy.Const("bell\a and \x1b[31mred"), privacy.Const("x\u2028y"),
	} {
		tree := newTree(t)
		c := queue()
		c.Title = title
		m := add(t, tree, c)
		want := strings.Join(strings.Fields(title.String()), " ")
		if got := load(t, tree); len(got.Active) != 1 || got.Active[0].Title != want || got.Active[0].ID != m.ID {
			t.Errorf("%q: %+v", title, got)
		}
	}
	tree := newTree(t)
	c := queue()
	c.Title = privacy.Const("first line\n---\nid: other\n")
	if m := add(t, tree, c); m.Title != "first line --- id: other" || m.ID != "first-line-id-other" {
		t.Errorf("%+v", m)
	}
}

func TestABodyMayHoldAFence(t *testing.T) {
	tree := newTree(t)
	c := queue()
	c.Body = privacy.Const("before\n\n---\n\nid: no\n---\nafter")
	m := add(t, tree, c)
	if got := load(t, tree).Active[0]; got.Body != c.Body.String() || got.ID != m.ID {
		t.Errorf("%+v", got)
	}
}
