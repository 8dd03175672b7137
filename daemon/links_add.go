package daemon

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"keepmum/api"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
)

// addedLinks returns the links of a new memory.
func (d *Daemon) addedLinks(ctx context.Context, t memoryTree, in api.MemoryAdd) ([]memory.Link, error) {
	if len(in.Links) == 0 {
		return nil, nil
	}
	g, err := d.graphOf(ctx, t.root.Project)
	if err != nil {
		return nil, err
	}
	here := store.MemoryRow{Root: t.root.ID, Project: t.root.Project}
	var out []memory.Link
	for _, l := range in.Links {
		as, err := memory.ParseRelation(l.As)
		if err == nil && as == memory.Replaces {
			err = errors.New("a new memory replaces another one through its key, or with mum memory link")
		}
		if err != nil {
			return nil, invalidLink(err)
		}
		to, err := d.linkTarget(ctx, g, here, l.To, as)
		if err != nil {
			return nil, err
		}
		if link := (memory.Link{To: to.Name, As: as}); !slices.Contains(out, link) {
			out = append(out, link)
		}
	}
	return out, nil
}

// dependentsOf returns the active memories that depend on a replaced one.
func (d *Daemon) dependentsOf(ctx context.Context, t memoryTree, name string) ([]api.Memory, error) {
	g, err := d.graphOf(ctx, t.root.Project)
	if err != nil {
		return nil, err
	}
	gone := g.row(&store.MemoryRow{Root: t.root.ID, Project: t.root.Project}, name)
	if gone == nil {
		return nil, nil
	}
	return d.wireMemories(g.dependents(gone.ID)), nil
}

// linkProblems returns links of active memories that lead nowhere, to a replaced memory, or in a circle.
func (d *Daemon) linkProblems(ctx context.Context, project int64) ([]api.LinkProblem, error) {
	out := []api.LinkProblem{}
	g, err := d.graphOf(ctx, project)
	if project == 0 && err == nil {
		g, err = d.allLinks(ctx)
	}
	if err != nil {
		return out, err
	}
	for _, l := range g.links {
		at, ok := g.at[l.From]
		if !ok || g.rows[at].State != store.MemoryActive {
			continue
		}
		from := &g.rows[at]
		to := g.row(from, l.Target)
		p := api.LinkProblem{Entry: from.ID, Title: from.Title, As: l.Kind, To: l.Target}
		switch depends := l.Kind == string(memory.DependsOn); {
		case to == nil:
			p.Why = "dangling"
		case depends && to.State != store.MemoryActive:
			p.Why = "replaced"
			if now := g.now(to); now.ID != to.ID {
				p.Now = now.ID
			}
		case depends && g.circular(from.ID):
			p.Why = "circle"
		default:
			continue
		}
		out = append(out, p)
	}
	return out, nil
}

// evidence returns the entries that support a memory as its sources.
func (d *Daemon) evidence(ctx context.Context, t memoryTree, in api.MemoryAdd) (out []memory.Source, first time.Time,
	err error) {
	if len(in.Evidence) == 0 {
		return nil, first, nil
	}
	rows, err := d.db.Observations(ctx, in.Evidence)
	if err != nil {
		return nil, first, err
	}
	for _, id := range in.Evidence {
		i := slices.IndexFunc(rows, func(r store.ObservationRow) bool { return r.ID == id && r.Session != "" })
		if i < 0 {
			return nil, first, failure(api.NotFound, fmt.Sprintf("entry %d cannot be evidence: it is in no session", id),
				"mum search")
		}
		if first.IsZero() || rows[i].Date.Before(first) {
			first = rows[i].Date
		}
		f := t.gate.Event(privacy.Raw{Fields: map[string]string{"agent": rows[i].Agent, "session": rows[i].Session,
			"ref": fmt.Sprintf("#%d", id)}}).Fields
		out = append(out, memory.Source{Session: privacy.Join("/", f["agent"], f["session"]), Ref: f["ref"]})
	}
	return out, first, nil
}

// standing returns the active memories that depend on some memories.
func (d *Daemon) standing(ctx context.Context, on []store.MemoryRow) ([]api.Memory, error) {
	out := []api.Memory{}
	if len(on) == 0 {
		return out, nil
	}
	g, err := d.allLinks(ctx)
	if err != nil {
		return out, err
	}
	seen := map[int64]bool{}
	for i := range on {
		seen[on[i].ID] = true
	}
	for i := range on {
		for _, m := range g.dependents(on[i].ID) {
			if !seen[m.ID] {
				seen[m.ID] = true
				out = append(out, d.wireMemory(&m))
			}
		}
	}
	return out, nil
}
