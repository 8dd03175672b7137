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

// newExcluded reads the globs. One that is none is an error: which project it
// was to keep out is unknown.
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

// ProjectGlob reads a glob of capture.exclude_projects.
func ProjectGlob(written, home string) (pathglob.Glob, error) {
	g, err := pathglob.Read(written, home)
	g.Path = strings.TrimSuffix(g.Path, "/*") // all in it is the folder itself
	if g.Path == "" {
		g.Path = "**"
	}
	if err == nil && strings.HasPrefix(g.Path, "!") {
		err = fmt.Errorf("%w: nothing can be let in again here", pathglob.ErrNowhere)
	}
	return g, err
}

// has reports whether work in dir is excluded: a glob matches that directory,
// the top of its repository, the repository that its worktree is of, a parent
// of one of them, or what the project is called.
func (e excluded) has(dir string, id project.Identity) bool {
	return slices.ContainsFunc(e, func(glob string) bool {
		return slices.ContainsFunc([]string{dir, id.Root, repository(id), id.Name},
			func(place string) bool { return under(glob, place) })
	})
}

// repository is the directory that holds git's own: of a worktree its repository.
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
