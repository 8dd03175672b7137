package daemon

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/gotcha"
	"keepmum/recall"
	"keepmum/store"
)

// shareProjects is the number of projects in which the same fix must have worked before it is proposed for all
// projects.
const shareProjects = 3

// getGotchas lists what was learned about failures. It first reads sessions that have continued.
func (d *Daemon) getGotchas(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "project", "directory", "id", "soon"); err != nil {
		return err
	}
	ctx := c.Request().Context()
	id, err1 := idParam(q, "id")
	at, err2 := d.placeOf(ctx, q.Get("project"), q.Get("directory"))
	if err := firstError(err1, err2); err != nil {
		return err
	}
	reading := d.learnFor(ctx, q.Get("soon") == "true")
	rows, err := d.gotchaRows(ctx, id, at.project)
	if err != nil {
		return err
	}
	muted, err := d.db.Muted(ctx)
	if err != nil {
		return err
	}
	out := api.Gotchas{Gotchas: []api.Gotcha{}, On: bool(d.o.Config.Context.Gotchas), Reading: reading}
	for _, g := range rows {
		w, err := d.wireGotcha(ctx, g, muted)
		if err != nil {
			return err
		}
		out.Gotchas = append(out.Gotchas, w)
	}
	return c.JSON(http.StatusOK, out)
}

// gotchaRows returns one gotcha, or those of a project (0 = all). It skips gotchas from too few sessions unless the
// user kept them.
func (d *Daemon) gotchaRows(ctx context.Context, id, project int64) ([]store.GotchaRow, error) {
	if id != 0 {
		g, err := d.gotcha(ctx, id)
		return []store.GotchaRow{g}, err
	}
	rows, err := d.db.Gotchas(ctx, project)
	return slices.DeleteFunc(rows, func(g store.GotchaRow) bool {
		return g.State == store.GotchaLearned && !gotcha.Trusted(gotcha.How(g.How), g.Sessions, g.Sessions)
	}), err
}

func (d *Daemon) gotcha(ctx context.Context, id int64) (store.GotchaRow, error) {
	g, err := d.db.Gotcha(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		err = failure(api.NotFound, "there is no gotcha "+strconv.FormatInt(id, 10), "mum gotchas --all lists them")
	}
	return g, err
}

// wireGotcha reads the texts of a gotcha from its documents, because it stores none itself.
func (d *Daemon) wireGotcha(ctx context.Context, g store.GotchaRow, muted []int64) (api.Gotcha, error) {
	docs, err := d.db.Observations(ctx, []int64{g.Doc, g.MendedBy})
	if err != nil {
		return api.Gotcha{}, err
	}
	line, err := d.wordGotcha(ctx, g, true, muted)
	out := api.Gotcha{ID: g.ID, Project: g.ProjectName, State: string(g.State), How: g.How, Sessions: g.Sessions,
		Fixed: g.Mended, Projects: g.Projects, Failed: g.Doc, FixedBy: g.MendedBy, PassedBy: g.PassedBy,
		At: time.UnixMilli(g.At).UTC(), Told: g.Told, Tellable: tellable(g) && !line.IsZero(), Line: line.String(),
		Proposed: bool(d.o.Config.Memory.SharePitfalls) && g.Projects >= shareProjects && g.State != store.GotchaEverywhere &&
			g.State != store.GotchaDropped}
	for _, doc := range docs {
		if doc.ID == g.Doc {
			out.Command, out.Error = recall.Remedy(doc, "ran"), reasonOf(doc)
		}
		if doc.ID == g.MendedBy {
			out.Remedy = recall.Remedy(doc, g.How)
		}
	}
	return out, err
}

// postGotcha applies the user's decision about one gotcha.
func (d *Daemon) postGotcha(c echo.Context) error {
	var in api.GotchaAct
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return failure(api.Invalid, "give the number of a gotcha", "mum gotchas --json")
	}
	states := map[string]store.GotchaState{"keep": store.GotchaKept, "drop": store.GotchaDropped,
		"undo": store.GotchaLearned}
	state, known := states[c.Param("act")]
	switch {
	case !known:
		return failure(api.Invalid, "the action must be keep, drop or undo", "keep, drop, undo")
	case in.Everywhere && state != store.GotchaKept:
		return failure(api.Invalid, "everywhere can only be combined with keep", "mum gotchas keep ID --everywhere")
	case in.Everywhere:
		state = store.GotchaEverywhere
	}
	ctx := c.Request().Context()
	if _, err := d.gotcha(ctx, id); err != nil {
		return err
	}
	if err := d.db.DecideGotcha(ctx, id, state); err != nil {
		return err
	}
	g, err := d.gotcha(ctx, id)
	if err != nil {
		return err
	}
	muted, err := d.db.Muted(ctx)
	if err != nil {
		return err
	}
	out, err := d.wireGotcha(ctx, g, muted)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}
