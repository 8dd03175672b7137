package memory_test

import (
	"strings"
	"testing"

	"keepmum/memory"
	"keepmum/privacy"
)

func TestWhatPeopleWriteIntoAFrontmatterIsRead(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "learnings/a.md", "---\nid: a\ntitle: Never use lorem ipsum in mock-ups of the shop\n"+
		"created: 2026-02-01\npinned: yes\ntags: &all [shop, \"mock-ups\"]\nreviewed: *all # by us\n---\n\n"+
		"Customers read it aloud in the demo.\n")
	l := load(t, tree)
	if len(l.Broken) != 0 || len(l.Active) != 1 || !l.Active[0].Pinned || len(l.Active[0].Tags) != 2 {
		t.Fatalf("%+v", l)
	}
	tags := []privacy.Clean{privacy.Const("demo")}
	if _, err := tree.Edit(l.Active[0], memory.Edit{Tags: &tags}, stamp()); err != nil {
		t.Fatal(err)
	}
	text := readFile(t, tree.Root()+"/learnings/a.md")
	l = load(t, tree)
	if len(l.Broken) != 0 || len(l.Active[0].Tags) != 1 || !strings.Contains(text, "reviewed: [shop, ") {
		t.Errorf("%+v\n%s", l, text)
	}
	put(t, tree, "learnings/b.md", "---\nid: b\ntitle: Aliases of aliases\na: &a [x,x,x,x,x,x,x,x,x,x]\n"+
		"b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c]\n"+
		"---\n\nIt grows.\n")
	if l = load(t, tree); len(l.Broken) != 1 || !strings.Contains(l.Broken[0].Why, "aliases") {
		t.Errorf("%+v", l.Broken)
	}
}

func TestMaintenanceLeavesWhatSaysSomething(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "learnings/a.md", file("a", "title: Never use lorem ipsum in mock-ups of the shop\ncreated: 2026-02-01\n",
		"Customers read lorem ipsum aloud in the demo, and then nobody listens."))
	put(t, tree, "learnings/b.md", "---\nid: b\ntitle: The label printer wants inches\ncreated: 2026-02-01\n---\n")
	put(t, tree, "learnings/c.md", file("c", "title: A title of some length\ncreated: 2026-02-01\n",
		"Lorem ipsum dolor sit amet,\nconsectetur adipiscing elit."))
	p := memory.PlanMaintenance(load(t, tree), nil, noon(), memory.DefaultDecay())
	if len(p.Steps) != 1 || p.Steps[0].Source != "c" || p.Steps[0].Reason != memory.Junk {
		t.Errorf("%+v", p.Steps)
	}
}

func TestALongTitleLeavesRoomForOthers(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "learnings/a.md", file("a", "title: "+strings.Repeat("a very long story ", 200)+
		"\ncreated: 2026-02-02\npinned: true\n", "Somebody tells it every week."))
	put(t, tree, "learnings/b.md", file("b", "title: The label printer wants inches\ncreated: 2026-02-01\n",
		"It is American."))
	if _, err := tree.Regenerate(nil, noon(), memory.DefaultDecay()); err != nil {
		t.Fatal(err)
	}
	hot := readFile(t, tree.Root()+"/hot-memory.md")
	if !strings.Contains(hot, "wants inches") || !strings.Contains(hot, "a very long") {
		t.Errorf("%s", hot)
	}
}

func TestAConsolidatedMemoryKeepsTheLinks(t *testing.T) {
	tree := newTree(t)
	printers(t, tree)
	other := add(t, tree, queue())
	members := load(t, tree).Active
	for _, m := range members {
		if m.Primitive == memory.Learning {
			if _, err := tree.Link(m, memory.Link{To: other.ID, As: memory.DependsOn}, stamp()); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	m, err := tree.Consolidate(cluster(t, tree), clean(t, richTitle), clean(t, richBody), stamp())
	if err != nil || len(m.Links) != 1 || m.Links[0].To != other.ID {
		t.Errorf("%v %+v", err, m)
	}
}
