package daemon

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/layout"
	"keepmum/recall"
	"keepmum/sorting"
	"keepmum/store"
)

// Limits of an overview: a page in a terminal, about 600 tokens for an agent.
const (
	maxHolds       = 12
	readHolds      = 10 * maxHolds // some contain instructions to a model and are left out
	maxFailedRuns  = 3
	overviewAsks   = 5 // latest sessions in which failed commands are searched
	maxAboutFiles  = 8
	maxAboutOthers = 5
	aboutHits      = 30
)

// getOverview describes a project and its state. The same state always gives the same bytes.
func (d *Daemon) getOverview(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "project", "directory", "task"); err != nil {
		return err
	}
	ctx := c.Request().Context()
	at, err := d.placeOf(ctx, q.Get("project"), q.Get("directory"))
	if err == nil {
		at, err = d.onItsBranch(ctx, at)
	}
	if err != nil {
		return err
	}
	out, err := d.overview(ctx, at, q.Get("directory"), q.Get("task"))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

func (d *Daemon) overview(ctx context.Context, at place, dir, task string) (api.Overview, error) {
	out := api.Overview{Holds: []api.Memory{}, Failed: []api.FailedRun{}, Task: d.shownText(task)}
	if err := d.overviewTree(ctx, at, dir, &out); err != nil {
		return out, err
	}
	rows, total, err := d.db.FirstMemories(ctx, store.MemoryFilter{Projects: at.projects, Without: at.without}, readHolds)
	if err != nil {
		return out, err
	}
	total -= len(rows)
	rows = slices.DeleteFunc(rows, func(m store.MemoryRow) bool { return recall.SpeaksToAModel(m.Title) })
	sorting.Stable(rows, firstToTell)
	out.More = max(0, total+len(rows)-maxHolds)
	out.Holds = d.wireMemories(rows[:min(len(rows), maxHolds)])
	if at.project > 0 {
		if err := d.overviewSessions(ctx, at.project, &out); err != nil {
			return out, err
		}
	}
	if task != "" {
		out.About, err = d.about(ctx, at, task)
	}
	return out, err
}

// firstToTell orders memories: pinned ones first, unless they came with the repository; then the most trusted, then the
// latest. Equal ones are ordered by name, because their numbers depend on the order in which they were read.
func firstToTell(a, b store.MemoryRow) int {
	ours := func(m store.MemoryRow) bool { return m.Pinned && !m.FromRepository() }
	if ours(a) != ours(b) {
		if ours(a) {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(b.Updated, a.Updated), cmp.Compare(a.Name, b.Name),
		cmp.Compare(b.ID, a.ID))
}

func (d *Daemon) shownText(s string) string {
	c, _ := d.intake.Gate().Text(s)
	return c.String()
}

// overviewTree adds the description of the working tree.
func (d *Daemon) overviewTree(ctx context.Context, at place, dir string, out *api.Overview) error {
	if at.project > 0 {
		names, err := d.projectNames(ctx)
		if err != nil {
			return err
		}
		out.Project = names[at.project]
	}
	top := ""
	if dir != "" {
		p := d.intake.Project(dir)
		top, out.Project = p.Root.String(), cmp.Or(out.Project, p.Name.String())
	} else if at.project > 0 {
		tops, err := d.tops(ctx)
		if err != nil {
			return err
		}
		if len(tops[at.project]) > 0 {
			top = tops[at.project][0]
		}
	}
	var tree layout.Tree
	if top != "" {
		tree = layout.Read(top)
	}
	out.Directory, out.Languages = d.shownText(top), []api.Language{}
	for _, l := range tree.Languages {
		out.Languages = append(out.Languages, api.Language(l))
	}
	shown := func(list []string) []string {
		all := []string{}
		for _, s := range list {
			all = append(all, d.shownText(s))
		}
		return all
	}
	out.Entries, out.Build, out.Test = shown(tree.Entries), shown(tree.Build), shown(tree.Test)
	return nil
}

// overviewSessions adds what was done last, and what failed in the latest sessions.
func (d *Daemon) overviewSessions(ctx context.Context, project int64, out *api.Overview) error {
	rows, err := d.db.RecentSessions(ctx, project, overviewAsks)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if out.Last == nil {
			one, err := d.digest(ctx, row, 0, true)
			if err != nil {
				return err
			}
			one.Digest = slices.DeleteFunc(one.Digest, recall.SpeaksToAModel)
			if len(one.Digest) > 0 {
				out.Last = &one
			}
		}
		dig, err := recall.DigestOf(ctx, d.db, row)
		if err != nil {
			return err
		}
		if f := dig.Failed; f != nil && len(out.Failed) < maxFailedRuns {
			out.Failed = append(out.Failed, api.FailedRun{Entry: f.ID, Row: row.ID, At: time.UnixMilli(f.At).UTC(),
				Command: d.shownText(headLine(f.Title))})
		}
	}
	return nil
}

// about finds the files, memories and sessions for a task, from the best hits of a search.
func (d *Daemon) about(ctx context.Context, at place, task string) (*api.About, error) {
	out := &api.About{Files: []string{}, Memories: []api.Memory{}, Sessions: []api.SessionInfo{}}
	found, err := d.searchMemories(ctx, store.Query{Text: task, Limit: maxAboutOthers}, at)
	if err != nil {
		return out, err
	}
	out.Memories = found.Memories
	if at.project <= 0 {
		return out, nil
	}
	hits, err := d.db.Search(ctx, store.Query{Text: task, ProjectID: at.project, Limit: aboutHits})
	if err != nil {
		return out, err
	}
	ids := make([]int64, 0, len(hits.Hits))
	for _, h := range hits.Hits {
		if h.Type == store.KindMemory {
			continue
		}
		ids = append(ids, h.ID)
		for _, f := range h.Files {
			if f = d.shownText(f); len(out.Files) < maxAboutFiles && !slices.Contains(out.Files, f) {
				out.Files = append(out.Files, f)
			}
		}
	}
	docs, err := d.db.Observations(ctx, ids)
	if err != nil {
		return out, err
	}
	return out, d.aboutSessions(ctx, ids, docs, out)
}

func (d *Daemon) aboutSessions(ctx context.Context, ids []int64, docs []store.ObservationRow, out *api.About) error {
	session := map[int64]int64{}
	for _, doc := range docs {
		session[doc.ID] = doc.SessionID
	}
	seen := map[int64]bool{0: true}
	for _, id := range ids {
		row := session[id]
		if seen[row] || len(out.Sessions) == maxAboutOthers {
			continue
		}
		seen[row] = true
		s, err := d.db.Session(ctx, row)
		if err != nil {
			return err
		}
		out.Sessions = append(out.Sessions, wireSession(&s, 0))
	}
	return nil
}
