package githistory

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepmum/project"
	"keepmum/safefile"
)

// Why a repository is not read.
var (
	ErrNoRepository = errors.New("not in a git repository")
	ErrForeign      = errors.New("it belongs to another user")
	ErrElsewhere    = errors.New("its objects are in a place that is not read")
	ErrReftable     = errors.New("its branches are kept in a form that is not read (reftable)")
)

const (
	maxShallow    = 1 << 20
	maxAlternates = 64 << 10
	maxDepth      = 5 // of alternates of alternates, as git has it
)

// Repo is a repository that is being read. Only one at a time can be: they
// share the scratch directory.
type Repo struct {
	git     *Git
	id      project.Identity
	gitDir  string // of the working tree: its HEAD and its index
	objects string
	env     []string // what else git is told

	Refs    Refs
	shallow map[string]bool // commits whose parents are not here
}

// Open looks at the repository of a working tree, and reads where its branches
// stand. Nothing of it is run.
func (g *Git) Open(id project.Identity) (*Repo, error) {
	if id.CommonDir == "" {
		return nil, ErrNoRepository
	}
	r := &Repo{git: g, id: id, gitDir: gitDirOf(id), objects: filepath.Join(id.CommonDir, "objects"),
		shallow: map[string]bool{}}
	for _, dir := range []string{id.Root, id.CommonDir, r.objects} {
		if err := mine(dir); err != nil {
			return nil, err
		}
	}
	if err := alternates(r.objects, 0); err != nil {
		return nil, err
	}
	var err error
	if r.Refs, err = readRefs(id.CommonDir, r.gitDir); err != nil {
		return nil, err
	}
	shallow, err := safefile.Read(filepath.Join(id.CommonDir, "shallow"), maxShallow)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read where the history was cut off: %w", err)
	}
	for line := range strings.Lines(string(shallow)) {
		if hash := strings.TrimSpace(line); isHash(hash) { // nothing else of the repository comes into our directory
			r.shallow[hash] = true
		}
	}
	return r, g.lay(len(r.Refs.any()) == sha256Len, slices.Sorted(maps.Keys(r.shallow)))
}

// mine reports whether a directory is one, and this user's: of others git would
// not read either (safe.directory).
func mine(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return ErrNoRepository
	case !owned(info):
		return ErrForeign
	}
	return nil
}

// alternates refuses a repository whose objects are in other places as well,
// unless these are directories of the same user on this machine.
func alternates(objects string, depth int) error {
	text, err := safefile.Read(filepath.Join(objects, "info", "alternates"), maxAlternates)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || depth == maxDepth {
		return ErrElsewhere
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\n"); line == "" || line[0] == '#' {
			continue
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(objects, line)
		}
		if odd(line) || mine(line) != nil {
			return ErrElsewhere
		}
		if err := alternates(line, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// odd knows places that are devices, or that a look at would bring in over a network.
func odd(path string) bool {
	if strings.HasPrefix(path, `"`) || strings.HasPrefix(path, "//") || strings.HasPrefix(path, `\\`) {
		return true
	}
	path = filepath.ToSlash(filepath.Clean(path)) + "/"
	for _, place := range []string{"/dev/", "/proc/", "/sys/", "/net/", "/run/", "/afs/"} {
		if strings.HasPrefix(path, place) {
			return true
		}
	}
	return false
}
