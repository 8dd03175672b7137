package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/store"
)

// idParam reads an optional number, such as a cursor.
func idParam(q url.Values, name string) (int64, error) {
	if q.Get(name) == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(q.Get(name), 10, 64)
	if err != nil || id < 0 {
		return 0, failure(api.Invalid, name+" must be a number of at least 0", "docs/api.md")
	}
	return id, nil
}

func (d *Daemon) getFeed(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "before", "after", "session", "excluded", "oldest", "limit"); err != nil {
		return err
	}
	f := store.FeedFilter{Excluded: q.Get("excluded") == "true", Oldest: q.Get("oldest") == "true"}
	var err1, err2, err3, err4 error
	f.Before, err1 = idParam(q, "before")
	f.After, err2 = idParam(q, "after")
	f.Session, err3 = idParam(q, "session")
	f.Limit, err4 = intParam(q, "limit", 50, 1, 200)
	if err := firstError(err1, err2, err3, err4); err != nil {
		return err
	}
	f.Limit++ // one more shows whether there are further entries
	rows, err := d.db.Feed(c.Request().Context(), f)
	if err != nil {
		return err
	}
	out := api.Feed{More: len(rows) == f.Limit}
	if out.More {
		rows = rows[:f.Limit-1]
	}
	out.Events, err = d.wireEvents(c.Request().Context(), rows)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// wireEvents adds redactions, injections and requests to events.
func (d *Daemon) wireEvents(ctx context.Context, rows []store.FeedRow) ([]api.Event, error) {
	ids, at := make([]int64, len(rows)), make(map[int64]int, len(rows))
	out := make([]api.Event, len(rows))
	for i := range rows {
		ids[i], at[rows[i].ID] = rows[i].ID, i
		out[i] = d.wireEvent(&rows[i])
	}
	if len(rows) == 0 {
		return out, nil
	}
	taken, err1 := d.db.TakenOut(ctx, ids)
	told, err2 := d.db.Injections(ctx, store.InjectionFilter{Docs: ids, Limit: 1000})
	sent, err3 := d.db.SentOf(ctx, ids)
	for _, t := range taken {
		e := &out[at[t.Doc]]
		e.Taken = append(e.Taken, api.Taken{Rule: t.Rule, Count: t.Count, Bytes: t.Bytes})
	}
	for i := range told {
		e := &out[at[told[i].Doc]]
		e.Told = append(e.Told, wireReceipt(&told[i]))
	}
	for _, s := range sent {
		e := &out[at[s.Turn]]
		e.Sent = append(e.Sent, wireSent(s))
	}
	return out, firstError(err1, err2, err3)
}

func (d *Daemon) wireEvent(r *store.FeedRow) api.Event {
	e := api.Event{
		ID: r.ID, Type: spoken(r.Type, r.Role), Date: time.UnixMilli(r.At).UTC(), Agent: r.Agent, Session: r.Native,
		Row: r.Session, Project: r.Project, Branch: r.Branch, Tool: r.Tool, Title: r.Title, Text: r.Text,
		Failed: r.Failed, Excluded: r.Excluded, RanMS: r.Ran, HookMS: d.count.tookFor(r.ID),
	}
	_ = json.Unmarshal([]byte(r.Files), &e.Files) // written only by the store; if damaged, it reads as no files
	return e
}

func wireReceipt(r *store.InjectionRow) api.Receipt {
	n := 0
	for _, e := range r.Entries() {
		if !e.Held {
			n++
		}
	}
	return api.Receipt{ID: r.ID, At: time.UnixMilli(r.At).UTC(), Row: r.Session, Prompt: r.Doc, Reason: r.Reason,
		Query: r.Query, Tokens: r.Tokens, Entries: n, Agent: r.Agent, Project: r.ProjectName}
}

func wireSent(s store.Sent) api.Sent {
	return api.Sent{Times: s.Times, Last: time.UnixMilli(s.Last).UTC(),
		Sending: api.Sending{Host: s.Host, Model: s.Model, Purpose: s.Purpose, Bytes: s.Bytes, Left: store.Left(s.Host)}}
}

func (d *Daemon) getSessions(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "before", "project", "limit"); err != nil {
		return err
	}
	ctx := c.Request().Context()
	before, err1 := timeParam(q, "before")
	limit, err2 := intParam(q, "limit", 50, 1, 200)
	at, err3 := d.placeOf(ctx, q.Get("project"), "")
	if err := firstError(err1, err2, err3); err != nil {
		return err
	}
	last := int64(0)
	if !before.IsZero() {
		last = before.UnixMilli()
	}
	rows, err := d.db.SessionsBefore(ctx, at.project, last, limit+1)
	if err != nil {
		return err
	}
	out := api.SessionList{Sessions: []api.SessionInfo{}, More: len(rows) > limit}
	ids := make([]int64, 0, len(rows))
	for _, r := range rows[:min(len(rows), limit)] {
		ids = append(ids, r.ID)
	}
	failed, err := d.db.FailedIn(ctx, ids)
	for i := range ids {
		out.Sessions = append(out.Sessions, wireSession(&rows[i], failed[ids[i]]))
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

func wireSession(r *store.SessionRow, failed int64) api.SessionInfo {
	out := api.SessionInfo{
		Row:     r.ID,
		Agent:   r.Agent,
		Session: r.Native,
		Title:   firstLine(strings.TrimSpace(r.First)),
		Project: r.ProjectName,
		Branch:  r.Branch,
		Dir:     r.Dir,
		Model:   r.Model,
		Started: time.UnixMilli(r.Started).UTC(),
		Last:    time.UnixMilli(r.Last).UTC(),
		Reason:  r.Reason,
		Events:  r.Docs,
		Failed:  failed,
	}
	if r.Ended != nil {
		at := time.UnixMilli(*r.Ended).UTC()
		out.Ended = &at
	}
	return out
}

// getSession returns one session by number.
func (d *Daemon) getSession(c echo.Context) error {
	ids, err := idList(c.Param("row"))
	if err != nil || len(ids) != 1 {
		return failure(api.Invalid, "give the number of a session", "GET /sessions lists them")
	}
	ctx := c.Request().Context()
	row, err := d.db.Session(ctx, ids[0])
	if errors.Is(err, store.ErrNotFound) {
		return failure(api.NotFound, "there is no session with that number", "GET /sessions lists them")
	}
	if err != nil {
		return err
	}
	failed, err := d.db.FailedIn(ctx, ids)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, wireSession(&row, failed[row.ID]))
}
