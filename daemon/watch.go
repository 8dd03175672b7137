package daemon

import (
	"context"
	"errors"
	"hash/fnv"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"keepmum/store"
)

// watchEvery is how often the trees are checked for changes. A check calls stat once for each memory, of which there
// are some hundreds at most. It detects every way in which editors save (in place, by renaming a copy) on every file
// system. File system events would be lost on network drives and need a handle for each directory.
const watchEvery = 2 * time.Second

// look is the state of a tree at the last check.
type look struct {
	print   uint64
	settled bool // it was the same at two checks
}

// watchMemories keeps the index in step with the files that people edit, until ctx ends.
func (d *Daemon) watchMemories(ctx context.Context) error {
	seen := map[int64]look{}
	for {
		if err := d.lookAtMemories(ctx, seen); err != nil && ctx.Err() == nil {
			d.log.Warn("the memories could not be checked", "error", err)
		}
		d.flushAccess(ctx)
		select {
		case <-ctx.Done():
			d.flushAccess(context.WithoutCancel(ctx))
			return nil
		case <-time.After(watchEvery):
		}
	}
}

// lookAtMemories reads the trees that have changed. A missing file counts as removed only at the second check: some
// editors remove a file before they write the new one.
func (d *Daemon) lookAtMemories(ctx context.Context, seen map[int64]look) error {
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, r := range roots {
		before, now := seen[r.ID], look{print: fingerprint(d.rootDir(r))}
		if before.settled && before.print == now.print {
			continue
		}
		now.settled = before.print == now.print
		if err := d.reread(ctx, r, store.IndexOptions{KeepMissing: !now.settled}); err != nil {
			failed = append(failed, err) // the other trees can be read
			continue
		}
		seen[r.ID] = now
	}
	return errors.Join(failed...)
}

// reread indexes a tree that changed. A tree that cannot be read is left as it is, so that a repository on an unmounted
// drive does not lose its memories.
func (d *Daemon) reread(ctx context.Context, r store.MemoryRoot, o store.IndexOptions) error {
	out, err := d.reindexRoot(ctx, r, o)
	if outOfReach(err) {
		d.log.Debug("a tree of memories is skipped", "root", r.ID, "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	for _, b := range out.Broken {
		d.log.Warn("a memory cannot be read and is skipped", "root", r.ID, "file", b.Path, "line", b.Line, "reason",
			b.Why)
	}
	if out.Added+out.Changed+out.Removed == 0 {
		return nil
	}
	d.log.Info("memories read", "root", r.ID, "added", out.Added, "changed", out.Changed, "removed", out.Removed)
	return d.regenerate(ctx, r)
}

// fingerprint identifies the state of a tree by names, sizes and times.
func fingerprint(tree string) uint64 {
	h := fnv.New64a()
	for _, dir := range []string{"decisions", "learnings", "archived"} {
		// an error is part of the fingerprint
		_ = filepath.WalkDir(filepath.Join(tree, dir), func(path string, e fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				_, _ = io.WriteString(h, path+"\x00"+err.Error()) // writing to a hash cannot fail
				return fs.SkipDir
			case !e.Type().IsRegular() || !strings.HasSuffix(path, ".md"):
				return nil
			}
			if info, err := e.Info(); err == nil {
				_, _ = io.WriteString(h,
					path+"\x00"+strconv.FormatInt(info.Size(), 10)+"\x00"+strconv.FormatInt(info.ModTime().UnixNano(), 10)+"\x00")
			}
			return nil
		})
	}
	return h.Sum64()
}
