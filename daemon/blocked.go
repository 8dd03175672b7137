package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"keepmum/api"
	"keepmum/memory"
	"keepmum/sorting"
	"keepmum/store"
)

// maxFailedRead limits the number of failed sessions that are read for a status.
const maxFailedRead = 1000

// blocked returns the projects for which something is not done, each with the command to run.
func (d *Daemon) blocked(ctx context.Context) ([]api.Blocked, error) {
	out, err := d.blockedTrees(ctx)
	if err != nil {
		return nil, err
	}
	failed, err := d.db.SyncJobs(ctx, store.SyncFilter{States: []store.SyncState{store.SyncDead}}, maxFailedRead)
	if err != nil {
		return nil, err
	}
	type count struct {
		n    int
		last store.CatalogueRow
	}
	by := map[string]*count{}
	for _, row := range failed {
		c := by[row.ProjectName]
		if c == nil {
			c = &count{last: row}
			by[row.ProjectName] = c
		}
		c.n++
	}
	for name, c := range by {
		next := "mum retry --all"
		if c.n == 1 {
			next = "mum retry " + c.last.Key[:min(len(c.last.Key), 12)]
		}
		out = append(out, api.Blocked{Project: cmp.Or(name, "no project"), Next: next,
			Why: fmt.Sprintf("%d of its sessions could not be read in three tries: %s", c.n, c.last.Error)})
	}
	crowded, err := d.crowded(ctx)
	if err != nil {
		return nil, err
	}
	out = append(out, crowded...)
	sorting.Stable(out, func(a, b api.Blocked) int {
		return cmp.Or(cmp.Compare(a.Project, b.Project), cmp.Compare(a.Why, b.Why))
	})
	return out, nil
}

// nearlyFull is the share of memory.max_active above which the user is warned. That is early enough to decide what to
// remove before maintain does.
const nearlyFull = 0.9

// crowded returns the projects that are close to the limit of active memories.
func (d *Daemon) crowded(ctx context.Context) (out []api.Blocked, err error) {
	most := d.o.Config.Memory.MaxActive
	if most <= 0 {
		return nil, nil
	}
	rooms, err := d.db.Crowded(ctx, int(math.Ceil(nearlyFull*float64(most))))
	for _, r := range rooms {
		one := api.Blocked{Project: cmp.Or(r.Name, "no project"), Next: "mum memory status",
			Why: fmt.Sprintf("%d memories are active, and the limit is %d (memory.max_active)", r.Active, most)}
		if r.Active > most {
			one.Why, one.Next = one.Why+": the next maintenance archives the least trusted", "mum maintain --dry-run"
		}
		out = append(out, one)
	}
	return out, err
}

// blockedTrees returns the projects whose memories cannot be read from their repository, and those with files that are
// skipped.
func (d *Daemon) blockedTrees(ctx context.Context) ([]api.Blocked, error) {
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return nil, err
	}
	out := []api.Blocked{}
	for _, r := range roots {
		name, nerr := d.db.ProjectName(ctx, r.Project)
		if nerr != nil {
			name = fmt.Sprint("project ", r.Project)
		}
		name = cmp.Or(name, "no project")
		t, err := d.openTree(r)
		if err == nil {
			err = d.stillClosed(t)
		}
		if err == nil {
			out = append(out, d.skippedFiles(t, name)...)
			continue
		}
		out = append(out, api.Blocked{Project: name, Why: d.loggable(err), Next: d.openAgain(r, err)})
	}
	return out, nil
}

// stillClosed returns why a tree could not be read at the last pass. What its user may have opened since is tried
// again.
func (d *Daemon) stillClosed(t memoryTree) error {
	why, _ := d.closed.Load(t.root.ID)
	err, _ := why.(error)
	if errors.Is(err, fs.ErrPermission) {
		_, err = t.Load()
	}
	return err
}

// stillSkipped returns the files of a tree that were skipped at the last pass, except those that were closed then and
// are open now.
func (d *Daemon) stillSkipped(t memoryTree) []memory.Broken {
	found, _ := d.skipped.Load(t.root.ID)
	all, _ := found.([]memory.Broken)
	if !slices.ContainsFunc(all, func(b memory.Broken) bool { return b.Closed }) {
		return all
	}
	now, err := t.Load()
	if err != nil {
		return all
	}
	closed := func(path string) bool {
		return slices.ContainsFunc(now.Broken, func(b memory.Broken) bool { return b.Closed && b.Path == path })
	}
	return slices.DeleteFunc(slices.Clone(all), func(b memory.Broken) bool { return b.Closed && !closed(b.Path) })
}

// openAgain returns what helps if the memories of a tree cannot be read.
func (d *Daemon) openAgain(r store.MemoryRoot, err error) string {
	dir := d.rootDir(r)
	switch {
	case r.Kind != store.RootRepo:
		return "mum doctor --fix"
	case !isDir(topOf(dir)):
		return fmt.Sprintf("run mum project add in its new place, or mum project remove %d", r.Project)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Sprintf("chmod -R u+rwX '%s'", d.loggableText(dir))
	}
	return "fix .mum/config.toml of the repository"
}

// inThePlaceOfAList is why a list of memories is not written.
const inThePlaceOfAList = "it is a link or no regular file, so the list of the memories is not written"

// skippedFiles returns the files of a tree that are not read as memories, because another file has their id or they
// cannot be read, and what is in the place of its lists.
func (d *Daemon) skippedFiles(t memoryTree, project string) (out []api.Blocked) {
	dir := d.rootDir(t.root)
	for _, list := range memory.Occupied(dir) {
		out = append(out, api.Blocked{Project: project, Next: "remove it",
			Why: d.loggableText(list) + ": " + inThePlaceOfAList})
	}
	all := d.stillSkipped(t)
	for _, kind := range []struct {
		next string
		is   func(memory.Broken) bool
	}{
		{"give it another id or remove it", func(b memory.Broken) bool { return b.Twin }},
		{d.openAgain(t.root, fs.ErrPermission), func(b memory.Broken) bool { return b.Closed }},
		{"correct it; until then its last readable text counts",
			func(b memory.Broken) bool { return !b.Twin && !b.Closed }},
	} {
		if n := slices.IndexFunc(all, kind.is); n >= 0 {
			count := len(slices.DeleteFunc(slices.Clone(all), func(b memory.Broken) bool { return !kind.is(b) }))
			out = append(out, api.Blocked{Project: project, Next: kind.next,
				Why: fmt.Sprintf("a file in %s is skipped (1 of %d): %s: %s", d.loggableText(dir), count, all[n].Path, all[n].Why)})
		}
	}
	return out
}
