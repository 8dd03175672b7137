package daemon

import (
	"context"
	"errors"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"keepmum/store"
)

// watchEvery is how often the trees are looked at. A look is one stat for each
// file of some small directories; that finds what editors do in any of their
// ways (in place, by renaming a copy), on every file system, where the events of
// the system are lost on network drives and cost a handle for each directory.
const watchEvery = 2 * time.Second

// watchMemories keeps the index true to the files that people edit, until ctx ends.
func (d *Daemon) watchMemories(ctx context.Context) error {
	seen := map[int64]uint64{}
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

// lookAtMemories reads the trees that are not as they were seen.
func (d *Daemon) lookAtMemories(ctx context.Context, seen map[int64]uint64) error {
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return err
	}
	for _, r := range roots {
		now := fingerprint(d.rootDir(r))
		if before, ok := seen[r.ID]; ok && before == now {
			continue
		}
		if err := d.reread(ctx, r); err != nil {
			return err
		}
		seen[r.ID] = now
	}
	return nil
}

// reread indexes a tree that changed. One that cannot be read now is left as it
// was: a repository on a drive that is not mounted forgets nothing.
func (d *Daemon) reread(ctx context.Context, r store.MemoryRoot) error {
	out, err := d.reindexRoot(ctx, r, false)
	if errors.Is(err, errNoTree) {
		d.log.Debug("a tree of memories is passed over", "root", r.ID, "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	for _, b := range out.Broken {
		d.log.Warn("a memory cannot be read, and is passed over", "root", r.ID, "file", b.Path, "line", b.Line, "reason", b.Why)
	}
	if out.Added+out.Changed+out.Removed == 0 {
		return nil
	}
	d.log.Info("memories read", "root", r.ID, "added", out.Added, "changed", out.Changed, "removed", out.Removed)
	return d.regenerate(ctx, r)
}

// memoryDirs are the directories of a tree that hold memories.
func memoryDirs() []string {
	return []string{"decisions", "learnings", "archived/decisions", "archived/learnings"}
}

// fingerprint tells whether a tree changed, by names, sizes and times alone.
func fingerprint(tree string) uint64 {
	h := fnv.New64a()
	for _, dir := range memoryDirs() {
		entries, err := os.ReadDir(filepath.Join(tree, dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			_, _ = io.WriteString(h, err.Error()) // a hash takes everything
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil || info.IsDir() || !strings.HasSuffix(e.Name(), ".md") {
				continue
			}
			_, _ = io.WriteString(h, dir+"/"+e.Name()+"\x00"+strconv.FormatInt(info.Size(), 10)+"\x00"+strconv.FormatInt(info.ModTime().UnixNano(), 10)+"\x00")
		}
	}
	return h.Sum64()
}
