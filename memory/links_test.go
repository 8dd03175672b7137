package memory_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"keepmum/memory"
	"keepmum/privacy"
)

func fact(t *testing.T, tree *memory.Tree, title string) memory.Memory {
	t.Helper()
	m, err := tree.Add(memory.Candidate{Primitive: memory.Learning, Kind: memory.Fact, Title: clean(t, title),
		Confidence: 0.9, Told: true}, memory.Stamp{Now: noon(), By: privacy.Const("cli")})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func byID(t *testing.T, tree *memory.Tree, id string) memory.Memory {
	t.Helper()
	m, err := tree.Get(id)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func must(t *testing.T) func(memory.Memory, error) memory.Memory {
	return func(m memory.Memory, err error) memory.Memory {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

// TestLinksSurvive a change of title or file name, archiving and restoring, and an export and import where another
// memory already has the id.
func TestLinksSurvive(t *testing.T) {
	tree, by := newTree(t), memory.Stamp{Now: noon(), By: privacy.Const("cli")}
	refunds, provider := fact(t, tree, "Refunds go through the provider"), fact(t, tree, "Payments use Stripe alone")
	want := []memory.Link{{To: provider.ID, As: memory.DependsOn}, {To: provider.ID, As: memory.See}}
	for _, l := range want {
		refunds = must(t)(tree.Link(refunds, l, by))
	}
	same := func(when string, tree *memory.Tree, id string, want []memory.Link) {
		t.Helper()
		if got := byID(t, tree, id).Links; !slices.Equal(got, want) {
			t.Errorf("%s: the links are %v, want %v", when, got, want)
		}
	}
	title := clean(t, "Money goes back through whoever took it")
	refunds = must(t)(tree.Edit(refunds, memory.Edit{Title: &title}, by))
	same("another title", tree, refunds.ID, want)
	was := filepath.Join(tree.Root(), filepath.FromSlash(refunds.Path))
	if err := os.Rename(was, filepath.Join(filepath.Dir(was), "by-hand.md")); err != nil {
		t.Fatal(err)
	}
	same("another file name", tree, refunds.ID, want)
	refunds = must(t)(tree.Archive(byID(t, tree, refunds.ID), by))
	same("archived", tree, refunds.ID, want)
	refunds = must(t)(tree.Restore(refunds, by))
	same("restored", tree, refunds.ID, want)

	other := newTree(t)
	must(t)(other.Add(memory.Candidate{Primitive: memory.Learning, Kind: memory.Fact, Confidence: 0.9, // same id
		Title: clean(t, provider.Title), Body: clean(t, "So said the old contract of 2019.")},
		memory.Stamp{Now: noon().AddDate(0, 0, -9), By: by.By}))
	if _, err := other.Import(tree.Root(), by); err != nil {
		t.Fatal(err)
	}
	l := load(t, other)
	var now string
	for _, m := range l.Active {
		if m.Title == provider.Title && m.Body == "" {
			now = m.ID
		}
	}
	if now == "" || now == provider.ID {
		t.Fatalf("the test looks at the wrong thing: %q", now)
	}
	same("imported", other, refunds.ID,
		[]memory.Link{{To: now, As: memory.DependsOn}, {To: now, As: memory.See}})
}

func TestInvalidLinksAreRefused(t *testing.T) {
	tree, by := newTree(t), memory.Stamp{Now: noon(), By: privacy.Const("cli")}
	a, b, c := fact(t, tree, "Alpha holds the line"), fact(t, tree, "Bravo holds the rope"),
		fact(t, tree, "Charlie waits below")
	a = must(t)(tree.Link(a, memory.Link{To: b.ID, As: memory.DependsOn}, by))
	b = must(t)(tree.Link(b, memory.Link{To: c.ID, As: memory.DependsOn}, by))
	for name, l := range map[string]struct {
		from memory.Memory
		to   string
		want error
	}{"a circle of three": {c, a.ID, memory.ErrCircle}, "of two": {b, a.ID, memory.ErrCircle},
		"itself": {a, a.ID, memory.ErrInvalid}} {
		if _, err := tree.Link(l.from, memory.Link{To: l.to, As: memory.DependsOn}, by); !errors.Is(err, l.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t)(tree.Link(c, memory.Link{To: a.ID, As: memory.See}, by)) // no circular dependencies
	if _, err := memory.ParseRelation("loves"); err == nil {
		t.Error("a relation that there is not is taken")
	}
	must(t)(tree.Unlink(byID(t, tree, a.ID), b.ID, "", by))
	if got := byID(t, tree, a.ID).Links; len(got) != 0 {
		t.Errorf("after unlink: %v", got)
	}
}

func TestAReplacedMemoryIsArchived(t *testing.T) {
	tree, by := newTree(t), memory.Stamp{Now: noon().AddDate(0, 0, 1), By: privacy.Const("cli")}
	old, now := fact(t, tree, "The queue is RabbitMQ today"), fact(t, tree, "Events go over NATS streams")
	must(t)(tree.Link(now, memory.Link{To: old.ID, As: memory.Replaces}, by))
	if got := byID(t, tree, old.ID); !got.Archived || got.SupersededBy != now.ID || !got.ValidTo.Equal(by.Now) {
		t.Errorf("the old one: archived %v, by %q, until %v", got.Archived, got.SupersededBy, got.ValidTo)
	}
	changed, err := tree.Unname([]string{old.ID}, by)
	if got := byID(t, tree, now.ID).Links; err != nil || changed != 1 || len(got) != 0 {
		t.Errorf("unnamed: %d, %v, %v", changed, got, err)
	}
}
