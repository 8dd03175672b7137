package team

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/store"
)

func TestTwoMachinesOfOneMemberKnowTheSame(t *testing.T) {
	c := newCluster(t, 2)
	a, b := c.nodes[0], c.nodes[1]
	a.write("port", "the port is 8080")
	a.sync()
	b.sync()
	want := []string{"active port: the port is 8080"}
	if diff := cmp.Diff(want, b.view()); diff != "" {
		t.Fatal(diff)
	}
	b.write("port", "the port is 9090")
	b.sync()
	a.sync()
	want = []string{"active port: the port is 9090"}
	if diff := cmp.Diff(want, a.view()); diff != "" {
		t.Fatal(diff)
	}
	rows, err := a.place.rows(context.Background(), a.place.own)
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	a.forget(rows[0])
	a.sync()
	b.sync()
	if got := append(a.view(), b.view()...); len(got) > 0 {
		t.Errorf("forgotten, and still there: %v", got)
	}
	counts, err := b.db.TeamCounts(context.Background())
	if err != nil || counts[store.TeamGone] != 1 {
		t.Errorf("%v %v", counts, err)
	}
}

func TestTheLaterOfTwoChangesIsInForceAndTheOtherIsKept(t *testing.T) {
	c := newCluster(t, 2)
	a, b := c.nodes[0], c.nodes[1]
	a.write("port", "first")
	a.sync()
	b.sync()
	a.write("port", "of a")
	b.write("port", "of b, later")
	b.sync()
	a.sync()
	a.sync()
	b.sync()
	want := []string{"active port: of b, later", "archived port: of a"}
	for _, n := range c.nodes {
		if diff := cmp.Diff(want, n.view()); diff != "" {
			t.Errorf("%s: %s", n.machine, diff)
		}
	}
}

func TestAnotherMemberReadsAndDoesNotWrite(t *testing.T) {
	c := newCluster(t, 1, 1)
	a, b := c.nodes[0], c.nodes[1]
	a.write("port", "8080")
	a.sync()
	if r := b.sync(); r.Pulled != 1 {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff(a.view(), b.view()); diff != "" {
		t.Error(diff)
	}
	if r := b.sync(); r != (Report{}) {
		t.Errorf("what came in is not sent again: %+v", r)
	}
}
