package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

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

// checkRenamed names the projects whose folder was beside this repository and is gone: without a remote, a repository
// in a renamed folder is another project. They may also have been deleted, so this is no warning.
func (a *app) checkRenamed(ctx context.Context, dir home.Dir, s *api.Status) (finding, bool) {
	var list api.ProjectList
	if s == nil || api.NewClient(string(dir), "").Get(ctx, "/projects", nil, &list) != nil {
		return finding{}, false
	}
	return renamed(project.Of(a.hereOrNowhere()), list.Projects, time.Now())
}

const (
	renamedFor = 30 * 24 * time.Hour // how long a project counts as new
	maxRenamed = 5                   // projects that are named
)

func renamed(here project.Identity, all []api.Project, now time.Time) (finding, bool) {
	if here.CommonDir == "" || here.Remote != "" {
		return finding{}, false
	}
	created := now
	if i := slices.IndexFunc(all, func(p api.Project) bool { return slices.Contains(p.Directories, here.Root) }); i >= 0 {
		created = all[i].Created
	}
	if now.Sub(created) > renamedFor {
		return finding{}, false
	}
	all = slices.DeleteFunc(slices.Clone(all), func(p api.Project) bool {
		gone := goneFolder(p)
		beside := gone != "" && filepath.Dir(gone) == filepath.Dir(here.Root)
		return p.Entries == 0 || !beside || p.Last.After(created) // both were in use
	})
	if len(all) == 0 {
		return finding{}, false
	}
	slices.SortStableFunc(all, func(p, q api.Project) int { return q.Last.Compare(p.Last) })
	var names []string
	for _, p := range all[:min(len(all), maxRenamed)] {
		names = append(names, fmt.Sprintf("%s, the folder of project %s with %s, is gone", goneFolder(p), p.Name,
			plural(p.Entries, "entry", "entries")))
	}
	which := "it"
	if len(names) > 1 {
		which = "one of them"
	}
	return finding{Check: "project", State: stateOK, Detail: strings.Join(names, "; "),
		Fix: fmt.Sprintf("if you renamed %s to %s: mum project --help says how to join the two", which,
			filepath.Base(here.Root))}, true
}
