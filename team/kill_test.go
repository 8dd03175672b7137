package team

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/store"
)

// killed syncs a node and kills it at the n-th possible place. It returns false if the round finished before that.
func (n *node) killed(at int) bool {
	n.t.Helper()
	n.place.steps, n.place.killed = at, false
	_, err := n.s.Round(context.Background())
	was := n.place.killed
	if was != errors.Is(err, errKilled) || !was && err != nil {
		n.t.Fatalf("%s/%s: %v", n.member, n.machine, err)
	}
	n.close()
	n.open()
	return was
}

// rest syncs all nodes until nothing changes.
func (c *cluster) rest() {
	c.t.Helper()
	(&model{c: c}).settle()
}

func (c *cluster) same(want ...string) {
	c.t.Helper()
	want = append([]string{}, want...)
	slices.Sort(want)
	for _, n := range c.nodes {
		if diff := cmp.Diff(want, append([]string{}, n.view()...)); diff != "" {
			c.t.Errorf("%s/%s: %s", n.member, n.machine, diff)
		}
	}
}

func (n *node) forgetTitle(title string) {
	n.t.Helper()
	rows, err := n.place.rows(n.t.Context(), n.place.own)
	if err != nil {
		n.t.Fatal(err)
	}
	for _, m := range rows {
		if m.Title == title {
			n.forget(m)
			return
		}
	}
	n.t.Fatalf("%s/%s has no %s", n.member, n.machine, title)
}

// TestAKillAtAnyPlace kills a machine at each place of a round in turn, does something elsewhere or here, and lets all
// machines sync until nothing changes.
func TestAKillAtAnyPlace(t *testing.T) {
	cases := map[string]struct {
		prepare func(a, b, c *node) // before the killed round of b
		after   func(a, b, c *node) // between the kill and the next round of b
		want    []string
	}{
		"arrives": {
			func(a, _, _ *node) { a.write("port", "8080"); a.sync() },
			func(_, _, _ *node) {}, []string{"active port: 8080"}},
		"forgotten elsewhere": {
			func(a, _, _ *node) { a.write("port", "8080"); a.sync() },
			func(a, _, _ *node) { a.forgetTitle("port"); a.sync() }, []string{}},
		"changed elsewhere": {
			func(a, _, _ *node) { a.write("port", "8080"); a.sync() },
			func(a, _, _ *node) { a.write("port", "9090"); a.sync() }, []string{"active port: 9090"}},
		"a change arrives": {
			func(a, b, _ *node) { a.write("port", "8080"); a.sync(); b.sync(); a.write("port", "9090"); a.sync() },
			func(_, _, _ *node) {}, []string{"active port: 9090"}},
		"a change arrives, and another": {
			func(a, b, _ *node) { a.write("port", "8080"); a.sync(); b.sync(); a.write("port", "9090"); a.sync() },
			func(a, _, _ *node) { a.write("port", "7070"); a.sync() }, []string{"active port: 7070"}},
		"a tombstone arrives": {
			func(a, b, _ *node) { a.write("port", "8080"); a.sync(); b.sync(); a.forgetTitle("port"); a.sync() },
			func(_, _, _ *node) {}, []string{}},
		"written anew after a tombstone": {
			func(a, b, _ *node) {
				a.write("port", "8080")
				a.sync()
				b.sync()
				a.forgetTitle("port")
				a.write("port", "8080")
				a.sync()
			},
			func(_, _, _ *node) {}, []string{"active port: 8080"}},
		"a conflict": {
			func(a, b, _ *node) {
				a.write("port", "8080")
				a.sync()
				b.sync()
				b.write("port", "of b")
				a.write("port", "of a, later")
				a.sync()
			},
			func(_, _, _ *node) {}, []string{"active port: of a, later", "archived port: of b"}},
		"a conflict that is won": {
			func(a, b, _ *node) {
				a.write("port", "8080")
				a.sync()
				b.sync()
				a.write("port", "of a")
				a.sync()
				b.write("port", "of b, later")
			},
			func(_, _, _ *node) {}, []string{"active port: of b, later", "archived port: of a"}},
		"two of the same words": {
			func(a, _, c *node) { a.write("port", "8080"); c.write("port", "8080"); a.pushOnly(); c.pushOnly() },
			func(_, _, _ *node) {}, []string{"active port: 8080"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			kills := 0
			for at, going := 1, true; going; at++ {
				c := newCluster(t, 3, 1)
				tc.prepare(c.nodes[0], c.nodes[1], c.nodes[2])
				if going = c.nodes[1].killed(at); going {
					kills++
				}
				tc.after(c.nodes[0], c.nodes[1], c.nodes[2])
				c.rest()
				c.same(tc.want...)
				if t.Failed() {
					t.Fatalf("killed at place %d", at)
				}
			}
			if kills == 0 {
				t.Error("nothing was killed: the test looks at nothing")
			}
		})
	}
}

// pushOnly sends what is here before anything is read, as for two machines that were never online together.
func (n *node) pushOnly() {
	n.t.Helper()
	ctx := n.t.Context()
	err := n.s.with(ctx, func(t store.TeamRow, there *remote) error {
		projects, err := n.db.TeamProjects(ctx)
		if err != nil {
			return err
		}
		r := &round{s: n.s, team: t, project: projects[0], there: there}
		if err := r.begin(ctx); err != nil {
			return err
		}
		_, err = r.push(ctx)
		return err
	})
	if err != nil {
		n.t.Fatal(err)
	}
}

// TestAChangeByHandAfterAKillIsKept: what a user writes over a file left by a killed process is a change.
func TestAChangeByHandAfterAKillIsKept(t *testing.T) {
	for at := 1; ; at++ {
		c := newCluster(t, 2)
		a, b := c.nodes[0], c.nodes[1]
		a.write("port", "8080")
		a.sync()
		going := b.killed(at)
		b.write("port", "9090")
		c.rest()
		for _, n := range c.nodes {
			if !slices.Contains(n.view(), "active port: 9090") {
				t.Fatalf("killed at %d: %s has %v", at, n.machine, n.view())
			}
		}
		if !going {
			return
		}
	}
}

// TestForgottenByHandAfterAKillIsForgottenEverywhere: the user forgets something left by a killed process.
func TestForgottenByHandAfterAKillIsForgottenEverywhere(t *testing.T) {
	kills := 0
	for at := 1; ; at++ {
		c := newCluster(t, 2, 1)
		c.nodes[0].write("port", "8080")
		c.nodes[0].sync()
		going := c.nodes[1].killed(at)
		if len(c.nodes[1].view()) > 0 {
			kills++
			c.nodes[1].forgetTitle("port")
			c.rest()
			c.same()
		}
		if !going {
			break
		}
	}
	if kills < 2 {
		t.Error("no kill left anything: the test looks at nothing")
	}
}

// TestAnOldBackupOfAMachine: a machine with an older database sends nothing that was forgotten since, loses nothing,
// and catches up.
func TestAnOldBackupOfAMachine(t *testing.T) {
	c := newCluster(t, 2, 1)
	a, b := c.nodes[0], c.nodes[1]
	a.write("stays", "1")
	a.write("goes", "2")
	b.write("of b", "3")
	a.sync()
	b.sync()
	a.sync()
	backup := b.backup()
	a.forgetTitle("goes")
	a.forgetTitle("of b")
	a.write("changes", "4")
	a.write("stays", "5")
	b.write("sent since", "6")
	b.sync()
	a.sync()
	b.sync()
	b.restore(backup)
	c.rest()
	c.same("active stays: 5", "active changes: 4", "active sent since: 6")
}

// backup copies the database of a node.
func (n *node) backup() string {
	n.t.Helper()
	to := n.t.TempDir()
	n.close()
	if err := os.CopyFS(to, os.DirFS(n.dir)); err != nil {
		n.t.Fatal(err)
	}
	n.open()
	return to
}

// restore replaces the database with a copy.
func (n *node) restore(from string) {
	n.t.Helper()
	n.close()
	if err := errors.Join(os.RemoveAll(n.dir), os.CopyFS(n.dir, os.DirFS(from))); err != nil {
		n.t.Fatal(err)
	}
	n.open()
}
