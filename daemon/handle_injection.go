package daemon

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/store"
)

func (d *Daemon) getInjection(c echo.Context) error {
	ids := []int64{0} // the latest one
	if c.Param("id") != "last" {
		var err error
		if ids, err = idList(c.Param("id")); err != nil || len(ids) > 1 {
			return failure(api.Invalid, "give the number of a receipt, or last", "mum explain")
		}
	}
	ctx := c.Request().Context()
	row, err := d.db.FindInjection(ctx, ids[0])
	switch {
	case errors.Is(err, store.ErrNotFound) && ids[0] == 0:
		return failure(api.NotFound, "no agent has been told anything yet", "mum context shows what the next one is told")
	case errors.Is(err, store.ErrNotFound):
		return failure(api.NotFound, fmt.Sprintf("there is no receipt %d", ids[0]),
			"mum explain shows the last one, mum blast ENTRY lists those for an entry")
	case err != nil:
		return err
	}
	out := api.Injection{ID: row.ID, At: time.UnixMilli(row.At).UTC(), Reason: row.Reason, Query: row.Query,
		Tokens: row.Tokens, Entries: []api.Injected{}}
	entries := row.Entries()
	docs, err := d.db.Observations(ctx, entryIDs(entries))
	if err != nil {
		return err
	}
	known := map[int64]store.ObservationRow{}
	for _, doc := range docs {
		known[doc.ID] = doc
	}
	for _, e := range entries {
		doc := known[e.ID] // empty if it was forgotten
		out.Entries = append(out.Entries,
			api.Injected{ID: e.ID, Type: spoken(e.Type, doc.Role), Title: titleOf(doc), Score: e.Score, Held: e.Held})
	}
	session, err := d.db.Session(ctx, row.Session)
	if err != nil {
		return err
	}
	out.Session, out.Agent, out.Project = session.Native, session.Agent, session.ProjectName
	return c.JSON(http.StatusOK, out)
}

func entryIDs(entries []store.Injected) []int64 {
	ids := make([]int64, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	return ids
}

// titleOf returns a one-line title of a document.
func titleOf(doc store.ObservationRow) string {
	return cmp.Or(doc.Title, firstLine(doc.Text))
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	if r := []rune(first); len(r) > 120 {
		return string(r[:119]) + "…"
	}
	return first
}
