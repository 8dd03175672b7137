package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/safefile"
	"keepmum/store"
)

// memoryTree is a tree of memories with the rules of its directory.
type memoryTree struct {
	*memory.Tree
	root store.MemoryRoot
	gate *privacy.Gate
}

// errNoTree means that a tree cannot be read now: its repository was moved, or its config is broken. Its index entries
// are kept.
var errNoTree = errors.New("the memories of this project cannot be read at the moment")

func (d *Daemon) openTree(r store.MemoryRoot) (memoryTree, error) {
	dir, gate := d.rootDir(r), d.intake.Gate()
	if r.Kind == store.RootRepo {
		top := topOf(dir)
		if !isDir(top) {
			return memoryTree{}, fmt.Errorf("%w: %s does not exist", errNoTree, top)
		}
		if !staysIn(top, dir) {
			return memoryTree{}, fmt.Errorf("%w: %s leads out of the repository", errNoTree, dir)
		}
		if gate = d.intake.GateAt(top); gate == nil {
			return memoryTree{}, fmt.Errorf("%w: .mum/config.toml of %s is broken", errNoTree, top)
		}
	} else if err := ownTree(string(d.o.Home), dir); err != nil {
		return memoryTree{}, fmt.Errorf("%w: %w", errNoTree, err)
	}
	t, err := memory.Open(dir, gate)
	out := memoryTree{t, r, gate}
	if err == nil {
		t.Claim(func(id string) error { return d.claim(r, id) })
		t.Placed(func() (func(memory.Memory) bool, error) { return d.placed(out) })
	}
	return out, err
}

// ownTree returns an error if another user may control a directory of memories in the data directory: what is in there
// is told as this user's.
func ownTree(home, dir string) error {
	for at := dir; at != home && at != filepath.Dir(at); at = filepath.Dir(at) {
		if err := safefile.OwnLinkedDir(at); err != nil {
			return err
		}
	}
	return nil
}

// claim records that a memory in a repository is this user's. Elsewhere all are.
func (d *Daemon) claim(r store.MemoryRoot, id string) error {
	if r.Kind != store.RootRepo {
		return nil
	}
	return d.db.ClaimMemory(context.Background(), r.Project, id)
}

// placed returns what reports whether a memory was in its file when the tree was indexed. A file with the same id
// that appears later, as with a pull, does not take its place. The index has the path as the gate left it.
func (d *Daemon) placed(t memoryTree) (func(m memory.Memory) bool, error) {
	paths, err := d.db.MemoryPaths(context.Background(), t.root.ID)
	return func(m memory.Memory) bool {
		f := t.gate.Event(privacy.Raw{Dir: t.Root(), Fields: map[string]string{"id": m.ID, "path": m.Path}}).Fields
		path, known := paths[f["id"].String()]
		return known && path == f["path"].String()
	}, err
}

// passes holds a lock for each tree, because a tree on a drive that hangs must not hold up the others.
type passes struct{ locks sync.Map }

func (p *passes) of(root int64) *sync.Mutex {
	lock, _ := p.locks.LoadOrStore(root, &sync.Mutex{})
	return lock.(*sync.Mutex) //nolint:forcetypeassert // only locks are stored
}

// reindexed is the result of reading a tree.
type reindexed struct {
	store.MemoryChanges
	Broken []memory.Broken
}

// reindexRoot updates the index of a tree from its files. All text passes the gate first, so a key that someone pasted
// into a file stays in that file. One pass runs at a time: one with an older list of files would remove a memory that
// was written meanwhile, and the next pass would give it another number.
func (d *Daemon) reindexRoot(ctx context.Context, r store.MemoryRoot, o store.IndexOptions) (reindexed, error) {
	pass := d.passes.of(r.ID)
	pass.Lock()
	defer pass.Unlock()
	t, err := d.openTree(r)
	if err != nil {
		return reindexed{}, err
	}
	l, err := t.Load()
	d.noteClosed(r, err)
	if err != nil {
		return reindexed{}, err
	}
	out := reindexed{Broken: l.Broken}
	for _, b := range l.Broken {
		if !b.Twin {
			o.Unread = append(o.Unread, b.Path)
		}
	}
	var files []store.MemoryFile
	for _, m := range l.Memories() {
		files = append(files, indexFile(t, m))
	}
	out.MemoryChanges, err = d.db.IndexMemories(ctx, r.ID, files, o)
	d.skipped.Store(r.ID, slices.DeleteFunc(slices.Clone(l.Broken), func(b memory.Broken) bool {
		return !b.Twin && !slices.ContainsFunc(out.Unread, func(p string) bool {
			return p == b.Path || strings.HasPrefix(p, b.Path+"/")
		})
	}))
	return out, err
}

// noteClosed remembers why a directory of memories could not be read, so that the status says it.
func (d *Daemon) noteClosed(r store.MemoryRoot, err error) {
	if err != nil {
		d.closed.Store(r.ID, err)
	} else {
		d.closed.Delete(r.ID)
	}
}

// outOfReach reports whether a tree cannot be read now, for a reason that the status names: then others still are.
func outOfReach(err error) bool { return errors.Is(err, errNoTree) || errors.Is(err, fs.ErrPermission) }

// indexFile returns the index entry of a memory.
func indexFile(t memoryTree, m memory.Memory) store.MemoryFile {
	g, dir, root := t.gate, t.Root(), t.root
	fields := map[string]string{"id": m.ID, "path": m.Path, "form": string(m.Primitive), "kind": string(m.Kind),
		"origin": m.Source, "label": m.Key,
		"title": m.Title, "body": m.Body, "superseded_by": m.SupersededBy}
	// a memory in a repository changes with the checkout
	if branch := m.On(); branch != "" && root.Kind == store.RootHome {
		fields["branch"] = branch
		list(fields, "instead", m.Supersedes)
	} else {
		m.Supersedes = nil
	}
	list(fields, "tag", m.Tags)
	for i, l := range m.Links {
		fields[item("link", i)] = l.To
	}
	for i, s := range m.Sources {
		fields[item("session", i)], fields[item("ref", i)] = s.Session, s.Ref
	}
	c := g.Event(privacy.Raw{Dir: dir, Fields: fields})
	f := c.Fields
	out := store.MemoryFile{Name: f["id"], Path: f["path"], Form: f["form"], Kind: f["kind"], State: stateOf(m),
		Pinned: m.Pinned, Confidence: m.Confidence, Origin: f["origin"], Title: f["title"], Body: f["body"],
		SupersededBy: f["superseded_by"], Created: m.Created, Updated: m.Updated, Said: m.Said(), Findings: c.Findings,
		Key: f["label"]}
	for i := range m.Supersedes {
		out.Instead = append(out.Instead, f[item("instead", i)])
	}
	out.Branch = f["branch"]
	for _, t := range m.Times() {
		out.Times = append(out.Times, store.Span(t))
	}
	for i := range m.Tags {
		out.Tags = append(out.Tags, f[item("tag", i)])
	}
	for i, l := range m.Links {
		out.Links = append(out.Links, store.MemoryLink{As: string(l.As), To: f[item("link", i)]})
	}
	for i := range m.Sources {
		out.Sources = append(out.Sources, store.MemorySource{Session: f[item("session", i)], Ref: f[item("ref", i)]})
	}
	return out
}

func item(name string, i int) string { return fmt.Sprintf("%s.%d", name, i) }

func list(fields map[string]string, name string, values []string) {
	for i, v := range values {
		fields[item(name, i)] = v
	}
}

func stateOf(m memory.Memory) store.MemoryState {
	switch {
	case m.SupersededBy != "":
		return store.MemorySuperseded
	case m.Archived:
		return store.MemoryArchived
	}
	return store.MemoryActive
}

// reindexProject reads the trees of a project again.
func (d *Daemon) reindexProject(ctx context.Context, project int64) error {
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return err
	}
	for _, r := range roots {
		if r.Project != project {
			continue
		}
		if _, err := d.reindexRoot(ctx, r, store.IndexOptions{}); err != nil && !errors.Is(err, errNoTree) {
			return err
		}
	}
	return nil
}

// written updates everything that is derived from a tree after a change.
func (d *Daemon) written(ctx context.Context, r store.MemoryRoot) error {
	if _, err := d.reindexRoot(ctx, r, store.IndexOptions{}); err != nil {
		return err
	}
	d.teamwork.soon()
	if err := d.closeProposals(ctx, r); err != nil {
		return err
	}
	return d.regenerate(ctx, r)
}

// regenerate writes index.md and hot-memory.md of a tree.
func (d *Daemon) regenerate(ctx context.Context, r store.MemoryRoot) error {
	t, err := d.openTree(r)
	if err != nil {
		return err
	}
	access, err := d.accessOf(ctx, r.ID)
	if err != nil {
		return err
	}
	_, err = t.Regenerate(access, d.o.Now(), d.decay())
	return err
}

// accessOf returns when the memories of a tree were last used, by id.
func (d *Daemon) accessOf(ctx context.Context, root int64) (map[string]time.Time, error) {
	out := map[string]time.Time{}
	if root == 0 {
		return out, nil // nothing was ever written to it
	}
	rows, err := d.db.Memories(ctx, store.MemoryFilter{Root: root, AnyState: true})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if r.Accessed > 0 {
			out[r.Name] = time.UnixMilli(r.Accessed)
		}
	}
	return out, nil
}

func (d *Daemon) decay() memory.Decay {
	c := d.o.Config.Memory.Decay
	day := 24 * time.Hour
	return memory.Decay{Off: !c.Enabled, Period: time.Duration(c.PeriodDays) * day,
		Grace: time.Duration(c.GraceDays) * day, MaxActive: d.o.Config.Memory.MaxActive,
		Floor: c.ConfidenceFloor, ArchiveThreshold: c.ArchiveThreshold}
}

// findTree opens the tree of a root.
func (d *Daemon) findTree(ctx context.Context, root int64) (memoryTree, error) {
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return memoryTree{}, err
	}
	for _, r := range roots {
		if r.ID == root {
			return d.openTree(r)
		}
	}
	return memoryTree{}, store.ErrNotFound
}

// fileOf returns the path of a memory's file.
func (d *Daemon) fileOf(m store.MemoryRow) string {
	dir := d.rootDir(store.MemoryRoot{Kind: m.RootKind, Path: m.RootPath})
	return path.Join(strings.ReplaceAll(dir, `\`, "/"), m.Path)
}

// stamp returns the author and time for a change.
func (d *Daemon) stamp(by privacy.Clean) memory.Stamp { return memory.Stamp{Now: d.o.Now(), By: by} }
