package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/safefile"
	"keepmum/store"
	"keepmum/trace"
)

func (d *Daemon) postMemoryForget(c echo.Context) error {
	var in api.MemoryForget
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	row, err := d.namedMemory(c)
	if err != nil {
		return err
	}
	unhurried(c)
	out, err := d.forgetMemory(c.Request().Context(), row, in)
	if err != nil {
		return memoryError(err)
	}
	return c.JSON(http.StatusOK, out)
}

// forgetMemory removes a memory permanently, together with the archived ones that it replaced. A token makes sure that
// it removes what a dry run showed.
func (d *Daemon) forgetMemory(ctx context.Context, row store.MemoryRow,
	in api.MemoryForget) (api.MemoryForgotten, error) {
	plan, err := d.db.PlanForget(ctx, store.Selection{IDs: []int64{row.ID}})
	if err != nil {
		return api.MemoryForgotten{}, err
	}
	rows, err := d.db.Memories(ctx, store.MemoryFilter{IDs: plan.Memories, AnyState: true})
	if err != nil {
		return api.MemoryForgotten{}, err
	}
	token := d.confirmation(plan.Memories)
	if in.Confirm != "" && in.Confirm != token {
		return api.MemoryForgotten{},
			failure(api.Conflict, "the token does not match what would be forgotten now",
				"make a dry run first and use its token")
	}
	out := api.MemoryForgotten{Memories: d.wireMemories(rows)}
	if in.DryRun {
		out.Token = token
	}
	left, err := d.left(ctx, plan)
	if err != nil {
		return out, err
	}
	out.Forgotten, err = d.forgetPlan(ctx, plan, in.DryRun)
	left(&out.Forgotten)
	return out, err
}

// left lists the entries that stay although they say what the memories of a plan say, for its result. It must be called
// before these are removed.
func (d *Daemon) left(ctx context.Context, plan store.ForgetPlan) (list func(*api.Forgotten), err error) {
	ids, err := d.db.Left(ctx, plan)
	if err != nil {
		return nil, err
	}
	rows, err := d.db.Observations(ctx, slices.Concat(ids.Sources, ids.Repeated))
	if err != nil {
		return nil, err
	}
	return func(out *api.Forgotten) {
		for _, r := range rows {
			if slices.Contains(ids.Sources, r.ID) {
				out.Left = append(out.Left, momentOf(r))
			} else {
				out.Repeated = append(out.Repeated, momentOf(r))
			}
		}
	}, nil
}

// confirmation returns a token for some memories, valid until the daemon ends.
func (d *Daemon) confirmation(ids []int64) string {
	return d.intake.Gate().MAC(fmt.Sprint("forget ", d.instance, " ", ids))[:16]
}

// forgetFiles writes tombstones for a plan's memories, and removes their files and the summaries of its sessions. It
// returns the trees that changed.
func (d *Daemon) forgetFiles(ctx context.Context, plan store.ForgetPlan) ([]store.MemoryRoot, error) {
	rows, err := d.db.Memories(ctx, store.MemoryFilter{IDs: notNil(plan.Memories), AnyState: true})
	if err != nil {
		return nil, err
	}
	var prints []string
	for i := range rows {
		prints = append(prints, memory.Fingerprints(rows[i].Title, rows[i].Body())...)
	}
	pieces := piecesOf(rows)
	if err := d.db.BuryMemories(ctx, plan.Memories, prints, plan.When); err != nil {
		return nil, err
	}
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return nil, err
	}
	var changed []store.MemoryRoot
	for _, r := range roots {
		n, err := d.removeFrom(r, rows, plan.From)
		if err != nil {
			return changed, err
		}
		left := 0
		if dir := d.rootDir(r); r.Kind != store.RootRepo || staysIn(topOf(dir), dir) {
			if left, err = removeHolders(filepath.Join(dir, "summaries"), pieces); err != nil {
				return changed, err
			}
		}
		if n+left > 0 {
			changed = append(changed, r)
		}
	}
	if _, err := trace.Forget(string(d.o.Home), pieces...); err != nil {
		return changed, err
	}
	pieces = append(pieces, plan.From...)
	for _, r := range plan.Read {
		pieces = append(pieces, strconv.Quote(r.Native))
	}
	_, err = removeHolders(d.o.Home.Runs(), pieces)
	return changed, err
}

// piecesOf returns texts by which a file that tells of some memories is recognised.
func piecesOf(rows []store.MemoryRow) (pieces []string) {
	for i := range rows {
		m := &rows[i]
		pieces = append(pieces, store.Probe(m.Name), store.Probe(m.Title), store.Probe(m.Body()))
	}
	return pieces
}

// removeHolders removes the files that contain a piece of what is forgotten: summaries, and reports of runs that
// mention it. They are derived from sessions, so nothing else is lost. A trace tells of other sessions too, so it loses
// only lines (forgetTraces).
func removeHolders(dir string, pieces []string) (removed int, err error) {
	found, err := holders(dir, pieces)
	for _, path := range found {
		if filepath.Base(path) == trace.File {
			continue
		}
		if err := os.Remove(path); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, err
}

func holders(dir string, pieces []string) ([]string, error) {
	pieces = slices.DeleteFunc(pieces, func(p string) bool { return p == "" })
	if _, err := os.Lstat(dir); err != nil || len(pieces) == 0 {
		return nil, nil // nothing was ever written there
	}
	in, err := store.FindBytes(dir, pieces...)
	return in.Found, err
}

// removeFrom removes files of a tree. If the tree cannot be opened, that is an error only if something in it had to be
// removed.
func (d *Daemon) removeFrom(r store.MemoryRoot, rows []store.MemoryRow, sessions []string) (n int, err error) {
	mine := slices.ContainsFunc(rows, func(m store.MemoryRow) bool { return m.Root == r.ID })
	t, err := d.openTree(r)
	if err != nil {
		if mine {
			return 0, memoryError(err)
		}
		return 0, nil
	}
	l, err := t.Load()
	if err != nil {
		return 0, err
	}
	for _, m := range l.Memories() {
		if slices.ContainsFunc(rows, func(row store.MemoryRow) bool { return row.Root == r.ID && row.Path == m.Path }) {
			if err := t.Remove(m); err != nil {
				return n, err
			}
			n++
		}
	}
	left, err := t.Unname(namesFor(r, rows, l), d.stamp(privacy.Const("cli")))
	if n += left; err != nil {
		return n, err
	}
	for _, s := range l.Summaries {
		if slices.Contains(sessions, s.Agent+"/"+s.Session) {
			if err := os.Remove(filepath.Join(t.Root(), filepath.FromSlash(s.Path))); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, nil
}

// namesFor returns the ids by which memories of a tree can refer to forgotten ones: those in its own project and the
// global ones.
func namesFor(r store.MemoryRoot, rows []store.MemoryRow, l memory.Listing) []string {
	var out []string
	for i := range rows {
		m := &rows[i]
		other := func(o memory.Memory) bool { return o.ID == m.Name && (m.Root != r.ID || m.Path != o.Path) }
		if (m.Project == r.Project || m.Project == store.NoProjectRow) && !slices.ContainsFunc(l.Memories(), other) {
			out = append(out, m.Name)
		}
	}
	return out
}

// keptDirs returns the directories that contain files of ours.
func (d *Daemon) keptDirs(ctx context.Context) ([]string, error) {
	dirs := []string{string(d.o.Home)}
	roots, err := d.db.MemoryRoots(ctx)
	for _, r := range roots {
		if dir := d.rootDir(r); r.Kind == store.RootRepo && isDir(dir) && staysIn(topOf(dir), dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs, err
}

// maxMemoryFile limits how much of a file is read from a tree that someone else may have made; a memory has a
// thousandth of that.
const maxMemoryFile = 8 << 20

// memoryFiles calls f with each markdown file of the trees, and returns those that cannot be read.
func (d *Daemon) memoryFiles(ctx context.Context,
	f func(t memoryTree, path string, text []byte) error) (unread []string, err error) {
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range roots {
		t, err := d.openTree(r)
		if errors.Is(err, errNoTree) {
			continue
		}
		if err != nil {
			return unread, err
		}
		err = filepath.WalkDir(t.Root(), func(path string, e fs.DirEntry, err error) error {
			if err == nil && (!e.Type().IsRegular() || !strings.HasSuffix(path, ".md")) || errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			var text []byte
			if err == nil {
				text, err = safefile.Read(path, maxMemoryFile)
			}
			if err != nil {
				unread = append(unread, t.Shown(path))
				return nil //nolint:nilerr // it is reported
			}
			return f(t, path, text)
		})
		if err != nil {
			return unread, err
		}
	}
	return unread, nil
}

// scrubTrees removes from memory files what the current rules would not keep, or a text that must go (nil = none), and
// updates what is derived from them. It returns the files that a person should check.
func (d *Daemon) scrubTrees(ctx context.Context, gone *memory.Gone, dryRun bool,
	findings map[string]int) (changed int, left []string, err error) {
	roots, err := d.db.MemoryRoots(ctx)
	if err != nil {
		return 0, nil, err
	}
	for _, r := range roots {
		t, err := d.openTree(r)
		if errors.Is(err, errNoTree) {
			left = append(left, err.Error())
			continue
		}
		if err != nil {
			return changed, left, err
		}
		out, err := t.Scrub(gone, dryRun)
		for rule, n := range out.Findings {
			findings[rule] += n
		}
		changed += len(out.Changed)
		for _, b := range out.Broken {
			left = append(left, filepath.Join(t.Root(), filepath.FromSlash(b.Path))+": "+b.Why)
		}
		if err == nil && len(out.Changed) > 0 && !dryRun {
			err = d.written(ctx, r)
		}
		if err != nil {
			return changed, left, err
		}
	}
	return changed, left, nil
}
