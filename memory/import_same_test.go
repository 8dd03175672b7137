package memory_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/memory"
	"keepmum/privacy"
)

// textOf returns the text of a memory's file.
func textOf(id, title, body string, more ...string) string {
	return "---\nid: " + id + "\ntitle: " + title + "\ncreated: 2026-01-02T10:00:00Z\n" + strings.Join(more, "\n") +
		"\n---\n\n" + body + "\n"
}

const why = "The tax office sums unrounded lines, so each rounded line made the totals differ by a cent."

func TestAnImportKeepsBranches(t *testing.T) {
	tree := newTree(t)
	out, err := tree.ImportTexts([]memory.Text{
		{Path: "learnings/20260102-a.md", Text: textOf("a", "Totals are rounded half to even", why, "branch: feature/tax",
			"branch_head: c0ffee", "branch_base: beef00", "key: invoices/rounding", "updated: 2026-01-02T10:00:00Z")},
		{Path: "learnings/20260102-b.md", Text: textOf("b", "Totals are never rounded", why+" Nobody asked for it.",
			"key: invoices/rounding", "updated: 2026-01-02T10:00:00Z")},
	}, stamp())
	if err != nil || len(out.Added) != 2 || out.Added[0].Archived || out.Added[1].Archived {
		t.Fatalf("%v %+v", err, out)
	}
	if m := out.Added[0]; m.On() != "feature/tax" || m.BranchHead != "c0ffee" || m.BranchBase != "beef00" {
		t.Errorf("%+v", m)
	}
}

// A file that cannot become a memory is named, and the others are imported.
func TestAnImportGoesOnAfterABrokenFile(t *testing.T) {
	tree := newTree(t)
	first := textOf("a", "Payments use Stripe", why, "key: payments/provider", "valid_from: 2026-01-02",
		"updated: 2026-01-02T10:00:00Z")
	put(t, tree, "learnings/20260102-a.md", first)
	put(t, tree, "learnings/20260102-held.md", "---\nid: held\ntitle: [\n---\n")
	out, err := tree.ImportTexts([]memory.Text{
		{Path: "learnings/20260102-a.md", Text: textOf("a", "Payments use Stripe alone", why, "key: payments/provider",
			"valid_from: 2026-01-02", "updated: 2026-02-02T10:00:00Z")},
		{Path: "learnings/20260102-b.md", Text: textOf("b", "Payments use Adyen", why+" It is cheaper.",
			"key: payments/provider", "valid_from: 2026-02-01", "updated: 2026-02-02T10:00:00Z")},
		{Path: "learnings/20260102-held.md", Text: textOf("held", "Invoices are numbered without gaps", why)},
		{Path: "learnings/20260102-bad.md", Text: "---\ntitle: [\n---\n"},
		{Path: "learnings/20260102-c.md", Text: textOf("c", "Invoices are sent on Mondays", why)},
	}, stamp())
	if err != nil || len(out.Added) != 4 || len(out.Refused) != 1 {
		t.Fatalf("%v %+v", err, out)
	}
	l := load(t, tree)
	for _, m := range l.Memories() {
		if m.ID == "held" {
			t.Errorf("the id of a broken file was given again: %+v", m)
		}
		if m.Key == "payments/provider" && m.Archived == (m.ID == "b") {
			t.Errorf("%+v", m)
		}
	}
}

func TestAnImportLosesNoEditByHand(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "learnings/20260102-a.md", textOf("a", "Totals are rounded half to even",
		why+" The accountant of the shop, Ms Weber, insists on it.", "updated: 2026-01-02T10:00:00Z"))
	newer := []memory.Text{{Path: "learnings/20260102-a.md", Text: textOf("a", "Totals are rounded half to even",
		why+" The auditors want it as well.", "updated: 2026-02-02T10:00:00Z")}}
	for range 2 {
		if _, err := tree.ImportTexts(newer, stamp()); err != nil {
			t.Fatal(err)
		}
		l := load(t, tree)
		if len(l.Active) != 1 || !strings.Contains(l.Active[0].Body, "auditors") {
			t.Errorf("%+v", l.Active)
		}
		if len(l.Archived) != 1 || !strings.Contains(l.Archived[0].Body, "Weber") || l.Archived[0].SupersededBy != "a" {
			t.Errorf("%+v", l.Archived)
		}
	}
}

func TestAnIDOfABrokenFileIsNotGivenAgain(t *testing.T) {
	tree := newTree(t)
	m := add(t, tree, queue())
	path := filepath.Join(tree.Root(), filepath.FromSlash(m.Path))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	spoiled := strings.Replace(string(data), "title:", "title: [", 1)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	put(t, tree, "decisions/20260302-renamed.md", spoiled)
	c := queue()
	c.Body = privacy.Join(" ", c.Body, privacy.Const("It is said again."))
	got, err := tree.Add(c, memory.Stamp{Now: noon().Add(time.Hour), By: privacy.Const("cli")})
	if err != nil || got.ID == m.ID {
		t.Errorf("%v %+v", err, got)
	}
}

func TestAnImportNamesWhatIsNotNewerByItsPath(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "learnings/20260102-a.md", textOf("a", "Totals are rounded half to even", why,
		"updated: 2026-02-02T10:00:00Z"))
	const path = "learnings/20260102-older.md"
	out, err := tree.ImportTexts([]memory.Text{{Path: path, Text: textOf("a", "Totals are rounded half up", why,
		"updated: 2026-01-02T10:00:00Z")}}, stamp())
	if err != nil || len(out.Same) != 1 || out.Same[0] != path {
		t.Errorf("%v %+v", err, out)
	}
}
