package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"time"

	"keepmum/api"
	"keepmum/githistory"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/project"
	"keepmum/store"
)

// maxBranches limits how many branches of a repository are recorded; a repository with more has few in use.
const maxBranches = 500

// branchHere returns the branch that is checked out in a directory, from .git/HEAD. It starts no process, because hooks
// call it.
func (d *Daemon) branchHere(dir string) string { return d.intake.Project(dir).Branch.String() }

// branchOf returns the branch of a request's directory; "" = the request has none.
func (d *Daemon) branchOf(q url.Values) string {
	if q.Get("directory") == "" {
		return ""
	}
	return d.branchHere(q.Get("directory"))
}

// notOnBranch returns the memories that are not valid on a branch.
func (d *Daemon) notOnBranch(ctx context.Context, branch string) ([]int64, error) {
	if !bool(d.o.Config.Memory.ByBranch) {
		return nil, nil
	}
	return d.db.NotOnBranch(ctx, branch)
}

// learnedOn returns the only branch on which something learned on a branch of a project is valid, "" = everywhere. It
// is everywhere unless the branch is known to be unmerged. It is also everywhere for memories in a repository, because
// these change with the checkout.
func (d *Daemon) learnedOn(ctx context.Context, project int64, name privacy.Clean) (memory.Branch, error) {
	c := d.o.Config
	if !bool(c.Memory.ByBranch) || !bool(c.Capture.Git) || name.IsZero() || project <= store.NoProjectRow {
		return memory.Branch{}, nil
	}
	root, err := d.whereTo(ctx, project)
	if err != nil || root.Kind != store.RootHome {
		return memory.Branch{}, err
	}
	rows, err := d.branchRows(ctx, project, name.String())
	if err != nil || standingOf(rows) == githistory.Merged {
		return memory.Branch{}, err
	}
	gate := d.intake.Gate()
	last := slices.MaxFunc(rows, func(a, b store.BranchRow) int { return int(a.Seen - b.Seen) })
	head, _ := gate.Text(last.Tip)
	base, _ := gate.Text(last.Base)
	return memory.Branch{Name: name, Head: head, Base: base}, nil
}

// addedOn returns the only branch on which a new memory is valid, "" = everywhere. What an agent learned is valid on
// the branch that it works on. What the user says is valid everywhere, unless the user names a branch.
func (d *Daemon) addedOn(ctx context.Context, t memoryTree, in api.MemoryAdd) (memory.Branch, error) {
	switch {
	case in.Branch != "":
		return d.addedOnBranch(ctx, t, in.Branch)
	case in.Origin != "agent" || in.Directory == "" || t.root.Kind != store.RootHome:
		return memory.Branch{}, nil
	}
	return d.learnedOn(ctx, t.root.Project, d.intake.Project(in.Directory).Branch)
}

// addedOnBranch rejects a branch that cannot have memories of its own.
func (d *Daemon) addedOnBranch(ctx context.Context, t memoryTree, name string) (memory.Branch, error) {
	if t.root.Kind != store.RootHome || !bool(d.o.Config.Memory.ByBranch) {
		return memory.Branch{}, failure(api.Conflict,
			"memories are not tied to a branch here: they are in the repository or global, "+
				"or memory.by_branch is off",
			"mum memory add without --branch")
	}
	clean, _ := d.intake.Gate().Text(name)
	at, err := d.learnedOn(ctx, t.root.Project, clean)
	if err == nil && at.Name.IsZero() {
		err = failure(api.NotFound, "no unmerged branch has that name",
			"git branch lists them; without --branch the memory is valid everywhere")
	}
	return at, err
}

// branchRows returns what is recorded about a branch. If nothing is, it reads the position of the branches from git's
// files, without starting a process.
func (d *Daemon) branchRows(ctx context.Context, project int64, name string) ([]store.BranchRow, error) {
	rows, err := d.db.Branches(ctx, project, name)
	if err != nil || len(rows) > 0 {
		return rows, err
	}
	dirs, err := d.db.ProjectDirs(ctx, project)
	for _, dir := range dirs {
		if nerr := d.noteBranches(ctx, project, dir); nerr != nil {
			d.log.Debug("the branches of a repository are not read", "error", nerr)
		}
	}
	if err != nil {
		return nil, err
	}
	return d.db.Branches(ctx, project, name)
}

// noteBranches records the position of the branches in the repository of a directory.
func (d *Daemon) noteBranches(ctx context.Context, of int64, dir string) error {
	id := project.Of(dir)
	if id.CommonDir == "" || d.intake.Repo(id.Root).NoGit {
		return nil
	}
	refs, err := githistory.ReadRefs(id)
	if err != nil {
		return err
	}
	in, err := d.db.OpenRepository(ctx, d.intake.Project(dir).CommonDir, of)
	if err != nil {
		return err
	}
	return d.db.SawBranches(ctx, in.ID, cleanBranches(d.intake.Gate(), refs))
}

// cleanBranches returns the branches of a repository except the default one.
func cleanBranches(gate *privacy.Gate, refs githistory.Refs) []store.Branch {
	var out []store.Branch
	if refs.Main == "" {
		return nil
	}
	for _, of := range []map[string]string{refs.Branches, refs.Remotes} {
		for name, tip := range of {
			if name == refs.Main || len(out) == maxBranches {
				continue
			}
			clean, _ := gate.Text(name)
			out = append(out, store.Branch{Name: clean, Tip: tip})
		}
	}
	return out
}

// standingOf returns the state of a branch that may be in several clones; in doubt, it is merged.
func standingOf(rows []store.BranchRow) githistory.Standing {
	has := func(s githistory.Standing) bool {
		return slices.ContainsFunc(rows, func(b store.BranchRow) bool { return b.Standing == string(s) })
	}
	switch {
	case has(githistory.Open):
		return githistory.Open
	case has(githistory.Merged) || len(rows) == 0:
		return githistory.Merged
	}
	return githistory.Lost
}

// branches checks the branches that have memories, and updates these memories.
func (r *reading) branches(ctx context.Context) error {
	d := r.d
	if !bool(d.o.Config.Memory.ByBranch) {
		return nil
	}
	bound, err := d.db.BoundBranches(ctx, r.project)
	if err != nil {
		return err
	}
	raw, common := rawNames(r.of.Gate, r.repo.Refs), r.of.Project.CommonDir.String()
	if d.histories.unchanged(common, branchState(bound, r.repo.Refs)) {
		return nil
	}
	in, err := d.db.OpenRepository(ctx, r.of.Project.CommonDir, r.project)
	if err != nil {
		return err
	}
	if err := d.db.SawBranches(ctx, in.ID, cleanBranches(r.of.Gate, r.repo.Refs)); err != nil {
		return err
	}
	if bound, err = d.db.BoundBranches(ctx, r.project); err != nil { // a branch seen just now may have sessions
		return err
	}
	again, err := r.continued(ctx, in, raw)
	if err != nil {
		return err
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(append(again, bound...)))) {
		if err := r.branch(ctx, in, name, raw[name]); err != nil {
			return fmt.Errorf("check a branch: %w", err)
		}
	}
	d.histories.looked(common, branchState(bound, r.repo.Refs))
	return nil
}

// continued returns the merged branches that have other commits now: what is learned there may again be valid there
// only. They have no memories of their own, because those became valid everywhere with the merge.
func (r *reading) continued(ctx context.Context, in store.Repository, raw map[string]string) ([]string, error) {
	rows, err := r.d.db.Branches(ctx, r.project, "")
	var names []string
	for _, b := range rows {
		tip := r.repo.Refs.Tip(raw[b.Name])
		if b.Repository == in.ID && b.Standing == string(githistory.Merged) && tip != "" && tip != b.Tip {
			names = append(names, b.Name)
		}
	}
	return names, err
}

// branchState returns one value for the positions of all branches and the set of branches with memories.
func branchState(bound []string, refs githistory.Refs) string {
	all := append([]string{refs.Main, refs.Default}, bound...)
	for _, of := range []map[string]string{refs.Branches, refs.Remotes} {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			all = append(all, name, of[name])
		}
	}
	return tipsState(all)
}

// rawNames maps the names of branches after the gate to their original names.
func rawNames(gate *privacy.Gate, refs githistory.Refs) map[string]string {
	out := map[string]string{}
	for _, of := range []map[string]string{refs.Branches, refs.Remotes} {
		for name := range of {
			clean, _ := gate.Text(name)
			out[clean.String()] = name
		}
	}
	return out
}

// branch checks one branch; raw is its name in the repository, "" = the branch is not there.
func (r *reading) branch(ctx context.Context, in store.Repository, name, raw string) error {
	d := r.d
	rows, err := d.db.Branches(ctx, r.project, name)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(rows, func(b store.BranchRow) bool { return b.Repository == in.ID })
	if at < 0 && len(rows) > 0 { // it is in another clone
		return nil
	}
	was := githistory.Mark{Name: cmp.Or(raw, name)}
	if at >= 0 {
		was.Tip, was.Own, was.Base = rows[at].Tip, rows[at].Own, rows[at].Base
		was.Seen = time.UnixMilli(rows[at].Seen)
	}
	standing, now, err := r.repo.Standing(ctx, was)
	if err != nil {
		return err
	}
	gate := r.of.Gate
	clean, _ := gate.Text(name)
	if now.Name != was.Name { // it was renamed
		to, _ := gate.Text(now.Name)
		return d.follow(ctx, r.project, name, func(t memoryTree, m memory.Memory) (memory.Memory, error) {
			return t.Rebind(m, to, d.stamp(privacy.Const("git")))
		})
	}
	err = d.db.PutBranch(ctx, in.ID, store.Branch{Name: clean, Tip: now.Tip, Own: now.Own, Base: now.Base,
		Standing: string(standing)})
	if err != nil {
		return err
	}
	if rows, err = d.db.Branches(ctx, r.project, name); err != nil {
		return err
	}
	base, _ := gate.Text(now.Base)
	return errors.Join(d.settleBranch(ctx, r.project, name, standingOf(rows)),
		d.follow(ctx, r.project, name, func(t memoryTree, m memory.Memory) (memory.Memory, error) {
			return t.Ground(m, base, d.stamp(privacy.Const("git")))
		}))
}

// settleBranch updates the memories of a branch when its state changes.
func (d *Daemon) settleBranch(ctx context.Context, project int64, name string, s githistory.Standing) error {
	by := d.stamp(privacy.Const("git"))
	switch s {
	case githistory.Merged:
		return d.follow(ctx, project, name, func(t memoryTree, m memory.Memory) (memory.Memory, error) {
			return t.Promote(m, by)
		})
	case githistory.Lost:
		return d.follow(ctx, project, name, func(t memoryTree, m memory.Memory) (memory.Memory, error) {
			if m.Archived {
				return m, nil
			}
			return t.Archive(m, by)
		})
	}
	return nil
}

// follow changes the memories of a branch. If one is being edited right now, it is tried again next time.
func (d *Daemon) follow(ctx context.Context, project int64, branch string,
	change func(memoryTree, memory.Memory) (memory.Memory, error)) error {
	rows, err := d.db.Memories(ctx,
		store.MemoryFilter{Projects: []int64{project}, Branch: branch, AnyState: true})
	if err != nil {
		return err
	}
	changed := map[int64]memoryTree{}
	for _, row := range rows {
		t, m, err := d.fileOfRow(ctx, row)
		if err != nil {
			d.log.Info("a memory could not be updated with its branch", "memory", row.ID, "error", err)
			continue
		}
		if m.On() != branch { // it has left the branch since its file was indexed
			continue
		}
		now, err := change(t, m)
		if err != nil {
			d.log.Info("a memory could not be updated with its branch", "memory", row.ID, "error", err)
			continue
		}
		if now.Hash != m.Hash || now.Path != m.Path {
			changed[row.Root] = t
		}
	}
	for _, t := range changed {
		if err := d.written(ctx, t.root); err != nil {
			return err
		}
	}
	return nil
}

// promote makes a memory valid everywhere, because the user said so.
func promote(t memoryTree, m memory.Memory, by memory.Stamp) (memory.Memory, error) {
	return t.Promote(m, by)
}

// restoreMemory makes an archived memory active again. If it was archived with its branch, it is valid everywhere from
// now on, because the branch no longer exists.
func (d *Daemon) restoreMemory(t memoryTree, m memory.Memory, by memory.Stamp) (memory.Memory, error) {
	out, err := t.Restore(m, by)
	if err != nil || out.On() == "" {
		return out, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	rows, err := d.db.Branches(ctx, t.root.Project, out.On())
	if err != nil || standingOf(rows) == githistory.Open {
		return out, err
	}
	return t.Promote(out, by)
}
