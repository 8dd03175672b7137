package daemon

import (
	"context"
	"slices"

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

// closeProposals closes the proposals of a tree's project that one of its memories now says in the same words. They
// become that memory, but not as a review: the user has decided nothing about them. What the user reopened stays open.
func (d *Daemon) closeProposals(ctx context.Context, r store.MemoryRoot) error {
	open, err := d.db.Proposals(ctx, store.ProposalFilter{Projects: []int64{r.Project}, Hidden: true})
	if err != nil || len(open) == 0 {
		return err
	}
	rows, err := d.db.Memories(ctx, store.MemoryFilter{Root: r.ID})
	if err != nil {
		return err
	}
	said := sayings(rows)
	open = slices.DeleteFunc(open, func(p store.ProposalRow) bool {
		return p.Decided != 0 || len(said[proposed(&p)]) == 0
	})
	if len(open) == 0 { // most of the time, so the files are read only afterwards
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
			if entry := said[proposed(p)][m.ID]; entry != 0 && !m.Archived {
				if err := d.decide(ctx, p, store.ProposalKept, entry); err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

// sayings returns which memories, as names and entries, say something. What others wrote into a repository is not the
// user's.
func sayings(rows []store.MemoryRow) map[string]map[string]int64 {
	said := map[string]map[string]int64{}
	for i := range rows {
		m := &rows[i]
		if m.Cloned {
			continue
		}
		for _, text := range memory.Statements(m.Title, m.Body()) {
			if said[text] == nil {
				said[text] = map[string]int64{}
			}
			said[text][m.Name] = m.ID
		}
	}
	return said
}

// proposed returns what a proposal states: its first paragraph. The others say where it came up.
func proposed(p *store.ProposalRow) string {
	texts := memory.Statements(p.Title, p.Body)
	if len(texts) == 0 {
		return ""
	}
	return texts[len(texts)-1]
}

// reopen opens the proposals that became a memory which was archived.
func (d *Daemon) reopen(ctx context.Context, entry int64) error {
	kept, err := d.db.Proposals(ctx,
		store.ProposalFilter{Hidden: true, States: []store.ProposalState{store.ProposalKept}})
	if err != nil {
		return err
	}
	for i := range kept {
		if kept[i].Memory == entry {
			if err := d.decide(ctx, &kept[i], store.ProposalOpen, 0); err != nil {
				return err
			}
		}
	}
	return nil
}
