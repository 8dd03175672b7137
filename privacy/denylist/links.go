package denylist

import (
	"os"
	"path"
	"path/filepath"
	"runtime"

	"keepmum/privacy/shell"
)

// Links remembers where paths lead, so that events that are read together look each directory up once. A link that is
// changed later is not noticed, so it must not be kept longer than such a reading.
type Links struct{ known map[string]place }

// place is where a path leads.
type place struct {
	real   string
	exists bool
}

const maxPlaces = 1 << 14 // paths; a few hundred bytes each

// NewLinks returns a Links that knows nothing yet.
func NewLinks() *Links { return &Links{map[string]place{}} }

// above returns the nearest directory of a path that is known, or the root, and the names that lead from there to the
// path.
func (l *Links) above(full string) (dir string, at place, names []string) {
	for dir = full; ; {
		if at, known := l.known[dir]; known {
			return dir, at, names
		}
		up := filepath.Dir(dir)
		if up == dir {
			return dir, place{dir, true}, names
		}
		names = append([]string{filepath.Base(dir)}, names...)
		dir = up
	}
}

// put remembers the places on the way from a directory.
func (l *Links) put(dir string, names []string, places []place) {
	if len(l.known) >= maxPlaces {
		clear(l.known)
	}
	for i, name := range names {
		dir = filepath.Join(dir, name)
		l.known[dir] = places[i]
	}
}

// walk resolves one name after another.
func (p place) walk(names []string) []place {
	out := make([]place, 0, len(names))
	for _, name := range names {
		p = p.below(name)
		out = append(out, p)
	}
	return out
}

// below resolves a name in a directory. A link that leads nowhere stays as it is, like a file that does not exist.
func (p place) below(name string) place {
	full := filepath.Join(p.real, name)
	if !p.exists {
		return place{full, false}
	}
	info, err := os.Lstat(full)
	if err != nil {
		return place{full, false}
	}
	if info.Mode()&os.ModeSymlink == 0 && runtime.GOOS != "windows" { // where a name may also be a short one
		return place{full, true}
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		return place{full, false}
	}
	return place{real, true}
}

// followed resolves symbolic links, even of a file that does not exist in a directory that does.
func followed(full string) string {
	_, root, names := NewLinks().above(full)
	return root.end(root.walk(names))
}

// end returns the last of the places on the way from here, as paths are compared.
func (p place) end(way []place) string {
	if len(way) > 0 {
		p = way[len(way)-1]
	}
	return path.Clean(shell.Slashes(p.real))
}
