package recall

import (
	"context"

	"keepmum/store"
)

// nameBranches sets the unmerged branches on which statements were made.
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

// branchOf returns the unmerged branch on which a session was, given its lines.
func branchOf(ctx context.Context, src Source, lines []store.Line) (string, error) {
	if len(lines) == 0 {
		return "", nil
	}
	on, err := src.Unmerged(ctx, []int64{lines[0].ID})
	return on[lines[0].ID], err
}

// agentOf names the agent of a session, with the branch if that needs to be said.
func (d *digest) agentOf(s store.SessionRow) string {
	if d.branch == "" {
		return s.Agent
	}
	return s.Agent + ", on branch " + quote(d.branch, maxBranch)
}
