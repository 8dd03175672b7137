package memory_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"keepmum/longtest"
	"keepmum/memory"
	"keepmum/privacy"
)

func later() memory.Stamp {
	return memory.Stamp{Now: noon().Add(48 * time.Hour), By: privacy.Const("sync-20260303-120000-fedcba")}
}

func TestAnUpdateEditsTheSameFile(t *testing.T) {
	tree := newTree(t)
	old := add(t, tree, queue())
	more := queue()
	more.Body = privacy.Const("The job queue is a table in Postgres. Finished jobs are kept for 14 days.")
	more.Tags = []privacy.Clean{privacy.Const("retention")}
	more.Sources = []memory.Source{{Session: privacy.Const("codex/later")}}
	got, err := tree.Update(old, more, later())
	if err != nil {
		t.Fatal(err)
	}
	want := old
	want.Updated, want.Hash = later().Now, got.Hash
	want.Body += "\n\nFinished jobs are kept for 14 days."
	want.Tags = []string{"postgres", "queue", "retention"}
	want.Sources = append(want.Sources, memory.Origin{Session: "codex/later"})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(memory.Listing{Active: []memory.Memory{got}}, load(t, tree)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsSupersededIsArchivedWithALink(t *testing.T) {
	tree := newTree(t)
	old := add(t, tree, queue())
	next := queue()
	next.Title, next.At = privacy.Const("Use Redis for the job queue"), noon().Add(24*time.Hour)
	got, err := tree.Supersede(next, later(), old)
	if err != nil {
		t.Fatal(err)
	}
	l := load(t, tree)
	if diff := cmp.Diff([]memory.Memory{got}, l.Active); diff != "" {
		t.Error(diff)
	}
	gone := l.Archived[0]
	if gone.SupersededBy != got.ID || !gone.ValidTo.Equal(next.At) || gone.Path != "archived/"+old.Path ||
		got.Supersedes[0] != old.ID {
		t.Errorf("archived %+v in favour of %+v", gone, got)
	}
	if gone.Body != old.Body || !cmp.Equal(gone.Sources, old.Sources) {
		t.Error("something of the old memory is lost")
	}
}

func TestArchiveAndRestoreLeadBackToTheSamePlace(t *testing.T) {
	tree := newTree(t)
	m := add(t, tree, queue())
	gone, err := tree.Archive(m, later())
	if err != nil || !gone.Archived {
		t.Fatal(gone, err)
	}
	back, err := tree.Restore(gone, later())
	if err != nil || back.Path != m.Path || back.Archived {
		t.Fatal(back, err)
	}
	if l := load(t, tree); len(l.Active) != 1 || len(l.Archived) != 0 {
		t.Errorf("%d active, %d archived", len(l.Active), len(l.Archived))
	}
}

func TestATitleThatIsTakenGetsAnIDOfItsOwn(t *testing.T) {
	tree := newTree(t)
	ids := map[string]bool{}
	for range 3 {
		ids[add(t, tree, queue()).ID] = true
	}
	if len(ids) != 3 || len(load(t, tree).Active) != 3 {
		t.Errorf("ids %v", ids)
	}
	if _, err := tree.Get("use-postgres"); !errors.Is(err, memory.ErrAmbiguous) {
		t.Errorf("a beginning of three ids: %v", err)
	}
	if m, err := tree.Get("use-postgres-for-the-job-queue"); err != nil || m.ID != "use-postgres-for-the-job-queue" {
		t.Errorf("the whole id of one: %v, %v", m.ID, err)
	}
	if _, err := tree.Get("redis"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("no id: %v", err)
	}
}

func TestNoChangeIsMadeToAFileThatSomebodyEdited(t *testing.T) {
	kind, title := memory.Insight, privacy.Const("Another title for it")
	changes := map[string]func(*memory.Tree, memory.Memory) error{
		"update":    func(t *memory.Tree, m memory.Memory) error { _, err := t.Update(m, queue(), later()); return err },
		"supersede": func(t *memory.Tree, m memory.Memory) error { _, err := t.Supersede(queue(), later(), m); return err },
		"archive":   func(t *memory.Tree, m memory.Memory) error { _, err := t.Archive(m, later()); return err },
		"restore":   func(t *memory.Tree, m memory.Memory) error { _, err := t.Restore(m, later()); return err },
		"pin":       func(t *memory.Tree, m memory.Memory) error { _, err := t.Pin(m, true, later()); return err },
		"edit": func(t *memory.Tree, m memory.Memory) error {
			_, err := t.Edit(m, memory.Edit{Title: &title, Kind: &kind}, later())
			return err
		},
		"remove": func(t *memory.Tree, m memory.Memory) error { return t.Remove(m) },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			tree := newTree(t)
			m := add(t, tree, queue())
			file := filepath.Join(tree.Root(), m.Path)
			edited := readFile(t, file) + "A line by hand.\n"
			if err := os.WriteFile(file, []byte(edited), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := change(tree, m); !errors.Is(err, memory.ErrChanged) {
				t.Errorf("error %v", err)
			}
			if got := readFile(t, file); got != edited {
				t.Errorf("the file is now:\n%s", got)
			}
			if l := load(t, tree); len(l.Active) != 1 || len(l.Archived) != 0 {
				t.Errorf("%d active, %d archived", len(l.Active), len(l.Archived))
			}
		})
	}
}

func TestTheLoserOfTwoConcurrentChangesMustReadAgain(t *testing.T) {
	tree := newTree(t)
	m := add(t, tree, queue())
	const writers = 8
	errs := make([]error, writers)
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			other, err := memory.Open(tree.Root(), newGate(t))
			if err != nil {
				t.Error(err)
				return
			}
			c := queue()
			c.Sources = []memory.Source{{Session: clean(t, fmt.Sprintf("claude/writer-%d", i))}}
			_, errs[i] = other.Update(m, c, later())
		})
	}
	wg.Wait()
	won := 0
	for _, err := range errs {
		switch {
		case err == nil:
			won++
		case !errors.Is(err, memory.ErrChanged):
			t.Error(err)
		}
	}
	if got := load(t, tree).Active[0]; won != 1 || len(got.Sources) != 2 {
		t.Errorf("%d of %d changes were made; sources %v", won, writers, got.Sources)
	}
}

func TestWritersOfOneTreeLoseNothing(t *testing.T) {
	root := filepath.Join(t.TempDir(), "memory")
	const writers, each = 2, 15
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			tree, err := memory.Open(root, newGate(t))
			if err != nil {
				t.Error(err)
				return
			}
			for k := range each {
				c := queue()
				c.Title = clean(t, fmt.Sprintf("Decision number %d of everybody", k))
				if _, err := tree.Add(c, stamp()); err != nil {
					t.Errorf("writer %d: %v", i, err)
				}
			}
		})
	}
	wg.Wait()
	tree, err := memory.Open(root, newGate(t))
	if err != nil {
		t.Fatal(err)
	}
	if l := load(t, tree); len(l.Active) != writers*each || len(l.Broken) != 0 {
		t.Errorf("%d memories, %v", len(l.Active), l.Broken)
	}
}

func TestNothingIsWrittenOrReadThroughALink(t *testing.T) {
	outside := t.TempDir()
	tree := newTree(t)
	if err := os.MkdirAll(tree.Root(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(tree.Root(), "decisions")); err != nil {
		t.Skip(err)
	}
	if _, err := tree.Add(queue(), stamp()); !errors.Is(err, memory.ErrOutside) {
		t.Errorf("a directory that is a link: %v", err)
	}
	learning := queue()
	learning.Primitive = memory.Learning
	m := add(t, tree, learning)
	secret := filepath.Join(outside, "secret.md")
	if err := os.WriteFile(secret, []byte(readFile(t, filepath.Join(tree.Root(), m.Path))), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(tree.Root(), m.Path)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(tree.Root(), m.Path)); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Pin(m, true, later()); !errors.Is(err, memory.ErrOutside) {
		t.Errorf("a file that is a link: %v", err)
	}
	l := load(t, tree)
	if len(l.Active) != 0 || len(l.Broken) != 2 {
		t.Errorf("read %+v", l)
	}
	m.Path = "../secret.md"
	if _, err := tree.Pin(m, true, later()); err == nil {
		t.Error("a path that leads out of the tree is followed")
	}
	left, err := os.ReadDir(outside)
	if err != nil || len(left) != 1 || strings.Contains(readFile(t, secret), "pinned") {
		t.Errorf("outside: %v, %v", left, err)
	}
}

func TestEditKeepsTheIDAndTheRest(t *testing.T) {
	tree := newTree(t)
	m := add(t, tree, queue())
	title, confidence := privacy.Const("Jobs: in a table\nof Postgres"), 0.6
	tags := []privacy.Clean{privacy.Const("jobs")}
	got, err := tree.Edit(m, memory.Edit{Title: &title, Confidence: &confidence, Tags: &tags}, later())
	if err != nil {
		t.Fatal(err)
	}
	want := m
	want.Title, want.Confidence, want.Tags, want.Updated, want.Hash = "Jobs: in a table of Postgres", 0.6,
		[]string{"jobs"}, later().Now, got.Hash
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for name, bad := range map[string]memory.Edit{
		"confidence": {Confidence: new(float64)}, "kind": {Kind: new(memory.Kind)},
	} {
		if bad.Confidence != nil {
			*bad.Confidence = 1.5
		} else {
			*bad.Kind = memory.Pitfall // a decision has none
		}
		if _, err := tree.Edit(got, bad, later()); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRemoveLeavesNothing(t *testing.T) {
	tree := newTree(t)
	if err := tree.Remove(add(t, tree, queue())); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(memory.Listing{}, load(t, tree)); diff != "" {
		t.Error(diff)
	}
}

func TestASupersedingThatFailsLeavesTheOldOneAsItWas(t *testing.T) {
	tree := newTree(t)
	old := add(t, tree, queue())
	bad := queue()
	bad.Title, bad.Confidence = privacy.Const("Use Redis for the job queue"), 7
	if _, err := tree.Supersede(bad, later(), old); !errors.Is(err, memory.ErrInvalid) {
		t.Fatal(err)
	}
	l := load(t, tree)
	if len(l.Active) != 1 || len(l.Archived) != 0 || l.Active[0].SupersededBy != "" || !l.Active[0].ValidTo.IsZero() {
		t.Errorf("%+v", l)
	}
}

// TestSessionsKeepTheirIDs: some agents make ids that look like tokens, next to words like session and token.
func TestSessionsKeepTheirIDs(t *testing.T) {
	for _, id := range []privacy.Clean{
		privacy.Const("opencode/ses_2f8e1c9d4ffeQ7mKx3ZbTnRvLp"), privacy.Const("codex/0199f3a2-7c1b-7e50-9d3c-2b1a4f5e6d7c"),
		privacy.Const("claude/a81bc81b-dead-4e5d-abff-90865d1e13b1"), privacy.Const("claude/agent-a3f9c2e1"),
	} {
		tree := newTree(t)
		c := queue()
		c.Tags = append(c.Tags, privacy.Const("token"), privacy.Const("secret"), privacy.Const("session"))
		c.Sources = []memory.Source{{Session: id, Ref: privacy.Const("msg_2f8e1c9d4001aBcDeFgHiJkLmN")}}
		m := add(t, tree, c)
		if want := []memory.Origin{{Session: id.String(), Ref: "msg_2f8e1c9d4001aBcDeFgHiJkLmN"}}; !cmp.Equal(m.Sources,
			want) {
			t.Errorf("%s: %v", id, m.Sources)
		}
		d := draft()
		d.Session = id
		if s, err := tree.WriteSummary(d, stamp()); err != nil || s.Session != id.String() {
			t.Errorf("%s: %q, %v", id, s.Session, err)
		}
		if m, err := tree.Pin(m, true, later()); err != nil || len(m.Sources) != 1 || m.Sources[0].Session != id.String() {
			t.Errorf("%s: %v, %v", id, m.Sources, err)
		}
	}
}

// TestAMemoryThatIsMovedIsNeverMissed: while a memory is archived and restored, a reader always finds it in one of the
// two places.
func TestAMemoryThatIsMovedIsNeverMissed(t *testing.T) {
	tree := newTree(t)
	m := add(t, tree, queue())
	for i := range 60 { // so that reading takes a while
		put(t, tree, fmt.Sprintf("learnings/m%03d.md", i), file(fmt.Sprintf("m%03d", i), "title: Finding\n", "Text."))
	}
	done := make(chan error, 1)
	go func() {
		var err error
		for range longtest.Rounds(15, 40) {
			if m, err = tree.Archive(m, stamp()); err == nil {
				m, err = tree.Restore(m, stamp())
			}
			if err != nil {
				break
			}
		}
		done <- err
	}()
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
		}
		if l := load(t, tree); len(l.Memories()) != 61 || len(l.Broken) != 0 {
			t.Fatalf("%d memories, broken %v", len(l.Memories()), l.Broken)
		}
	}
}

// lowToken is an id that nobody would choose, and that the gate takes for a token.
const lowToken = "dop_v1_" + "3f1a9c0e7b5d2846a1c3e5f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b"

func TestASupersedingThatFailsHalfwayIsUndone(t *testing.T) {
	tree := newTree(t)
	first := add(t, tree, queue())
	put(t, tree, "decisions/odd.md", file(lowToken, "title: Use a file for the job queue\n", queueBody))
	var odd memory.Memory
	for _, m := range load(t, tree).Active {
		if m.ID == lowToken {
			odd = m
		}
	}
	c := queue()
	c.Title = privacy.Const("Use Redis for the job queue")
	if _, err := tree.Supersede(c, later(), first, odd); !errors.Is(err, memory.ErrInvalid) {
		t.Fatalf("got %v", err)
	}
	l := load(t, tree)
	if len(l.Active) != 2 || l.Active[0].SupersededBy+l.Active[1].SupersededBy != "" {
		t.Errorf("%+v", l)
	}
}

func TestAFileOfTheSameNameIsNotInTheWay(t *testing.T) {
	tree := newTree(t)
	m := add(t, tree, queue())
	mine := file("mine", "title: Put away by hand\n", "My own words about it.")
	put(t, tree, "archived/"+m.Path, mine)
	gone, err := tree.Archive(m, later())
	if err != nil || !gone.Archived {
		t.Fatalf("%+v, %v", gone, err)
	}
	if l := load(t, tree); len(l.Archived) != 2 || len(l.Active)+len(l.Broken) != 0 {
		t.Errorf("%+v", l)
	}
	if got := readFile(t, filepath.Join(tree.Root(), "archived", m.Path)); got != mine {
		t.Errorf("got %q", got)
	}
	if back, err := tree.Restore(gone, later()); err != nil || back.Archived || back.ID != m.ID {
		t.Errorf("%+v, %v", back, err)
	}
}

// TestALargeFileIsNotCut: the gate keeps only the first half megabyte of a text, but a person's file may be longer.
func TestALargeFileIsNotCut(t *testing.T) {
	tree := newTree(t)
	lines, one := strings.Repeat("a line of my notes\n", 40_000), strings.Repeat("one line without an end ", 30_000)
	put(t, tree, "learnings/a.md", file("lines", "title: Many lines\n", lines))
	put(t, tree, "learnings/b.md", file("one", "title: One line\n", one))
	for _, m := range load(t, tree).Active {
		before := readFile(t, filepath.Join(tree.Root(), m.Path))
		out, err := tree.Pin(m, true, later())
		switch {
		case m.ID == "lines" && (err != nil || !out.Pinned || strings.Count(out.Body, "a line of my notes") != 40_000):
			t.Errorf("%d bytes are left, %v", len(out.Body), err)
		case m.ID == "one" &&
			(!errors.Is(err, memory.ErrInvalid) || readFile(t, filepath.Join(tree.Root(), m.Path)) != before):
			t.Errorf("got %v", err)
		}
	}
	if out, err := tree.Scrub(nil, false); err != nil || len(out.Changed) != 0 || len(out.Broken) != 1 {
		t.Errorf("%v, %+v", err, out)
	}
}

// A process that was killed while it wrote leaves its file under a hidden name; what is forgotten is in it, too.
func TestRemovingTakesAlongWhatAKilledWriterLeft(t *testing.T) {
	tree := newTree(t)
	m := add(t, tree, queue())
	file := filepath.Join(tree.Root(), m.Path)
	dir := filepath.Dir(file)
	left, own := filepath.Join(dir, "."+filepath.Base(file)+".1863429631"), filepath.Join(dir, ".notes.1")
	for _, name := range []string{left, own} {
		if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := tree.Remove(m); err != nil {
		t.Fatal(err)
	}
	for name, there := range map[string]bool{file: false, left: false, own: true} {
		if _, err := os.Lstat(name); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}
}
