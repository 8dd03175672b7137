package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/privacy"
	"keepmum/store"
)

// getWhy returns the sessions and observations that a memory comes from.
func (d *Daemon) getWhy(c echo.Context) error {
	if err := onlyParams(c.QueryParams(), "project", "directory"); err != nil {
		return err
	}
	row, err := d.namedMemory(c)
	if err != nil {
		return err
	}
	d.noteAsked(c, row.ID)
	out := api.MemoryWhy{Memory: d.wholeMemory(row), Sessions: []api.SourceSession{}}
	bySession := map[string]int{}
	for _, s := range row.Sources() {
		i, seen := bySession[s.Session]
		if !seen {
			i = len(out.Sessions)
			bySession[s.Session] = i
			out.Sessions = append(out.Sessions, api.SourceSession{Session: s.Session, Moments: []api.Moment{}})
		}
		if s.Ref != "" {
			out.Sessions[i].Refs = append(out.Sessions[i].Refs, s.Ref)
		}
	}
	for i := range out.Sessions {
		if err := d.sourceSession(c.Request().Context(), &out.Sessions[i]); err != nil {
			return err
		}
	}
	return c.JSON(http.StatusOK, out)
}

// firstMoments is how many entries of a session are shown if a memory names none of its documents.
const firstMoments = 5

// sourceSession adds the stored entries of a session: the named documents, otherwise its start.
func (d *Daemon) sourceSession(ctx context.Context, s *api.SourceSession) error {
	session, found, err := d.sessionNamed(ctx, s.Session)
	if err != nil || !found {
		return err
	}
	s.Kept = true
	var ids []int64
	for _, ref := range s.Refs {
		if _, id := store.Place(ref); id != 0 {
			ids = append(ids, id)
		}
	}
	rows, err := d.db.Observations(ctx, ids)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.SessionID == session.ID {
			s.Moments = append(s.Moments, momentOf(r))
		}
	}
	if len(s.Moments) > 0 {
		return nil
	}
	lines, err := d.db.SessionLines(ctx, session.ID, 1000)
	for _, l := range lines {
		if l.Type == store.KindPrompt && len(s.Moments) < firstMoments {
			s.Moments = append(s.Moments,
				api.Moment{ID: l.ID, Type: spoken(l.Type, l.Role), Date: time.UnixMilli(l.At).UTC(), Title: headLine(l.Text)})
		}
	}
	return err
}

func momentOf(r store.ObservationRow) api.Moment {
	title := r.Title
	if title == "" {
		title = headLine(r.Text)
	}
	return api.Moment{ID: r.ID, Type: spoken(r.Type, r.Role), Date: r.Date.UTC(), Tool: r.Tool, Title: title}
}

// headLine returns the first line of a text, shortened.
func headLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if r := []rune(s); len(r) > 160 {
		return string(r[:159]) + "…"
	}
	return s
}

// sessionNamed finds a session by agent/id.
func (d *Daemon) sessionNamed(ctx context.Context, name string) (store.SessionRow, bool, error) {
	agent, native, ok := strings.Cut(name, "/")
	if !ok {
		return store.SessionRow{}, false, nil
	}
	f := d.intake.Gate().Event(privacy.Raw{Fields: map[string]string{"agent": agent, "native": native}}).Fields
	row, err := d.db.FindSession(ctx, f["agent"], f["native"])
	if errors.Is(err, store.ErrNotFound) {
		return row, false, nil
	}
	return row, err == nil, err
}

// getBlast returns everything derived from a document or a session.
func (d *Daemon) getBlast(c echo.Context) error {
	if err := onlyParams(c.QueryParams(), "of"); err != nil {
		return err
	}
	ctx := c.Request().Context()
	sel, err := d.blastOf(ctx, c.QueryParam("of"))
	if err != nil {
		return err
	}
	plan, err := d.db.PlanForget(ctx, sel)
	if err != nil {
		return wrongSelection(err)
	}
	if len(plan.Docs)+len(plan.Memories) == 0 {
		return failure(api.NotFound, fmt.Sprintf("there is no entry or session %q", c.QueryParam("of")),
			"mum search finds entries, mum show ENTRY names their session")
	}
	out := api.Blast{Sessions: append([]string{}, plan.From...), Summaries: []api.Moment{}, Told: []int64{}}
	rows, err := d.db.Memories(ctx, store.MemoryFilter{IDs: notNil(plan.Memories), AnyState: true})
	if err != nil {
		return err
	}
	out.Memories = d.wireMemories(rows)
	if out.Stands, err = d.standing(ctx, rows); err != nil {
		return err
	}
	summaries, err := d.db.Observations(ctx, plan.Derived)
	if err != nil {
		return err
	}
	for _, s := range summaries {
		out.Summaries = append(out.Summaries, momentOf(s))
	}
	told, err := d.db.InjectionsOf(ctx, append(append(plan.Docs, plan.Derived...), plan.Memories...))
	out.Told = notNil(told)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// blastOf parses what is asked for: the number of a document, or the agent's id of a session, alone or as agent/id.
func (d *Daemon) blastOf(ctx context.Context, of string) (store.Selection, error) {
	if n, err := strconv.ParseInt(of, 10, 64); err == nil {
		rows, err := d.db.Observations(ctx, []int64{n})
		if err == nil && len(rows) == 0 {
			err = store.ErrNotFound
		}
		return store.Selection{IDs: []int64{n}}, err
	}
	if err := need("of", of); err != nil {
		return store.Selection{}, err
	}
	sel := store.Selection{Session: of}
	_, err := d.selectSession(ctx, &sel)
	return sel, err
}

// sessionLike finds a session by the agent's id, alone or as agent/id, or by the beginning of one.
func (d *Daemon) sessionLike(ctx context.Context, agent, name string) (store.Read, error) {
	begin, err := d.db.SessionsLike(ctx, agent, name)
	if first, id, ok := strings.Cut(name, "/"); ok && err == nil && len(begin) == 0 && (agent == "" || agent == first) {
		begin, err = d.db.SessionsLike(ctx, first, id)
	}
	switch {
	case err != nil:
		return store.Read{}, err
	case len(begin) == 0:
		return store.Read{}, store.ErrNotFound
	case len(begin) > 1:
		return store.Read{}, failure(api.Invalid,
			"several sessions start like that: "+begin[0].Agent+"/"+begin[0].Native+", "+begin[1].Agent+"/"+begin[1].Native,
			"use a full id, as agent/id")
	}
	return begin[0], nil
}
