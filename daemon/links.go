package daemon

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
)

// linkGraph contains the links between memories.
type linkGraph struct {
	rows  []store.MemoryRow
	at    map[int64]int    // document → row
	named map[string][]int // id in the file → rows
	links []store.LinkRow
}

// graphOf reads the links of a project's memories and of the global ones.
func (d *Daemon) graphOf(ctx context.Context, project int64) (*linkGraph, error) {
	projects := []int64{project, store.NoProjectRow}
	rows, err := d.db.Memories(ctx, store.MemoryFilter{Projects: projects, AnyState: true})
	if err != nil {
		return nil, err
	}
	links, err := d.db.MemoryLinks(ctx, projects)
	return newGraph(rows, links), err
}

func newGraph(rows []store.MemoryRow, links []store.LinkRow) *linkGraph {
	g := &linkGraph{rows: rows, at: map[int64]int{}, named: map[string][]int{}, links: links}
	for i := range rows {
		g.at[rows[i].ID] = i
		g.named[rows[i].Name] = append(g.named[rows[i].Name], i)
	}
	return g
}

// row returns the memory with an id that another memory names: one in the same tree, otherwise in the same project,
// otherwise a global one; nil = none.
func (g *linkGraph) row(from *store.MemoryRow, id string) *store.MemoryRow {
	var best *store.MemoryRow
	rank := func(m *store.MemoryRow) int {
		switch {
		case m.Root == from.Root:
			return 3
		case m.Project == from.Project:
			return 2
		case m.Project == store.NoProjectRow:
			return 1
		}
		return 0
	}
	for _, i := range g.named[id] {
		if m := &g.rows[i]; rank(m) > 0 && (best == nil || rank(m) > rank(best)) {
			best = m
		}
	}
	return best
}

// now returns the current successor of a memory, over any number of replacements.
func (g *linkGraph) now(m *store.MemoryRow) *store.MemoryRow {
	for range g.rows {
		next := g.row(m, m.SupersededBy)
		if m.SupersededBy == "" || next == nil {
			break
		}
		m = next
	}
	return m
}

// dependents returns the active memories that depend on one, directly or indirectly.
func (g *linkGraph) dependents(id int64) []store.MemoryRow {
	var out []store.MemoryRow
	next, seen := []int64{id}, map[int64]bool{id: true}
	for len(next) > 0 {
		of := next[0]
		next = next[1:]
		for _, l := range g.links {
			at, ok := g.at[l.From]
			if !ok || l.Kind != string(memory.DependsOn) || seen[l.From] {
				continue
			}
			if to := g.row(&g.rows[at], l.Target); to == nil || to.ID != of && g.now(to).ID != of {
				continue
			}
			seen[l.From] = true
			next = append(next, l.From)
			if g.rows[at].State == store.MemoryActive {
				out = append(out, g.rows[at])
			}
		}
	}
	return out
}

// circular reports whether a memory depends on itself, because of a link that was written by hand.
func (g *linkGraph) circular(id int64) bool {
	next, seen := []int64{id}, map[int64]bool{}
	for len(next) > 0 {
		from := next[0]
		next = next[1:]
		for _, l := range g.links {
			at, ok := g.at[l.From]
			if !ok || l.From != from || l.Kind != string(memory.DependsOn) {
				continue
			}
			to := g.row(&g.rows[at], l.Target)
			switch {
			case to == nil:
			case to.ID == id:
				return true
			case !seen[to.ID]:
				seen[to.ID] = true
				next = append(next, to.ID)
			}
		}
	}
	return false
}

// wireLink converts a link for display; name is the id of its other end.
func (d *Daemon) wireLink(g *linkGraph, as, name string, to *store.MemoryRow) api.MemoryLink {
	out := api.MemoryLink{As: as, ID: name}
	if to == nil {
		return out
	}
	m := d.wireMemory(to)
	out.Memory = &m
	if now := g.now(to); now.ID != to.ID {
		n := d.wireMemory(now)
		out.Now = &n
	}
	return out
}

// getMemoryLinks returns the links from and to a memory.
func (d *Daemon) getMemoryLinks(c echo.Context) error {
	if err := onlyParams(c.QueryParams(), "project", "directory"); err != nil {
		return err
	}
	m, err := d.namedMemory(c)
	if err != nil {
		return err
	}
	out, err := d.linksOf(c.Request().Context(), m)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

func (d *Daemon) linksOf(ctx context.Context, m store.MemoryRow) (api.MemoryLinks, error) {
	out := api.MemoryLinks{Memory: d.wireMemory(&m), To: []api.MemoryLink{}, From: []api.MemoryLink{}}
	g, err := d.graphOf(ctx, m.Project)
	if err != nil {
		return out, err
	}
	if m.Project == store.NoProjectRow { // a memory of any project may link here
		if g, err = d.allLinks(ctx); err != nil {
			return out, err
		}
	}
	for _, l := range g.links {
		at, ok := g.at[l.From]
		if !ok {
			continue
		}
		to := g.row(&g.rows[at], l.Target)
		if l.From == m.ID {
			out.To = append(out.To, d.wireLink(g, l.Kind, l.Target, to))
		} else if to != nil && to.ID == m.ID {
			out.From = append(out.From, d.wireLink(g, l.Kind, g.rows[at].Name, &g.rows[at]))
		}
	}
	out.Circle = g.circular(m.ID)
	out.Dependents = d.wireMemories(g.dependents(m.ID))
	return out, nil
}

func (d *Daemon) allLinks(ctx context.Context) (*linkGraph, error) {
	rows, err := d.db.Memories(ctx, store.MemoryFilter{AnyState: true})
	if err != nil {
		return nil, err
	}
	links, err := d.db.MemoryLinks(ctx, nil)
	return newGraph(rows, links), err
}

// postMemoryLink adds a link between two memories, or removes it.
func (d *Daemon) postMemoryLink(c echo.Context) error {
	var in api.MemoryLinkAdd
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	as, err := memory.ParseRelation(in.As)
	if err := firstError(need("to", in.To), invalidLink(err)); err != nil {
		return err
	}
	ctx := c.Request().Context()
	m, err := d.namedMemory(c)
	if err != nil {
		return err
	}
	if in.Remove {
		return d.unlink(c, m, in)
	}
	g, err := d.graphOf(ctx, m.Project)
	if err != nil {
		return err
	}
	to, err := d.linkTarget(ctx, g, m, in.To, as)
	if err != nil {
		return err
	}
	t, file, err := d.fileOfRow(ctx, m)
	if err == nil {
		file, err = t.Link(file, memory.Link{To: to.Name, As: as}, d.stamp(privacy.Const("cli")))
	}
	if errors.Is(err, memory.ErrCircle) {
		return failure(api.Invalid, "that would be a circle: the other memory already depends on this one",
			"mum memory links "+m.Name)
	}
	return d.linked(c, t, file, "link", err)
}

func invalidLink(err error) error {
	if err == nil {
		return nil
	}
	return failure(api.Invalid, err.Error(), "mum memory link --help")
}

// linkTarget finds the other end of a link: in the same tree, or global.
func (d *Daemon) linkTarget(ctx context.Context, g *linkGraph, m store.MemoryRow, name string,
	as memory.Relation) (store.MemoryRow, error) {
	to, err := d.memoryNamed(ctx, name, []int64{m.Project, store.NoProjectRow})
	if err != nil {
		return to, err
	}
	seen := g.row(&m, to.Name)
	switch {
	case seen == nil || seen.ID != to.ID:
		return to, failure(api.Invalid, "a memory can only be linked to one of its own project or to a global one",
			"mum memory list")
	case as == memory.Replaces && to.Root != m.Root:
		return to, failure(api.Invalid, "a memory can only replace one in the same place", "mum memory archive "+name)
	}
	return to, nil
}

func (d *Daemon) unlink(c echo.Context, m store.MemoryRow, in api.MemoryLinkAdd) error {
	ctx := c.Request().Context()
	name := in.To // the target no longer exists
	if to, err := d.memoryNamed(ctx, in.To, []int64{m.Project, store.NoProjectRow}); err == nil {
		name = to.Name
	}
	as := memory.Relation("")
	if in.As != "" {
		as, _ = memory.ParseRelation(in.As) // validated before
	}
	t, file, err := d.fileOfRow(ctx, m)
	if err != nil {
		return memoryError(err)
	}
	before := len(file.Links)
	file, err = t.Unlink(file, name, as, d.stamp(privacy.Const("cli")))
	if err == nil && len(file.Links) == before {
		return failure(api.NotFound, "there is no such link", "mum memory links "+m.Name)
	}
	return d.linked(c, t, file, "unlink", err)
}

func (d *Daemon) linked(c echo.Context, t memoryTree, m memory.Memory, action string, err error) error {
	if err != nil {
		return memoryError(err)
	}
	out, err := d.wrote(c.Request().Context(), t, m, action, "", nil)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}
