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

// watchEvery is how often the trees are looked at. A look is one stat for each
// memory, and there are hundreds of them at most; that finds what editors do in any of their
// ways (in place, by renaming a copy), on every file system, where the events of
// the system are lost on network drives and cost a handle for each directory.
const watchEvery = 2 * time.Second

// look is what a tree was like when it was last looked at.
type look struct {
	print   uint64
	settled bool // it was the same at two looks
}

// watchMemories keeps the index true to the files that people edit, until ctx ends.
func (d *Daemon) watchMemories(ctx context.Context) error {
	seen := map[int64]look{}
	for {
		if err := d.lookAtMemories(ctx, seen); err != nil && ctx.Err() == nil {
			d.log.Warn("the memories were not looked at", "error", err)
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

// lookAtMemories reads the trees that are not as they were seen. A file that is
// not there counts as gone only at the second look: some editors take a file away
// before they put the new one in its place.
func (d *Daemon) lookAtMemories(ctx context.Context, seen map[int64]look) error {
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return err
	}
	for _, r := range roots {
		before, now := seen[r.ID], look{print: fingerprint(d.rootDir(r))}
		if before.settled && before.print == now.print {
			continue
		}
		now.settled = before.print == now.print
		if err := d.reread(ctx, r, store.IndexOptions{KeepMissing: !now.settled}); err != nil {
			return err
		}
		seen[r.ID] = now
	}
	return nil
}

// reread indexes a tree that changed. One that cannot be read now is left as it
// was: a repository on a drive that is not mounted forgets nothing.
func (d *Daemon) reread(ctx context.Context, r store.MemoryRoot, o store.IndexOptions) error {
	out, err := d.reindexRoot(ctx, r, o)
	if errors.Is(err, errNoTree) {
		d.log.Debug("a tree of memories is passed over", "root", r.ID, "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	for _, b := range out.Broken {
		d.log.Warn("a memory cannot be read, and is passed over", "root", r.ID, "file", b.Path, "line", b.Line, "reason",
			b.Why)
	}
	if out.Added+out.Changed+out.Removed == 0 {
		return nil
	}
	d.log.Info("memories read", "root", r.ID, "added", out.Added, "changed", out.Changed, "removed", out.Removed)
	return d.regenerate(ctx, r)
}

// fingerprint tells whether the memories of a tree changed, by names, sizes and
// times alone.
func fingerprint(tree string) uint64 {
	h := fnv.New64a()
	for _, dir := range []string{"decisions", "learnings", "archived"} {
		// what cannot be read is part of the print
		_ = filepath.WalkDir(filepath.Join(tree, dir), func(path string, e fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				_, _ = io.WriteString(h, path+"\x00"+err.Error()) // a hash takes everything
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
