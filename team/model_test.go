package team

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"keepmum/longtest"
	"keepmum/store"
	"keepmum/team/pgtest"
)

// model records what the users of a cluster did.
type model struct {
	c     *cluster
	rng   *rand.Rand
	next  int
	alive map[string]bool // versions ("title: body") that nobody has replaced or forgotten
	dead  map[string]bool // versions that someone forgot
	gone  map[string]bool // titles with a forgotten version: versions written at the same time may go, too
}

func (m *model) log(format string, args ...any) {
	if testing.Verbose() {
		m.c.t.Logf(format, args...)
	}
}

// mine returns the active memories that a node may change.
func (m *model) mine(n *node) []store.MemoryRow {
	rows, err := n.place.rows(context.Background(), n.place.own)
	if err != nil {
		m.c.t.Fatal(err)
	}
	return slices.DeleteFunc(rows, func(r store.MemoryRow) bool { return r.State != store.MemoryActive })
}

func (m *model) write(n *node) {
	m.next++
	title, body := fmt.Sprintf("fact %s %d", n.member, m.next), fmt.Sprintf("version %d", m.next)
	n.write(title, body)
	m.alive[title+": "+body] = true
	m.log("%s/%s writes %s: %s", n.member, n.machine, title, body)
}

func (m *model) edit(n *node) {
	rows := m.mine(n)
	if len(rows) == 0 {
		return
	}
	r := rows[m.rng.IntN(len(rows))]
	m.next++
	body := fmt.Sprintf("version %d", m.next)
	n.write(r.Title, body)
	delete(m.alive, r.Title+": "+r.Body())
	m.alive[r.Title+": "+body] = true
	m.log("%s/%s edits %s: %s → %s", n.member, n.machine, r.Title, r.Body(), body)
}

func (m *model) forget(n *node) {
	rows := m.mine(n)
	if len(rows) == 0 {
		return
	}
	r := rows[m.rng.IntN(len(rows))]
	n.forget(r)
	m.dead[r.Title+": "+r.Body()], m.gone[r.Title] = true, true
	m.log("%s/%s forgets %s: %s", n.member, n.machine, r.Title, r.Body())
}

// round syncs a node and ignores errors.
func (m *model) round(n *node) {
	r, err := n.s.Round(context.Background())
	m.log("%s/%s syncs: %+v %v", n.member, n.machine, r, err)
}

// kill ends a process in the middle of a round: its connection breaks at some byte, its context ends, and only its
// database is left.
func (m *model) kill(n *node) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(m.rng.IntN(40))*time.Millisecond)
	defer cancel()
	n.wire.after.Store(int64(1000 + m.rng.IntN(20000)))
	_, err := n.s.Round(ctx)
	n.wire.after.Store(0)
	n.wire.drop()
	n.close()
	n.open()
	m.log("%s/%s was killed: %v", n.member, n.machine, err)
}

func (m *model) step() {
	n := m.c.nodes[m.rng.IntN(len(m.c.nodes))]
	switch p := m.rng.IntN(100); {
	case p < 22:
		m.write(n)
	case p < 40:
		m.edit(n)
	case p < 46:
		m.forget(n)
	case p < 78:
		m.round(n)
	case p < 88:
		m.kill(n)
	case p < 94:
		n.wire.cut.Store(!n.wire.cut.Load())
		n.wire.drop()
		m.log("%s/%s partition %t", n.member, n.machine, n.wire.cut.Load())
	case p < 99:
		n.skew = time.Duration(m.rng.IntN(49)-24) * time.Hour
		m.log("%s/%s clock %v", n.member, n.machine, n.skew)
	default:
		pgtest.Kill(m.c.t)
		m.log("the server was killed")
	}
}

// settle removes all faults and syncs until nothing changes any more.
func (m *model) settle() {
	m.c.t.Helper()
	for _, n := range m.c.nodes {
		n.wire.cut.Store(false)
		n.wire.after.Store(0)
		n.wire.drop()
		n.skew = 0
	}
	for turn := range 8 {
		m.log("turn %d of settling", turn)
		quiet := true
		for _, n := range m.c.nodes {
			quiet = n.sync() == Report{} && quiet
		}
		if quiet {
			return
		}
	}
	m.c.t.Error("the machines do not come to rest")
}

// check compares what all machines know with what the users did.
func (m *model) check() {
	m.c.t.Helper()
	first := m.c.nodes[0].view()
	for _, n := range m.c.nodes[1:] {
		if diff := cmp.Diff(first, n.view()); diff != "" {
			m.c.t.Errorf("%s/%s differs from the first machine: %s", n.member, n.machine, diff)
		}
	}
	there := map[string]bool{}
	for _, line := range first {
		_, version, _ := strings.Cut(line, " ")
		there[version] = true
		if m.dead[version] {
			m.c.t.Errorf("%q was forgotten, and is there", version)
		}
	}
	for version := range m.alive {
		title, _, _ := strings.Cut(version, ":")
		if !there[version] && !m.gone[title] {
			m.c.t.Errorf("%q was written, and is lost", version)
		}
	}
}

// TestTwoHundredMembersConverge has 204 machines, each with a connection and a database. It compares everything at the
// end, so it takes minutes.
func TestTwoHundredMembersConverge(t *testing.T) {
	longtest.Only(t)
	machines := make([]int, 200)
	for i := range machines {
		machines[i] = 1
	}
	machines[0], machines[1], machines[2] = 2, 2, 3
	for _, seed := range seeds(t, 5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { converge(t, seed, 1500, machines...) })
	}
}

// seeds returns those in MUM_TEAM_SEEDS (a,b,…), otherwise the usual ones.
func seeds(t *testing.T, usual ...uint64) []uint64 {
	text := os.Getenv("MUM_TEAM_SEEDS")
	if text == "" {
		return usual
	}
	var out []uint64
	for s := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, n)
	}
	return out
}

func converge(t *testing.T, seed uint64, steps int, machines ...int) {
	t.Helper()
	m := &model{c: newCluster(t, machines...), rng: rand.New(rand.NewPCG(seed, 1)), alive: map[string]bool{},
		dead: map[string]bool{}, gone: map[string]bool{}}
	for range steps {
		m.step()
	}
	m.settle()
	m.check()
	if len(m.alive) == 0 || len(m.dead) == 0 {
		t.Error("nothing was written or forgotten: the test looks at nothing")
	}
	t.Logf("seed %d: %d versions in force, %d forgotten", seed, len(m.alive), len(m.dead))
}

// TestTwoMembersConverge can be replayed with MUM_TEAM_SEEDS=seed.
func TestTwoMembersConverge(t *testing.T) {
	for _, seed := range seeds(t, 1, 2, 3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { converge(t, seed, 120, 2, 2) })
	}
}

func TestTwentyMembersConverge(t *testing.T) {
	machines := make([]int, 20)
	for i := range machines {
		machines[i] = 1
	}
	machines[0], machines[1], machines[2] = 2, 2, 3
	for _, seed := range seeds(t, 4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { converge(t, seed, 400, machines...) })
	}
}
