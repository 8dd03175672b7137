package team

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"keepmum/privacy"
	"keepmum/store"
	"keepmum/team/pgtest"
)

// passwords is the directory of the members' password file; libpq finds it through PGPASSFILE.
var passwords string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "mum-pass")
	if err == nil {
		err = os.Setenv("PGPASSFILE", filepath.Join(dir, "pgpass"))
	}
	if err != nil {
		panic(err)
	}
	passwords = dir
	pgtest.Main(m, dir)
}

// wire is a connection to the server that can be cut.
type wire struct {
	l     net.Listener
	to    string
	cut   atomic.Bool
	after atomic.Int64 // bytes until it cuts on its own; 0 = never
	mu    sync.Mutex
	open  []net.Conn
}

func newWire(t testing.TB, to string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{l: l, to: to}
	t.Cleanup(func() { _ = l.Close(); w.drop() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go w.carry(c)
		}
	}()
	return w
}

func (w *wire) carry(c net.Conn) {
	if w.cut.Load() {
		_ = c.Close()
		return
	}
	up, err := net.Dial("tcp", w.to)
	if err != nil {
		_ = c.Close()
		return
	}
	w.mu.Lock()
	w.open = append(w.open, c, up)
	w.mu.Unlock()
	left := w.after.Swap(0)
	limited := left > 0
	var budget atomic.Int64
	budget.Store(left)
	pipe := func(dst, src net.Conn) {
		buf := make([]byte, 4096)
		for {
			n, err := src.Read(buf)
			if n > 0 {
				if limited && budget.Add(-int64(n)) < 0 {
					break
				}
				if _, err := dst.Write(buf[:n]); err != nil {
					break
				}
			}
			if err != nil {
				break
			}
		}
		_, _ = dst.Close(), src.Close()
	}
	go pipe(up, c)
	pipe(c, up)
}

func (w *wire) drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.open {
		_ = c.Close()
	}
	w.open = nil
}

// node is one machine: its own database, place and clock.
type node struct {
	t       testing.TB
	dir     string
	dsn     string
	machine string
	member  string
	wire    *wire
	gate    *privacy.Gate
	db      *store.DB
	place   *testPlace
	s       *Syncer
	skew    time.Duration
	project int64
}

const projectKey = "git.example/acme/shop"

// told is the latest millisecond that any node was told.
var told atomic.Int64

// now tells no two callers the same millisecond: of two versions with the same one, the name of the machine decides,
// and no test could say which is later.
func (n *node) now() time.Time {
	for {
		last := told.Load()
		if at := max(last+1, time.Now().UnixMilli()); told.CompareAndSwap(last, at) {
			return time.UnixMilli(at).Add(n.skew)
		}
	}
}

func (n *node) open() {
	n.t.Helper()
	ctx := context.Background()
	db, err := store.Open(ctx, store.Options{Path: filepath.Join(n.dir, "memory.db"), Now: n.now})
	if err != nil {
		n.t.Fatal(err)
	}
	n.db = db
	id, err := db.PutProject(ctx, store.Project{Name: privacy.Const("shop")})
	if err != nil {
		n.t.Fatal(err)
	}
	n.project = id
	n.place = &testPlace{db: db, gate: n.gate, project: id, now: n.now}
	n.place.own = n.place.root(n.t, "projects/1", store.RootHome, false)
	n.place.theirs = n.place.root(n.t, "team/1", store.RootTeam, true)
	n.s = New(Options{DB: db, Place: n.place, Gate: n.gate, Now: n.now})
}

func (n *node) close() {
	n.t.Helper()
	if err := n.db.Close(); err != nil {
		n.t.Fatal(err)
	}
}

// cluster is a team of nodes around one database.
type cluster struct {
	t     testing.TB
	admin string
	nodes []*node
}

// newCluster creates a team in which each member has some machines, and all share one project.
func newCluster(t testing.TB, machines ...int) *cluster {
	t.Helper()
	return newClusterAt(t, pgtest.Database(t), machines...)
}

// newClusterAt creates it in an existing database. If the DSN names several servers, connections cannot be cut.
func newClusterAt(t testing.TB, owner string, machines ...int) *cluster {
	t.Helper()
	ctx := context.Background()
	c := &cluster{t: t, admin: owner}
	a := c.openAdmin()
	defer a.Close()
	if err := a.Init(ctx, "acme"); err != nil {
		t.Fatal(err)
	}
	for i, n := range machines {
		inv, err := a.Invite(ctx, "", fmt.Sprintf("member%d", i))
		if err != nil {
			t.Fatal(err)
		}
		for j := range n {
			c.join(inv.DSN, inv.Name, fmt.Sprintf("machine%d", j))
		}
	}
	return c
}

func (c *cluster) openAdmin() *Admin {
	c.t.Helper()
	dsn, err := ParseDSN(c.admin)
	if err != nil {
		c.t.Fatal(err)
	}
	a, err := OpenAdmin(context.Background(), dsn)
	if err != nil {
		c.t.Fatal(err)
	}
	return a
}

func (c *cluster) join(dsn, member, machine string) *node {
	c.t.Helper()
	gate, err := privacy.New(privacy.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	u, err := url.Parse(dsn)
	if err != nil {
		c.t.Fatal(err)
	}
	n := &node{t: c.t, dir: c.t.TempDir(), machine: machine, member: member, gate: gate, wire: newWire(c.t, u.Host)}
	if u.Host != "" {
		u.Host = n.wire.l.Addr().String()
	}
	n.dsn = u.String()
	n.open()
	c.t.Cleanup(func() { n.close() })
	ctx := context.Background()
	if _, err := n.s.Join(ctx, passworded(c.t, n.dsn), machine); err != nil {
		c.t.Fatal(err)
	}
	key, _ := gate.Text(projectKey)
	if err := n.s.Share(ctx, n.project, key, time.Time{}); err != nil {
		c.t.Fatal(err)
	}
	c.nodes = append(c.nodes, n)
	return n
}

// passworded writes the password of a DSN to where libpq finds it.
func passworded(t testing.TB, text string) string {
	t.Helper()
	dsn, err := ParseDSN(text)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(passwords, "pgpass")
	if _, _, err := dsn.KeepPassword("", func(string) string { return file }); err != nil {
		t.Fatal(err)
	}
	return text
}

// write does what a user does: add a memory or change its body.
func (n *node) write(title, body string) {
	n.t.Helper()
	name := strings.ReplaceAll(title, " ", "-")
	f := &store.MemoryFile{Name: n.place.word(name), Path: n.place.word("learnings/" + name + ".md"),
		Form: privacy.Const("learning"), Kind: privacy.Const("fact"), State: store.MemoryActive, Confidence: 0.9,
		Origin: privacy.Const("cli"), Title: n.place.word(title), Body: n.place.word(body), Created: n.now(),
		Updated: n.now()}
	if err := n.place.change(context.Background(), n.place.own, map[string]*store.MemoryFile{name: f}); err != nil {
		n.t.Fatal(err)
	}
}

// forget does what a user does: the tombstone is written first.
func (n *node) forget(m store.MemoryRow) {
	n.t.Helper()
	ctx := context.Background()
	t, _, err := n.db.Team(ctx)
	if err != nil {
		n.t.Fatal(err)
	}
	err = n.db.ForgetShared(ctx, []store.TeamForgotten{{Ref: n.s.RefMAC("m/" + m.Name),
		Graves: Graves(t.Key, m.Title, m.Body())}})
	if err == nil {
		err = n.place.change(ctx, n.place.own, map[string]*store.MemoryFile{m.Name: nil})
	}
	if err != nil {
		n.t.Fatal(err)
	}
}

// sync runs a round that must succeed.
func (n *node) sync() Report {
	n.t.Helper()
	r, err := n.s.Round(context.Background())
	if err != nil {
		n.t.Fatalf("%s/%s: %v", n.member, n.machine, err)
	}
	return r
}

// view returns what a machine knows: "state title: body", its own items and others'.
func (n *node) view() []string {
	n.t.Helper()
	var out []string
	for _, root := range []int64{n.place.own, n.place.theirs} {
		rows, err := n.place.rows(context.Background(), root)
		if err != nil {
			n.t.Fatal(err)
		}
		for _, m := range rows {
			out = append(out, fmt.Sprintf("%s %s: %s", m.State, m.Title, m.Body()))
		}
	}
	slices.Sort(out)
	return out
}
