package connect

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"keepmum/atomicfile"
	"keepmum/hooks"
	"keepmum/sorting"
)

// Plan is what will change, and what the user should know about it.
type Plan struct {
	Changes []Change
	Notes   []string

	place    hooks.Place
	manifest manifest
	now      time.Time
	install  bool // our scripts are needed
}

// Change is the change of one file.
type Change struct {
	Agent  string
	Path   string
	Before []byte // nil = there is no file
	After  []byte // nil = the file is removed

	record *Record // new record in the manifest; nil = the record is removed
	base   []byte  // the file without our entries
	whole  bool    // the file belongs to us completely
	dirs   []string
}

// Real reports whether the bytes of the file change.
func (c Change) Real() bool { return !same(c.Before, c.After) }

// About reports whether the plan changes a file of an agent.
func (p Plan) About(agent string) bool {
	return slices.ContainsFunc(p.Changes, func(c Change) bool { return c.Agent == agent && c.Real() })
}

// Empty reports whether no file changes.
func (p Plan) Empty() bool {
	return !slices.ContainsFunc(p.Changes, Change.Real)
}

// Diff returns the plan as a unified diff. For a file that belongs to us completely it shows only the size.
func (p Plan) Diff() string {
	var b bytes.Buffer
	for _, c := range p.Changes {
		switch {
		case !c.Real():
		case c.whole:
			fmt.Fprintf(&b, "--- %s\n+++ %s\n# %d lines, a file of keepmum's own\n", name(c.Path, c.Before),
				name(c.Path, c.After), lines(c))
		default:
			b.Write(diff.Diff(name(c.Path, c.Before), c.Before, name(c.Path, c.After), c.After))
		}
	}
	return b.String()
}

// lines returns how many lines a change adds or removes.
func lines(c Change) int {
	return max(bytes.Count(c.Before, []byte("\n")), bytes.Count(c.After, []byte("\n")))
}

// name returns the path of a file as a diff names it.
func name(path string, content []byte) string {
	if content == nil {
		return os.DevNull
	}
	return path
}

// Apply carries out the plan. If a file has changed since the plan was made, it returns a conflict and writes nothing.
func (p Plan) Apply() error {
	for _, c := range p.Changes {
		cur, err := read(c.Path)
		if err != nil {
			return err
		}
		if !same(cur, c.Before) {
			return fmt.Errorf("%w: %s changed while the plan was made", ErrConflict, c.Path)
		}
	}
	if p.install {
		if err := p.installScripts(); err != nil {
			return err
		}
	}
	for _, c := range p.Changes {
		if err := p.apply(c); err != nil {
			return fmt.Errorf("%s: %w", c.Agent, err)
		}
	}
	p.removeDirs()
	if len(p.manifest.Edits) == 0 {
		return p.removeScripts()
	}
	return nil
}

// apply changes one file. It writes the manifest first: after a crash in between, the manifest has a record of an edit
// that was not made, which disconnect detects. An edit without a record could not be undone.
func (p *Plan) apply(c Change) error {
	if c.record == nil {
		if err := c.write(); err != nil {
			return err
		}
		return p.manifest.drop(c.Path)
	}
	r := *c.record
	r.Before, r.After, r.At = sum(c.base), sum(c.After), p.now.UTC()
	r.Undo, r.Dirs = undoOf(c.base, c.After), missingDirs(c.Path)
	if old, ok := p.manifest.find(c.Path); ok {
		r.Dirs = append(r.Dirs, old.Dirs...)
	}
	if err := p.manifest.put(r); err != nil {
		return err
	}
	return c.write()
}

func (c Change) write() error {
	if !c.Real() {
		return nil
	}
	if c.After == nil {
		return os.Remove(c.Path)
	}
	if err := os.MkdirAll(filepath.Dir(c.Path), 0o755); err != nil {
		return err
	}
	// Dotfiles are often links into a repository; the link must be kept.
	path, err := filepath.EvalSymlinks(c.Path)
	if errors.Is(err, fs.ErrNotExist) {
		path, err = c.Path, nil
	}
	if err != nil {
		return err
	}
	return atomicfile.Write(path, c.After, modeOf(path))
}

// modeOf returns the mode of a file, or 0600 for a new one: agents store keys in these files.
func modeOf(path string) fs.FileMode {
	if info, err := os.Stat(path); err == nil {
		return info.Mode().Perm()
	}
	return 0o600
}

// missingDirs returns the directories that writing path will create, innermost first.
func missingDirs(path string) []string {
	var dirs []string
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dirs
		}
		dirs = append(dirs, dir)
	}
}

// removeDirs removes the directories that we created, innermost first, unless they contain something.
func (p Plan) removeDirs() {
	var dirs []string
	for _, c := range p.Changes {
		dirs = append(dirs, c.dirs...)
	}
	sorting.Stable(dirs, func(a, b string) int { return len(b) - len(a) })
	for _, dir := range dirs {
		_ = os.Remove(dir) // fails if the directory is not empty
	}
}

func scriptPath(p hooks.Place) string { return filepath.Join(p.Home, "hooks", "mum-hook.sh") }

func (p Plan) installScripts() error {
	path := scriptPath(p.place)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(path, p.place.HookScript(), 0o700)
}

func (p Plan) removeScripts() error {
	err := os.Remove(scriptPath(p.place))
	_ = os.Remove(filepath.Dir(scriptPath(p.place)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
