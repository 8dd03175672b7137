package daemon

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
)

// postMemoryImport imports an older tree of memories.
func (d *Daemon) postMemoryImport(c echo.Context) error {
	var in api.MemoryImport
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	if !filepath.IsAbs(in.From) || !isDir(in.From) && !isFile(in.From) {
		return failure(api.Invalid, "from must be the absolute path of a directory or a file",
			"mum memory import --help")
	}
	unhurried(c)
	ctx := c.Request().Context()
	out := api.MemoryImported{Added: []api.Memory{}, Refused: []api.MemoryBroken{}}
	if isFile(in.From) {
		if err := d.importFile(ctx, in, &out); err != nil {
			return err
		}
		return c.JSON(http.StatusOK, out)
	}
	parts, err := importParts(in)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err := d.importTree(ctx, part, &out); err != nil {
			return err
		}
	}
	return c.JSON(http.StatusOK, out)
}

// importParts returns the trees to import, each with its destination: an export contains global memories separately
// from those of a project.
func importParts(in api.MemoryImport) ([]api.MemoryImport, error) {
	names, err := memory.Trees(in.From)
	if err != nil || len(names) == 0 || in.Global {
		return []api.MemoryImport{in}, err
	}
	var out []api.MemoryImport
	projects := 0
	for _, name := range names {
		part := in
		part.From = filepath.Join(in.From, name)
		if part.Global = name == memory.Everywhere; !part.Global {
			projects++
		}
		out = append(out, part)
	}
	if projects > 1 {
		return nil, failure(api.Invalid,
			"it contains the memories of several projects ("+strings.Join(names, ", ")+"): import one at a time",
			"mum memory import "+out[0].From+" --project NAME")
	}
	return out, nil
}

// importTree imports one tree.
func (d *Daemon) importTree(ctx context.Context, in api.MemoryImport, out *api.MemoryImported) error {
	t, err := d.treeToImport(ctx, in)
	if err != nil {
		return err
	}
	done, err := t.Import(in.From, d.stamp(privacy.Const("import")))
	return d.imported(ctx, t, in.From, done, err, out)
}

// rowsOf returns the index rows of some files.
func (d *Daemon) rowsOf(ctx context.Context, t memoryTree, files []memory.Memory) ([]api.Memory, error) {
	rows, err := d.db.Memories(ctx, store.MemoryFilter{Root: t.root.ID, AnyState: true})
	if err != nil {
		return nil, err
	}
	paths := map[string]bool{}
	for _, m := range files {
		paths[m.Path] = true
	}
	out := []api.Memory{}
	for i := range rows {
		if paths[rows[i].Path] {
			out = append(out, d.wireMemory(&rows[i]))
		}
	}
	return out, nil
}

// getMemoryExport returns the files of the trees after they passed the gate.
func (d *Daemon) getMemoryExport(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "project", "directory"); err != nil {
		return err
	}
	unhurried(c)
	ctx := c.Request().Context()
	at, err := d.placeOf(ctx, q.Get("project"), q.Get("directory"))
	if err != nil {
		return err
	}
	names, err := d.projectNames(ctx)
	if err != nil {
		return err
	}
	out := api.MemoryExport{Files: []api.MemoryFile{}}
	out.Unread, err = d.memoryFiles(ctx, func(t memoryTree, path string, text []byte) error {
		if !at.shows(t.root.Project) {
			return nil
		}
		rel, err := filepath.Rel(t.Root(), path)
		if err != nil {
			return err
		}
		fields := t.gate.Event(
			privacy.Raw{Fields: map[string]string{"text": string(text), "path": filepath.ToSlash(rel)}}).Fields
		out.Files = append(out.Files,
			api.MemoryFile{Project: names[t.root.Project], Path: fields["path"].String(), Text: fields["text"].String()})
		return nil
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

func (p place) shows(project int64) bool {
	if p.projects == nil {
		return true
	}
	for _, id := range p.projects {
		if id == project {
			return true
		}
	}
	return false
}

func (d *Daemon) projectNames(ctx context.Context) (map[int64]string, error) {
	rows, err := d.db.Projects(ctx)
	out := map[int64]string{}
	for _, r := range rows {
		out[r.ID] = r.Name
	}
	return out, err
}

// postMemoryReset removes all memories of a scope, files and index. It leaves no tombstones, so the same may be learned
// again from the sessions.
func (d *Daemon) postMemoryReset(c echo.Context) error {
	var in api.MemoryReset
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	unhurried(c)
	ctx := c.Request().Context()
	roots, err := d.resetRoots(ctx, in)
	if err != nil {
		return err
	}
	out := api.MemoryResetDone{Dirs: []string{}, DryRun: in.DryRun}
	for _, r := range roots {
		rows, err := d.db.Memories(ctx, store.MemoryFilter{Root: r.ID, AnyState: true})
		if err != nil {
			return err
		}
		out.Memories += len(rows)
		out.Dirs = append(out.Dirs, d.rootDir(r))
		if in.DryRun {
			out.First = append(out.First, d.wireMemories(rows[:min(len(rows), maxFirst-len(out.First))])...)
			continue
		}
		if err := d.resetRoot(ctx, r); err != nil {
			return memoryError(err)
		}
	}
	return c.JSON(http.StatusOK, out)
}

func (d *Daemon) resetRoots(ctx context.Context, in api.MemoryReset) ([]store.MemoryRoot, error) {
	if in.Scope != "project" && in.Scope != "global" && in.Scope != "both" {
		return nil, failure(api.Invalid, "scope must be project, global or both", "mum memory reset --scope project --yes")
	}
	project := store.NoProject
	if in.Scope != "global" {
		at, err := d.placeOf(ctx, in.Project, in.Directory)
		if err != nil {
			return nil, err
		}
		if at.project <= 0 {
			return nil, failure(api.NotFound, "there is no such project", "mum project list")
		}
		project = at.project
	}
	all, err := d.db.MemoryRoots(ctx)
	var out []store.MemoryRoot
	for _, r := range all {
		if r.Project == project || in.Scope != "project" && r.Project == store.NoProjectRow {
			out = append(out, r)
		}
	}
	return out, err
}

// resetRoot removes the contents of a tree: only our own directories, nothing that a person put next to them.
func (d *Daemon) resetRoot(ctx context.Context, r store.MemoryRoot) error {
	t, err := d.openTree(r)
	if err != nil {
		return err
	}
	for _, name := range []string{"decisions", "learnings", "summaries", "archived", "index.md", "hot-memory.md"} {
		if err := os.RemoveAll(filepath.Join(t.Root(), name)); err != nil {
			return err
		}
	}
	_, err = d.reindexRoot(ctx, r, store.IndexOptions{})
	return err
}
