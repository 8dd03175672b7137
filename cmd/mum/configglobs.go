package main

import (
	"errors"
	"path/filepath"
	"strings"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/privacy/pathglob"
)

// tellGlobs prints what each glob of the settings matches, and warns about one that matches nothing, because whoever
// wrote it relies on it.
func (a *app) tellGlobs(c config.Config) {
	for _, written := range c.Capture.ExcludeProjects {
		g, err := capture.ProjectGlob(written, a.userHome)
		a.tellGlob("capture.exclude_projects", g, err, "")
	}
	a.tellPaths(c.Privacy.ExcludePaths)
}

func (a *app) tellPaths(globs []string) {
	for _, written := range globs {
		text, allow := strings.CutPrefix(strings.TrimSpace(written), "!")
		g, err := pathglob.Read(text, a.userHome)
		g.Written = written
		does := ""
		if allow {
			does = "lets in "
		}
		a.tellGlob("privacy.exclude_paths", g, err, does)
	}
}

func (a *app) tellGlob(setting string, g pathglob.Glob, err error, does string) {
	g.Written = a.clean(g.Written)
	if err != nil {
		a.printf("warning: %s: %q: %s\n", setting, g.Written, a.clean(err.Error()))
		return
	}
	a.printf("%s: %q: %s%s\n", setting, g.Written, does, a.clean(g.String()))
	if found, bad := filepath.Glob(filepath.FromSlash(g.Path)); g.Rooted() && !strings.Contains(g.Path, "**") &&
		len(found) == 0 && !errors.Is(bad, filepath.ErrBadPattern) {
		a.printf("warning: %s: %q: nothing is there now\n", setting, g.Written)
	}
}
