package daemon

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/safefile"
)

// setAsideName matches what a restore leaves next to the files it restores: the old database and old trees of memories.
// Earlier versions used the word bad.
var setAsideName = lazyregexp.New(
	`^(?:projects/[0-9]+/)?memory(?:\.db)?\.(?:(?:replaced|bad)[0-9]*|restored)(?:-wal|-shm)?(?:/|$)`)

func (d *Daemon) isSetAside(path string) bool {
	rel, err := filepath.Rel(string(d.o.Home), path)
	return err == nil && setAsideName.MatchString(filepath.ToSlash(rel))
}

// removeSetAside removes files that a restore set aside and that contain something that must go: a database with its
// log, or a single file of a tree. It returns what was removed, and the rest of found.
func (d *Daemon) removeSetAside(found []string) (removed, left []string, err error) {
	for _, path := range found {
		if !d.isSetAside(path) {
			left = append(left, path)
			continue
		}
		paths := []string{path}
		if strings.HasPrefix(filepath.Base(path), "memory.db.") {
			whole := strings.TrimSuffix(strings.TrimSuffix(path, "-wal"), "-shm")
			paths = []string{whole, whole + "-wal", whole + "-shm"}
		}
		for _, p := range paths {
			rerr := os.Remove(p)
			if rerr == nil && p == paths[0] {
				removed = append(removed, p)
			}
			if rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
				err = errors.Join(err, rerr)
			}
		}
	}
	return removed, left, err
}

// setAside lists what restores have left.
func (d *Daemon) setAside() (out []string, err error) {
	for _, pattern := range []string{"memory.db.*", "memory.*", "projects/*/memory.*"} {
		paths, gerr := safefile.Glob(string(d.o.Home), pattern)
		err = errors.Join(err, gerr)
		out = append(out, paths...)
	}
	return slices.DeleteFunc(out, func(p string) bool { return !d.isSetAside(p) }), err
}
