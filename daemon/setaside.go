package daemon

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/memory"
	"keepmum/safefile"
	"keepmum/store"
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
	return slices.DeleteFunc(out, func(p string) bool { return !d.isSetAside(p) || !holdsFiles(p) }), err
}

// holdsFiles reports whether a path is a file or a directory with a file in it; what cannot be read may have one.
func holdsFiles(path string) (holds bool) {
	_ = filepath.WalkDir(path, func(_ string, e fs.DirEntry, err error) error {
		if holds = err != nil || !e.IsDir(); holds {
			return fs.SkipAll
		}
		return nil
	})
	return holds
}

// forgetSetAside removes from the trees that a restore set aside what tells of the memories and sessions of a plan, and
// the lists of a tree that lost something. It returns what was removed.
func (d *Daemon) forgetSetAside(ctx context.Context, plan store.ForgetPlan) (removed []string, err error) {
	paths, err := d.setAside()
	if err != nil {
		return nil, err
	}
	rows, err := d.db.Memories(ctx, store.MemoryFilter{IDs: notNil(plan.Memories), AnyState: true})
	if err != nil {
		return nil, err
	}
	for _, dir := range paths {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			continue // a database is removed if it contains one of the texts
		}
		telling, err := d.tellingIn(dir, plan, rows)
		if err != nil {
			return removed, err
		}
		for _, path := range telling {
			err := os.Remove(path)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return removed, err
			}
			if err == nil {
				removed = append(removed, path)
			}
		}
	}
	return removed, nil
}

// tellingIn returns the files of a tree that was set aside that tell of what a plan removes.
func (d *Daemon) tellingIn(dir string, plan store.ForgetPlan, rows []store.MemoryRow) ([]string, error) {
	if err := ownTree(string(d.o.Home), dir); err != nil {
		return nil, nil //nolint:nilerr // another user's files are not ours to remove
	}
	tree, err := memory.Open(dir, d.intake.Gate())
	if err != nil {
		return nil, err
	}
	list, err := tree.Load()
	if err != nil {
		return nil, err
	}
	out, err := holders(dir, piecesOf(rows))
	if err != nil {
		return nil, err
	}
	at := func(rel string) string { return filepath.Join(dir, filepath.FromSlash(rel)) }
	for _, s := range list.Summaries {
		if saidIn(plan, s.Agent+"/"+s.Session) {
			out = append(out, at(s.Path))
		}
	}
	for _, m := range append(list.Memories(), list.Twins...) { // which of two was the memory is not known any more
		if tellsOf(m, plan, rows) {
			out = append(out, at(m.Path))
		}
	}
	if len(out) > 0 {
		out = append(out, memory.Lists(dir)...)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// saidIn reports whether a session, written agent/native, is one of a plan.
func saidIn(plan store.ForgetPlan, session string) bool {
	return slices.Contains(plan.From, session) || slices.ContainsFunc(plan.Read, func(r store.Read) bool {
		return r.Agent+"/"+r.Native == session
	})
}

// tellsOf reports whether a memory in a tree that was set aside is one that a plan removes, or was learned from what it
// removes.
func tellsOf(m memory.Memory, plan store.ForgetPlan, rows []store.MemoryRow) bool {
	same := func(row store.MemoryRow) bool { return row.Name == m.ID && row.Title == m.Title }
	return slices.ContainsFunc(rows, same) || slices.ContainsFunc(m.Sources, func(o memory.Origin) bool {
		_, id := store.Place(o.Ref)
		return saidIn(plan, o.Session) && (id == 0 || slices.Contains(plan.Docs, id))
	})
}
