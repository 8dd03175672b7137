package capture

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"keepmum/privacy/pathglob"
	"keepmum/privacy/patience"
	"keepmum/privacy/shell"
	"keepmum/project"
)

// excluded are the globs of capture.exclude_projects.
type excluded []string

// newExcluded parses the globs. A malformed glob is an error, because it is unknown which project it should exclude.
func newExcluded(globs []string, home string) (excluded, error) {
	var out excluded
	fs := patience.New()
	for _, written := range globs {
		g, err := ProjectGlob(written, home)
		switch {
		case errors.Is(err, pathglob.ErrNowhere):
		case err != nil:
			return nil, fmt.Errorf("capture.exclude_projects: %q is %w", written, err)
		default:
			out = append(out, g.Anywhere())
			if real := g.Real(fs); real != g {
				out = append(out, real.Anywhere())
			}
		}
	}
	return out, nil
}

// ProjectGlob parses a glob of capture.exclude_projects.
func ProjectGlob(written, home string) (pathglob.Glob, error) {
	g, err := pathglob.Read(written, home)
	g.Path = strings.TrimSuffix(g.Path, "/*") // all files in a folder means the folder itself
	if g.Path == "" {
		g.Path = "**"
	}
	if err == nil && strings.HasPrefix(g.Path, "!") {
		err = fmt.Errorf("%w: an exclusion cannot be undone here", pathglob.ErrNowhere)
	}
	return g, err
}

// has reports whether work in dir is excluded: whether a glob matches that directory, the top of its repository, the
// repository of its worktree, a parent of one of these, or the project's name.
func (e excluded) has(dir string, id project.Identity) bool {
	return slices.ContainsFunc(e, func(glob string) bool {
		return slices.ContainsFunc([]string{dir, id.Root, repository(id), id.Name},
			func(place string) bool { return under(glob, place) })
	})
}

// repository returns the directory that contains the repository's own .git directory, also for a worktree.
func repository(id project.Identity) string {
	if id.CommonDir == "" {
		return ""
	}
	return filepath.Dir(id.CommonDir)
}

// under reports whether place or one of its parents matches glob.
func under(glob, place string) bool {
	if place == "" {
		return false
	}
	for place = path.Clean(strings.ToLower(shell.Slashes(place))); ; {
		if doublestar.MatchUnvalidated(glob, place) {
			return true
		}
		parent := path.Dir(place)
		if parent == place || parent == "." {
			return false
		}
		place = parent
	}
}
