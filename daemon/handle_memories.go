package daemon

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/memory"
	"keepmum/sorting"
	"keepmum/store"
)

// place says where to search for memories.
type place struct {
	project  int64   // 0 = all
	projects []int64 // projects whose memories are shown; nil = all
	without  []int64 // memories that are not valid on the branch checked out there
	on       string  // that branch; "" = unknown or none
	branch   bool    // the branch is known
}

// searched returns the projects to search.
func (p place) searched() []int64 {
	if p.projects == nil || p.project == 0 || slices.Contains(p.projects, p.project) {
		return p.projects
	}
	return append([]int64{p.project}, p.projects...)
}

// placeOf reads the parameters project and directory. A directory that belongs to no known project has only the global
// memories.
func (d *Daemon) placeOf(ctx context.Context, name, dir string) (place, error) {
	var id int64
	var err error
	switch {
	case name == "*" || name == "" && dir == "":
	case name != "":
		id, err = d.db.ProjectNamed(ctx, name)
	default:
		id, err = d.projectIn(ctx, dir)
	}
	at := place{project: id, projects: d.readable(id)}
	if err == nil && name == "" && dir != "" {
		at.on = d.branchHere(dir)
		at.without, err = d.notOnBranch(ctx, at.on)
		at.branch = true
	}
	return at, err
}

// onItsBranch returns a place as agents see it: if the branch is unknown, only what is valid everywhere.
func (d *Daemon) onItsBranch(ctx context.Context, at place) (place, error) {
	if at.branch {
		return at, nil
	}
	var err error
	at.without, err = d.notOnBranch(ctx, "")
	return at, err
}

func (d *Daemon) getMemories(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "project", "directory", "state", "primitive", "limit", "kind", "key", "room",
		"as_of", "branch"); err != nil {
		return err
	}
	limit, err1 := intParam(q, "limit", 100, 1, 1000)
	f, err2 := memoryFilter(q.Get("state"), q.Get("primitive"))
	f, err4 := d.narrow(f, q)
	at, err3 := d.placeOf(c.Request().Context(), q.Get("project"), q.Get("directory"))
	if err := firstError(err1, err2, err3, err4); err != nil {
		return err
	}
	f.Projects, f.Without = at.projects, at.without
	if branch := q.Get("branch"); branch != "" {
		f.Branch, f.Without = strings.TrimPrefix(branch, anyBranch), nil
	}
	rows, err := d.db.Memories(c.Request().Context(), f)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.MemoryList{Memories: d.wireMemories(rows[:min(len(rows), limit)]), Total: len(rows)})
}

// anyBranch selects the memories of all branches.
const anyBranch = "*"

func memoryFilter(state, primitive string) (store.MemoryFilter, error) {
	f := store.MemoryFilter{Form: primitive}
	switch s := store.MemoryState(state); s {
	case "", store.MemoryActive, store.MemoryArchived, store.MemorySuperseded:
		f.State = s
	case "all":
		f.AnyState = true
	default:
		return f, failure(api.Invalid, "state must be active, archived, superseded or all", "docs/api.md")
	}
	if primitive != "" && primitive != string(memory.Decision) && primitive != string(memory.Learning) {
		return f, failure(api.Invalid, "primitive must be decision or learning", "docs/api.md")
	}
	return f, nil
}

func (d *Daemon) wireMemories(rows []store.MemoryRow) []api.Memory {
	out := make([]api.Memory, len(rows))
	for i := range rows {
		out[i] = d.wireMemory(&rows[i])
	}
	return out
}

func (d *Daemon) wireMemory(m *store.MemoryRow) api.Memory {
	out := api.Memory{
		ID: m.Name, Entry: m.ID, Title: m.Title, Primitive: m.Form, Kind: m.Kind, State: string(m.State), Pinned: m.Pinned,
		Confidence: m.Confidence, Effective: d.effective(m), Created: time.UnixMilli(m.Created).UTC(),
		Updated: time.UnixMilli(m.Updated).UTC(), Project: m.ProjectName, ProjectID: m.Project, File: d.fileOf(*m),
		Origin: m.Origin, Foreign: m.Cloned, By: wordOf(m), Tags: m.Tags(),
		Sources:      []api.MemorySource{},
		SupersededBy: m.SupersededBy, Accesses: m.Accesses,
	}
	out.Branch = m.Branch
	out.Key, out.ValidFrom = m.Key, time.UnixMilli(m.ValidFrom).UTC()
	if m.ValidTo != 0 {
		to := time.UnixMilli(m.ValidTo).UTC()
		out.ValidTo = &to
	}
	for _, s := range m.Sources() {
		out.Sources = append(out.Sources, api.MemorySource(s))
	}
	if m.Accessed > 0 {
		at := time.UnixMilli(m.Accessed).UTC()
		out.Accessed = &at
	}
	return out
}

// effective computes the confidence of a memory today. It is never stored.
func (d *Daemon) effective(m *store.MemoryRow) float64 {
	if m.Pinned {
		return m.Confidence
	}
	var accessed time.Time
	if m.Accessed > 0 {
		accessed = time.UnixMilli(m.Accessed)
	}
	return memory.Effective(m.Confidence, time.UnixMilli(m.Created), accessed, d.o.Now(), d.decay())
}

func (d *Daemon) getMemory(c echo.Context) error {
	if err := onlyParams(c.QueryParams(), "project", "directory", "as_of"); err != nil {
		return err
	}
	then, err := d.asOfParam(c.QueryParam("as_of"))
	if err != nil {
		return err
	}
	m, err := d.namedMemory(c)
	if err == nil && !then.IsZero() {
		m, err = d.showAsOf(c.Request().Context(), m, then)
	}
	if err != nil {
		return err
	}
	d.noteAsked(c, m.ID)
	return c.JSON(http.StatusOK, d.wholeMemory(m))
}

func (d *Daemon) wholeMemory(m store.MemoryRow) api.Memory {
	out := d.wireMemory(&m)
	out.Body = m.Body()
	return out
}

// namedMemory finds the memory in a request path: by number, by id, or by a unique start of the id.
func (d *Daemon) namedMemory(c echo.Context) (store.MemoryRow, error) {
	ctx := c.Request().Context()
	at, err := d.placeOf(ctx, c.QueryParam("project"), c.QueryParam("directory"))
	if err != nil {
		return store.MemoryRow{}, err
	}
	return d.memoryNamed(ctx, c.Param("id"), at.projects)
}

func (d *Daemon) memoryNamed(ctx context.Context, name string, projects []int64) (store.MemoryRow, error) {
	if id, err := strconv.ParseInt(name, 10, 64); err == nil {
		rows, err := d.db.Memories(ctx, store.MemoryFilter{IDs: []int64{id}, AnyState: true})
		return onlyMemory(name, rows, err)
	}
	rows, err := d.db.Memories(ctx, store.MemoryFilter{Name: name, Projects: projects, AnyState: true})
	if err != nil || len(rows) > 0 {
		return onlyMemory(name, rows, err)
	}
	rows, err = d.db.Memories(ctx, store.MemoryFilter{Projects: projects, AnyState: true})
	return onlyMemory(name,
		slices.DeleteFunc(rows, func(m store.MemoryRow) bool { return !strings.HasPrefix(m.Name, name) }), err)
}

// onlyMemory returns the memory that a name refers to; of several, the active one.
func onlyMemory(name string, rows []store.MemoryRow, err error) (store.MemoryRow, error) {
	var active []store.MemoryRow
	for _, m := range rows {
		if m.State == store.MemoryActive {
			active = append(active, m)
		}
	}
	if len(active) == 1 {
		rows = active
	}
	switch {
	case err != nil:
		return store.MemoryRow{}, err
	case len(rows) == 0:
		return store.MemoryRow{}, failure(api.NotFound, fmt.Sprintf("there is no memory %q here", name), "mum memory list")
	case len(rows) > 1:
		return store.MemoryRow{},
			failure(api.Conflict, "several memories match: give a number", "mum memory list")
	}
	return rows[0], nil
}

func (d *Daemon) getMemorySearch(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "q", "project", "directory", "state", "limit", "as_of", "mode"); err != nil {
		return err
	}
	limit, err1 := intParam(q, "limit", 10, 1, 100)
	f, err2 := memoryFilter(q.Get("state"), "")
	then, err4 := d.asOfParam(q.Get("as_of"))
	at, err3 := d.placeOf(c.Request().Context(), q.Get("project"), q.Get("directory"))
	if err := firstError(err1, err2, err3, err4); err != nil {
		return err
	}
	var out api.MemoryList
	query, err := d.byMode(c.Request().Context(), store.Query{Text: q.Get("q"), Limit: limit, AsOf: then}, q.Get("mode"))
	if err != nil {
		return err
	}
	if then.IsZero() && (f.AnyState || f.State != "" && f.State != store.MemoryActive) {
		if q.Get("mode") != "" {
			return failure(api.Invalid, "mode searches active memories: omit state", "mum memory search --help")
		}
		f.Projects, f.Without = at.projects, at.without
		out, err = d.searchShelf(c.Request().Context(), q.Get("q"), f, limit)
	} else {
		out, err = d.searchMemories(c.Request().Context(), query, at)
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// searchMemories searches the active memories, or those that were valid at a time.
func (d *Daemon) searchMemories(ctx context.Context, q store.Query, at place) (api.MemoryList, error) {
	q.Type = store.KindMemory
	found, err := d.db.Search(ctx, d.within(at, q))
	if err != nil {
		return api.MemoryList{}, err
	}
	ids := make([]int64, len(found.Hits))
	for i, h := range found.Hits {
		ids[i] = h.ID
	}
	rows, err := d.db.Memories(ctx, store.MemoryFilter{IDs: ids, AsOf: q.AsOf})
	out := api.MemoryList{Memories: []api.Memory{}, Total: found.Total}
	for _, h := range found.Hits {
		if i := slices.IndexFunc(rows, func(m store.MemoryRow) bool { return m.ID == h.ID }); i >= 0 {
			m := d.wireMemory(&rows[i])
			m.Snippet, m.Score = h.Snippet, h.Score
			out.Memories = append(out.Memories, m)
		}
	}
	return out, err
}

// within restricts a query to the memories that a place shows.
func (d *Daemon) within(at place, q store.Query) store.Query {
	q.Without = at.without
	if at.projects == nil {
		return q
	}
	q.ProjectID, q.Everywhere = at.project, slices.Contains(at.projects, store.NoProjectRow)
	if !slices.Contains(at.projects, at.project) {
		q.ProjectID = store.NoProject
	}
	return q
}

// searchShelf searches memories that are no longer active and therefore not in the index, the best matches first.
func (d *Daemon) searchShelf(ctx context.Context, words string, f store.MemoryFilter,
	limit int) (api.MemoryList, error) {
	rows, err := d.db.Memories(ctx, f)
	if err != nil {
		return api.MemoryList{}, err
	}
	wanted := store.ContentWords(words)
	out := api.MemoryList{Memories: []api.Memory{}}
	for i := range rows {
		has := store.ContentWords(rows[i].Title + " " + rows[i].Text)
		n := 0
		for _, w := range wanted {
			if slices.Contains(has, w) {
				n++
			}
		}
		if 2*n < len(wanted) {
			continue
		}
		m := d.wireMemory(&rows[i])
		m.Score = float64(n)
		out.Memories = append(out.Memories, m)
	}
	sorting.Stable(out.Memories, func(a, b api.Memory) int { return int(b.Score - a.Score) })
	out.Total = len(out.Memories)
	out.Memories = out.Memories[:min(limit, len(out.Memories))]
	return out, nil
}
