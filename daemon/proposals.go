package daemon

import (
	"cmp"
	"context"
	"strings"

	"keepmum/memory"
	"keepmum/store"
)

// proposalsOf returns the projects whose proposals are reviewed together with those of a project: nil = all.
func proposalsOf(project int64) []int64 {
	if project == 0 {
		return nil
	}
	return []int64{project, store.NoProjectRow}
}

// closeProposals closes the proposals of a tree's project that say what one of its memories now says. They become that
// memory, but not as a review: the user has decided nothing about them.
func (d *Daemon) closeProposals(ctx context.Context, r store.MemoryRoot) error {
	open, err := d.db.Proposals(ctx, store.ProposalFilter{Projects: []int64{r.Project}, Hidden: true})
	if err != nil || len(open) == 0 {
		return err
	}
	rows, err := d.db.Memories(ctx, store.MemoryFilter{Projects: []int64{r.Project}})
	if err != nil {
		return err
	}
	entries := map[string]int64{}
	for i := range rows {
		if rows[i].Root == r.ID && !rows[i].Cloned { // what others wrote into a repository is not the user's
			entries[rows[i].Name] = rows[i].ID
		}
	}
	if len(entries) == 0 {
		return nil
	}
	t, err := d.openTree(r)
	if err != nil {
		return err
	}
	l, err := t.Load()
	if err != nil {
		return err
	}
	for i := range open {
		p := &open[i]
		for _, m := range memory.Visible(l.Memories(), p.Branch) {
			if entry := entries[m.ID]; entry != 0 && saysProposed(m, p) {
				if err := d.decide(ctx, p, store.ProposalKept, entry); err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

// saysProposed reports whether a memory says what a proposal states: its first paragraph. The others say where it came up.
func saysProposed(m memory.Memory, p *store.ProposalRow) bool {
	statement, _, _ := strings.Cut(p.Body, "\n\n")
	return m.Says(p.Title, cmp.Or(statement, p.Title))
}
