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

// passwords is where the members' password file lies; libpq finds it by PGPASSFILE.
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
	pgtest.Main(m)
}

// wire is a connection to the server that can be cut.
type wire struct {
	l     net.Listener
	to    string
	cut   atomic.Bool
	after atomic.Int64 // bytes until it cuts by itself; 0 = never
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

func (n *node) now() time.Time { return time.Now().Add(n.skew) }

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

// newCluster makes a team in which each member has some machines, and all share one project.
func newCluster(t testing.TB, machines ...int) *cluster {
	t.Helper()
	ctx := context.Background()
	c := &cluster{t: t, admin: pgtest.Database(t)}
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
	u.Host = n.wire.l.Addr().String()
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

// passworded puts the password of a DSN where libpq finds it.
func passworded(t testing.TB, text string) string {
	t.Helper()
	dsn, err := ParseDSN(text)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(passwords, "pgpass")
	if _, err := dsn.KeepPassword("", func(string) string { return file }); err != nil {
		t.Fatal(err)
	}
	return text
}

// testPlace keeps memories in the index alone.
type testPlace struct {
	db          *store.DB
	gate        *privacy.Gate
	project     int64
	own, theirs int64
	now         func() time.Time
	killed      error // what Put ends with after it kept everything
}

func (p *testPlace) root(t testing.TB, path string, kind store.RootKind, cloned bool) int64 {
	t.Helper()
	r, err := p.db.PutMemoryRoot(context.Background(), p.project, kind, p.word(path), cloned)
	if err != nil {
		t.Fatal(err)
	}
	return r.ID
}

func (p *testPlace) word(s string) privacy.Clean {
	c, _ := p.gate.Text(s)
	return c
}

func (p *testPlace) rows(ctx context.Context, root int64) ([]store.MemoryRow, error) {
	return p.db.Memories(ctx, store.MemoryFilter{Root: root, AnyState: true})
}

func (p *testPlace) file(m store.MemoryRow) store.MemoryFile {
	return store.MemoryFile{Name: p.word(m.Name), Path: p.word(m.Path), Form: p.word(m.Form), Kind: p.word(m.Kind),
		State: m.State, Confidence: m.Confidence, Origin: p.word(m.Origin), Title: p.word(m.Title), Body: p.word(m.Body()),
		Created: time.UnixMilli(m.Created), Updated: time.UnixMilli(m.Updated)}
}

func (p *testPlace) content(m store.MemoryRow) Content {
	return Content{Form: p.word(m.Form), Kind: p.word(m.Kind), Title: p.word(m.Title),
		Body: p.word(m.Body()), State: p.word(string(m.State)), Confidence: m.Confidence, Created: m.Created,
		Updated: m.Updated}
}

func (p *testPlace) Items(ctx context.Context, _ int64) ([]Local, error) {
	rows, err := p.rows(ctx, p.own)
	var out []Local
	for _, m := range rows {
		out = append(out, Local{Ref: "m/" + m.Name, Kind: privacy.Const(KindMemory), Content: p.content(m)})
	}
	return out, err
}

// change rewrites a tree: files by name, nil = removed.
func (p *testPlace) change(ctx context.Context, root int64, by map[string]*store.MemoryFile) error {
	rows, err := p.rows(ctx, root)
	if err != nil {
		return err
	}
	var files []store.MemoryFile
	for _, m := range rows {
		if _, changed := by[m.Name]; !changed {
			files = append(files, p.file(m))
		}
	}
	for _, f := range by {
		if f != nil {
			files = append(files, *f)
		}
	}
	_, err = p.db.IndexMemories(ctx, root, files, store.IndexOptions{})
	return err
}

func (p *testPlace) Put(ctx context.Context, _ int64, in []Incoming) ([]Local, error) {
	out := make([]Local, len(in))
	for i, x := range in {
		root, name, ref := p.theirs, idText(x.ID), "t/"+idText(x.ID)
		if x.Mine {
			root, name = p.own, strings.TrimPrefix(x.Ref, "m/")
			if name == "" {
				var err error
				if name, err = p.free(ctx, x); err != nil {
					return nil, err
				}
			}
			ref = "m/" + name
		}
		c := x.Content
		state := store.MemoryState(c.State)
		if x.Conflict {
			state = store.MemoryArchived
		}
		f := &store.MemoryFile{Name: p.word(name), Path: p.word("learnings/" + name + ".md"), Form: p.word(c.Form),
			Kind: p.word(c.Kind), State: state, Confidence: c.Confidence, Origin: p.word("team"), Title: p.word(c.Title),
			Body: p.word(c.Body), Created: time.UnixMilli(c.Created), Updated: time.UnixMilli(c.Updated)}
		if err := p.change(ctx, root, map[string]*store.MemoryFile{name: f}); err != nil {
			return nil, err
		}
		rows, err := p.db.Memories(ctx, store.MemoryFilter{Root: root, Name: name, AnyState: true})
		if err != nil {
			return nil, err
		}
		if len(rows) == 1 {
			out[i] = Local{Ref: ref, Kind: privacy.Const(KindMemory), Content: p.content(rows[0])}
		}
	}
	return out, p.killed
}

// free is the name under which something is kept: its own, where nothing else has it.
func (p *testPlace) free(ctx context.Context, in Incoming) (string, error) {
	c := in.Content
	rows, err := p.rows(ctx, p.own)
	slug := strings.ReplaceAll(c.Title, " ", "-")
	name := slug
	for try := 0; ; try++ {
		at := slices.IndexFunc(rows, func(m store.MemoryRow) bool { return m.Name == name })
		if at < 0 || rows[at].Title == c.Title && rows[at].Body() == c.Body &&
			in.Conflict == (rows[at].State == store.MemoryArchived) {
			return name, err
		}
		name = fmt.Sprintf("%s-%d", slug, try+2)
	}
}

func (p *testPlace) Forget(ctx context.Context, _ int64, gone []Gone) error {
	own, theirs := map[string]*store.MemoryFile{}, map[string]*store.MemoryFile{}
	for _, g := range gone {
		if name, ok := strings.CutPrefix(g.Ref, "m/"); ok {
			own[name] = nil
		}
		theirs[idText(g.ID)] = nil
	}
	if err := p.change(ctx, p.own, own); err != nil {
		return err
	}
	return p.change(ctx, p.theirs, theirs)
}

func (p *testPlace) Drop(ctx context.Context, _ int64) error {
	_, err := p.db.IndexMemories(ctx, p.theirs, nil, store.IndexOptions{})
	return err
}

func (p *testPlace) Silence(ctx context.Context, project int64, _ string) error {
	return p.Drop(ctx, project)
}

// write is what a user does: a memory is made or its body changed.
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

// forget is what a user does: the tombstone is noted first.
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

// view is what a machine knows: "state title: body" of its own and of others.
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
