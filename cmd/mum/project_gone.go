package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"keepmum/api"
	"keepmum/home"
	"keepmum/project"
)

// goneFolder returns a folder of a project of which no folder exists any more; "" = one exists, or none is known.
func goneFolder(p api.Project) string {
	there := func(dir string) bool {
		_, err := os.Lstat(dir)
		return !errors.Is(err, fs.ErrNotExist)
	}
	if len(p.Directories) == 0 || slices.ContainsFunc(p.Directories, there) {
		return ""
	}
	return p.Directories[len(p.Directories)-1]
}

// checkRenamed names a project whose folder was beside this repository and is gone: without a remote, a repository in a
// renamed folder is another project. It may also have been deleted, so this is no warning.
func (a *app) checkRenamed(ctx context.Context, dir home.Dir, s *api.Status) (finding, bool) {
	var list api.ProjectList
	if s == nil || api.NewClient(string(dir), "").Get(ctx, "/projects", nil, &list) != nil {
		return finding{}, false
	}
	return renamed(project.Of(a.hereOrNowhere()), list.Projects)
}

func renamed(here project.Identity, all []api.Project) (finding, bool) {
	if here.CommonDir == "" || here.Remote != "" {
		return finding{}, false
	}
	for _, p := range all {
		gone := goneFolder(p)
		if gone == "" || p.Entries == 0 || filepath.Dir(gone) != filepath.Dir(here.Root) {
			continue
		}
		return finding{Check: "project", State: stateOK,
			Detail: fmt.Sprintf("%s, the folder of project %s with %s, is gone", gone, p.Name,
				plural(p.Entries, "entry", "entries")),
			Fix: "if you renamed it to " + filepath.Base(here.Root) + ": mum project --help says how to join the two"}, true
	}
	return finding{}, false
}
