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

// Reasons not to read a repository.
var (
	ErrNoRepository = errors.New("not in a git repository")
	ErrForeign      = errors.New("it belongs to another user")
	ErrElsewhere    = errors.New("its objects are in an unsupported place")
	ErrReftable     = errors.New("its branches are stored in an unsupported format (reftable)")
)

const (
	maxShallow    = 1 << 20
	maxAlternates = 64 << 10
	maxDepth      = 5 // of nested alternates, as in git
)

// Repo is a repository being read. Only one can be read at a time, because they share the scratch directory.
type Repo struct {
	git     *Git
	id      project.Identity
	gitDir  string // of the working tree: contains HEAD and index
	objects string
	env     []string // additional environment for git

	Refs    Refs
	shallow map[string]bool // commits whose parents are missing
}

// Open checks the repository of a working tree, and reads where its branches are. It runs nothing in the repository.
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
		return nil, fmt.Errorf("read the shallow commits: %w", err)
	}
	for line := range strings.Lines(string(shallow)) {
		if hash := strings.TrimSpace(line); isHash(hash) { // copy nothing else from the repository
			r.shallow[hash] = true
		}
	}
	return r, g.makeDir(len(r.Refs.any()) == sha256Len, slices.Sorted(maps.Keys(r.shallow)))
}

// mine checks that a directory exists and belongs to this user: git would not read others either (safe.directory).
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

// alternates refuses a repository with objects in other places, unless these are directories of the same user on this
// machine.
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

// odd reports whether a path is a device, or would be read over a network.
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
