package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepmum/api"
	"keepmum/atomicfile"
	"keepmum/config"
	"keepmum/privacy"
	"keepmum/project"
	"keepmum/safefile"
	"keepmum/store"
)

// memoryDir is the directory of memories in a repository.
const memoryDir = ".mum/memory"

// Values of memory.scope.
const (
	scopeProjectOnly = "project_only"
	scopeGlobalOnly  = "global_only"
)

// rootDir returns the directory of a tree.
func (d *Daemon) rootDir(r store.MemoryRoot) string {
	if r.Kind == store.RootRepo {
		return r.Path
	}
	return filepath.Join(string(d.o.Home), filepath.FromSlash(r.Path))
}

// rootOf returns the tree to which the memories of a project are written, and creates its row.
func (d *Daemon) rootOf(ctx context.Context, project int64) (store.MemoryRoot, error) {
	r, err := d.whereTo(ctx, project)
	if err != nil || r.ID != 0 {
		return r, err
	}
	path, _ := d.intake.Gate().Text(r.Path)
	return d.db.PutMemoryRoot(ctx, r.Project, r.Kind, path, false)
}

// whereTo does the same without creating the row: the tree is in the repository if the user added it, otherwise in the
// data directory; without a project it is the global tree. The row's id is zero if nothing was ever written to the
// tree.
func (d *Daemon) whereTo(ctx context.Context, project int64) (store.MemoryRoot, error) {
	scope := d.o.Config.Memory.Scope
	want := store.MemoryRoot{Project: project, Kind: store.RootHome}
	if project == store.NoProject || project == store.NoProjectRow {
		if scope == scopeProjectOnly {
			return want, failure(api.Conflict, "memory.scope is project_only, and this directory is not in a project",
				"mum project add")
		}
		scope = scopeGlobalOnly
	}
	rel, err := filepath.Rel(string(d.o.Home), d.o.Home.ProjectMemory(project))
	want.Path = filepath.ToSlash(rel)
	if scope == scopeGlobalOnly {
		want = store.MemoryRoot{Project: store.NoProjectRow, Kind: store.RootGlobal, Path: filepath.Base(d.o.Home.Memory())}
	}
	if err != nil {
		return want, err
	}
	roots, err := d.db.MemoryRoots(ctx)
	for _, r := range roots { // trees in repositories come first
		if r.Project == want.Project && (r.Kind != store.RootRepo || isDir(topOf(r.Path))) {
			return r, nil
		}
	}
	return want, err
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// readable returns the projects whose memories are shown for one project: its own, and the global ones if the scope
// includes them. nil means all projects.
func (d *Daemon) readable(project int64) []int64 {
	switch scope := d.o.Config.Memory.Scope; {
	case scope == scopeGlobalOnly:
		return []int64{store.NoProjectRow}
	case project == 0:
		return nil
	case scope == scopeProjectOnly:
		return []int64{project}
	}
	return []int64{project, store.NoProjectRow}
}

// everywhere reports whether a search in a project also shows global memories.
func (d *Daemon) everywhere() bool { return d.o.Config.Memory.Scope != scopeProjectOnly }

// projectDir returns a directory in which memories may be stored.
func (d *Daemon) projectDir(dir string) (root string, tree privacy.Clean, err error) {
	if !filepath.IsAbs(dir) || !isDir(dir) {
		return "", tree, failure(api.Invalid, "directory must be an absolute path of a directory", "mum project add")
	}
	id := project.Of(dir).Root
	for _, no := range []string{filepath.Dir(id), d.o.UserHome, string(d.o.Home)} {
		if id == filepath.Clean(no) || strings.HasPrefix(id, string(d.o.Home)+string(filepath.Separator)) {
			return "", tree, failure(api.Invalid, "that directory is not in a project", "mum project add, in the repository")
		}
	}
	path := filepath.Join(id, memoryDir)
	tree, found := d.intake.Gate().Text(path)
	if len(found) > 0 || tree.String() != path {
		return "", tree, failure(api.Invalid, "the path of that directory looks like it contains a secret",
			"rename the directory")
	}
	if !staysIn(id, path) {
		return "", tree, failure(api.Invalid, memoryDir+" leads out of the repository",
			"check where the symbolic link points")
	}
	if _, err := config.LoadRepo(id); err != nil {
		return "", tree, failure(api.Conflict, "the repository's .mum/config.toml is broken", "fix .mum/config.toml")
	}
	return id, tree, nil
}

// staysIn reports whether a path below a directory stays below it: a cloned repository could contain a symbolic link to
// someone's keys.
func staysIn(dir, path string) bool {
	for at := path; at != dir; at = filepath.Dir(at) {
		if info, err := os.Lstat(at); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return false
		}
	}
	return true
}

// follow moves the files of a tree to another directory, one by one. If the destination has a different file of the
// same name, both are kept where they are. It returns the number of moved files, without the lists.
func follow(from, to string) (moved int, err error) {
	err = filepath.WalkDir(from, func(path string, e os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) && path == from {
			return nil
		}
		if err != nil || !e.Type().IsRegular() || !strings.HasSuffix(path, ".md") {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if !staysIn(to, filepath.Join(to, rel)) {
			return failure(api.Conflict, "a directory in "+to+" is a symbolic link", "check where it points")
		}
		ok, err := moveFile(path, filepath.Join(to, rel))
		if ok && !isList(path) { // nobody wrote a list
			moved++
		}
		return err
	})
	return moved, err
}

// isList reports whether a file is generated from the memories next to it.
func isList(path string) bool {
	return slices.Contains([]string{"index.md", "hot-memory.md"}, filepath.Base(path))
}

func moveFile(from, to string) (bool, error) {
	data, err := safefile.Read(from, maxMemoryFile)
	if err != nil {
		return false, err
	}
	if _, err := os.Lstat(to); err == nil {
		there, err := safefile.Read(to, maxMemoryFile)
		if isList(from) || err == nil && bytes.Equal(there, data) { // a list is generated again
			return false, os.Remove(from)
		}
		return false, nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return false, err
	}
	if err := atomicfile.Write(to, data, 0o600); err != nil {
		return false, fmt.Errorf("move a memory: %w", err)
	}
	return true, os.Remove(from)
}
