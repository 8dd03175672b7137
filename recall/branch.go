package recall

import (
	"context"
	"maps"
	"slices"

	"keepmum/store"
)

// nameBranches sets the branch of each statement that was made on an unmerged one.
func nameBranches(ctx context.Context, src Source, told []statement) error {
	if len(told) == 0 {
		return nil
	}
	var ids []int64
	for _, st := range told {
		ids = append(ids, st.id)
	}
	on, err := src.Unmerged(ctx, ids)
	if err != nil {
		return err
	}
	for i := range told {
		told[i].branch = on[told[i].id]
	}
	return nil
}

// nameBranch sets the unmerged branch of what is told of a session: its task, the work on it and its notes. If they are
// on several, the branch of the latest entry counts.
func (d *digest) nameBranch(ctx context.Context, src Source, n Noted) error {
	ids := slices.Clone(d.work)
	for _, l := range about(d.task, d.answer) {
		ids = append(ids, l.ID)
	}
	for _, one := range n.all() {
		ids = append(ids, one.ID)
	}
	on, err := src.Unmerged(ctx, ids)
	if len(on) > 0 {
		d.branch = on[slices.Max(slices.Collect(maps.Keys(on)))]
	}
	return err
}

// agentOf names the agent of a session, with the branch if that needs to be said.
func (d *digest) agentOf(s store.SessionRow) string {
	if d.branch == "" {
		return s.Agent
	}
	return s.Agent + ", on branch " + quote(d.branch, maxBranch)
}
