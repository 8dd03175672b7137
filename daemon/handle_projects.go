package daemon

import (
	"context"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/privacy"
	"keepmum/store"
)

func (d *Daemon) getProjects(c echo.Context) error {
	if err := onlyParams(c.QueryParams()); err != nil {
		return err
	}
	projects, err := d.projects(c.Request().Context())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.ProjectList{Projects: projects})
}

func (d *Daemon) projects(ctx context.Context) ([]api.Project, error) {
	rows, err := d.db.Projects(ctx)
	if err != nil {
		return nil, err
	}
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return nil, err
	}
	memories, err := d.db.Memories(ctx, store.MemoryFilter{})
	if err != nil {
		return nil, err
	}
	out := make([]api.Project, len(rows))
	for i, r := range rows {
		out[i] = d.wireProject(r, roots)
		for _, m := range memories {
			if m.Project == r.ID {
				out[i].Memories++
			}
		}
	}
	return out, nil
}

func (d *Daemon) wireProject(r store.ProjectRow, roots []store.MemoryRoot) api.Project {
	p := api.Project{ID: r.ID, Name: r.Name, Directories: []string{}, Entries: r.Docs,
		Last: time.UnixMilli(r.Last).UTC(), Created: time.UnixMilli(r.Created).UTC(),
		MemoryDir: d.o.Home.ProjectMemory(r.ID)}
	for _, a := range r.Aliases {
		if a.Kind == store.AliasDir {
			p.Directories = append(p.Directories, a.Value)
		}
	}
	for _, root := range slices.Backward(roots) { // trees in repositories come first and have priority
		if root.Project == r.ID {
			p.MemoryDir, p.Added = d.rootDir(root), root.Kind == store.RootRepo
			p.Missing = p.Added && !isDir(topOf(p.MemoryDir))
		}
	}
	return p
}

// topOf returns the repository of a tree of memories.
func topOf(tree string) string { return filepath.Dir(filepath.Dir(tree)) }

func (d *Daemon) project(ctx context.Context, id int64) (api.Project, error) {
	all, err := d.projects(ctx)
	if err != nil {
		return api.Project{}, err
	}
	for _, p := range all {
		if p.ID == id {
			return p, nil
		}
	}
	return api.Project{}, failure(api.NotFound, "there is no project with that number", "mum project list")
}

// postProject stores the memories of a project in its repository from now on.
func (d *Daemon) postProject(c echo.Context) error {
	var in api.ProjectAdd
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	top, tree, err := d.projectDir(in.Directory)
	if err != nil {
		return err
	}
	out, err := d.addProject(c.Request().Context(), top, tree)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

func (d *Daemon) addProject(ctx context.Context, top string, tree privacy.Clean) (api.ProjectAdded, error) {
	of := d.intake.Project(top)
	out := api.ProjectAdded{Root: top, Git: !of.CommonDir.IsZero()}
	id, err := d.db.PutProject(ctx, projectRef(of))
	if err != nil {
		return out, err
	}
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return out, err
	}
	out.New = !slices.ContainsFunc(roots, func(r store.MemoryRoot) bool { return r.Path == tree.String() })
	if out.New {
		if out.Moved, err = d.settle(ctx, id, tree, roots); err != nil {
			return out, err
		}
	}
	if _, err := d.db.PutMemoryRoot(ctx, id, store.RootRepo, tree, false); err != nil {
		return out, err
	}
	if err := d.reindexProject(ctx, id); err != nil {
		return out, err
	}
	rows, err := d.db.Memories(ctx, store.MemoryFilter{Projects: []int64{id}, AnyState: true})
	for _, m := range rows {
		if m.Cloned {
			out.Foreign++
		}
	}
	if err != nil {
		return out, err
	}
	out.Project, err = d.project(ctx, id)
	return out, err
}

// settle takes existing memories of a project along: it moves those in the data directory into the repository, and
// updates the path of a repository that was moved.
func (d *Daemon) settle(ctx context.Context, project int64, tree privacy.Clean,
	roots []store.MemoryRoot) (moved int, err error) {
	for _, r := range roots {
		if r.Project != project || r.Kind == store.RootRepo && isDir(topOf(r.Path)) {
			continue
		}
		if r.Kind == store.RootHome {
			if err := d.checkMove(r, tree); err != nil {
				return 0, err
			}
			if moved, err = follow(d.rootDir(r), tree.String()); err != nil {
				return moved, err
			}
		}
		return moved, d.db.MoveMemoryRoot(ctx, r.ID, store.RootRepo, tree)
	}
	return 0, nil
}

// checkMove returns an error if a tree in a repository has another memory with the id or the file name of one in the
// data directory: one would take the place of the other.
func (d *Daemon) checkMove(home store.MemoryRoot, tree privacy.Clean) error {
	ours, err := d.openTree(home)
	if err != nil {
		return memoryError(err)
	}
	theirs, err := d.openTree(store.MemoryRoot{Kind: store.RootRepo, Path: tree.String()})
	if err != nil {
		return memoryError(err)
	}
	own, err := ours.Load()
	if err != nil {
		return err
	}
	ids, files := map[string]string{}, map[string]string{}
	for _, m := range own.Memories() {
		ids[m.ID], files[m.Path] = m.Hash, m.Hash
	}
	found, err := theirs.Load()
	for _, m := range slices.Concat(found.Memories(), found.Twins) {
		other := func(hash string) bool { return hash != "" && hash != m.Hash }
		switch id, file := other(ids[m.ID]), other(files[m.Path]); {
		case id && file:
			return inTheWay(theirs.Shown(m.Path), "id and the file name",
				`give it another id (its line "id: …") and another file name, or remove it`)
		case id:
			return inTheWay(theirs.Shown(m.Path), "id", `give it another id (its line "id: …") or remove it`)
		case file:
			return inTheWay(theirs.Shown(m.Path), "file name", "rename or remove it")
		}
	}
	for _, b := range found.Broken {
		if !b.Twin && files[b.Path] != "" {
			return inTheWay(b.Path, "file name", "rename or remove it")
		}
	}
	return err
}

func inTheWay(file, what, change string) error {
	return failure(api.Conflict, file+" in the repository has the "+what+" of one of your memories, "+
		"and says something else: nothing was moved", change+", then mum project add")
}

// postProjectRemove stores new memories of a project in the data directory again. The tree in the repository is kept,
// but no longer read.
func (d *Daemon) postProjectRemove(c echo.Context) error {
	id, err := d.idOf(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	p, err := d.project(ctx, id)
	if err != nil {
		return err
	}
	if !p.Added {
		return failure(api.Conflict, "the memories of that project are not in its repository", "mum project list")
	}
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return err
	}
	for _, r := range roots {
		if r.Project == id && r.Kind == store.RootRepo {
			if err := d.db.DropMemoryRoot(ctx, r.ID); err != nil {
				return err
			}
		}
	}
	out := api.ProjectRemoved{MemoryDir: p.MemoryDir, Memories: p.Memories}
	if out.Project, err = d.project(ctx, id); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}
