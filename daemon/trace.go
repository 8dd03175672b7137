package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/privacy"
	"keepmum/recall"
	"keepmum/store"
)

// getTrace follows a session from its events to what the next start would show, and reports at which step it ends.
func (d *Daemon) getTrace(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "session", "directory", "project"); err != nil {
		return err
	}
	ctx := c.Request().Context()
	at, err := d.placeOf(ctx, q.Get("project"), q.Get("directory"))
	if err != nil {
		return err
	}
	row, err := d.db.SessionNamed(ctx, max(at.project, 0), q.Get("session"))
	if errors.Is(err, store.ErrNotFound) {
		return failure(api.NotFound, "no event of such a session has arrived here", "mum session list")
	}
	if err != nil {
		return err
	}
	out := api.SessionTrace{SessionInfo: wireSession(&row, 0)}
	for _, step := range []func(context.Context, store.SessionRow) (api.Check, error){
		d.traceKept, d.traceFound, d.traceDigest, d.traceTelling, d.traceTold} {
		one, err := step(ctx, row)
		if err != nil {
			return err
		}
		out.Steps = append(out.Steps, one)
	}
	return c.JSON(http.StatusOK, out)
}

func passed(name, detail string) api.Check {
	return api.Check{Check: name, State: "ok", Detail: detail}
}

func stopped(name, detail, fix string) api.Check {
	return api.Check{Check: name, State: "problem", Detail: detail, Fix: fix}
}

// traceKept reports whether something of the session is stored, and whether the next event would be.
func (d *Daemon) traceKept(_ context.Context, row store.SessionRow) (api.Check, error) {
	repo := d.intake.Repo(d.intake.Project(row.Dir).Root.String())
	_, paused := d.intake.Paused()
	switch {
	case row.Docs == 0:
		return stopped("kept", "the session started, but nothing of it was stored: it is private, or its events were lost",
			"mum doctor"), nil
	case !d.o.Config.Capture.Enabled:
		return stopped("kept", "capture.enabled is off: nothing more is stored", "mum config set capture.enabled on"), nil
	case paused:
		return stopped("kept", "capture is paused: nothing more is stored", "mum resume"), nil
	case repo.Paused:
		return stopped("kept", "the repository's own config pauses capture", "look at .mum/config.toml"), nil
	}
	return passed("kept", fmt.Sprintf("entries: %d, the last on %s", row.Docs,
		time.UnixMilli(row.Last).UTC().Format(time.DateTime))), nil
}

// traceFound reports whether a search finds what was said last.
func (d *Daemon) traceFound(ctx context.Context, row store.SessionRow) (api.Check, error) {
	lines, err := d.db.SessionPrompts(ctx, row.ID, 1)
	if err != nil || len(lines) == 0 {
		return passed("found", "there is no text to search for"), err
	}
	hits, err := d.db.Search(ctx, store.Query{Text: lines[0].Text, ProjectID: row.Project, Limit: 100})
	if err != nil {
		return api.Check{}, err
	}
	if hits.NoWords {
		return passed("found", fmt.Sprintf("entry %d has no word to search for", lines[0].ID)), nil
	}
	if !slices.ContainsFunc(hits.Hits, func(h store.Hit) bool { return h.ID == lines[0].ID }) {
		return stopped("found", fmt.Sprintf("a search for the words of entry %d does not find it: the index is incomplete",
			lines[0].ID), "mum doctor --fix"), nil
	}
	return passed("found", fmt.Sprintf("a search finds entry %d", lines[0].ID)), nil
}

// traceDigest reports whether there is anything to show of the session.
func (d *Daemon) traceDigest(ctx context.Context, row store.SessionRow) (api.Check, error) {
	one, err := d.digest(ctx, row, 0, true)
	if err != nil {
		return api.Check{}, err
	}
	if len(one.Digest) == 0 {
		return stopped("digest", "there is nothing to show: no task was given or noted, or the session is done",
			"mum session task TEXT"), nil
	}
	return passed("digest", fmt.Sprintf("lines: %d, tokens: %d", len(one.Digest), one.Tokens)), nil
}

// traceTelling reports whether agents get any context here.
func (d *Daemon) traceTelling(_ context.Context, row store.SessionRow) (api.Check, error) {
	switch c := d.o.Config.Context; {
	case !c.Enabled:
		return stopped("telling", "context.enabled is off: agents get no context", "mum config set context.enabled on"), nil
	case !c.Start:
		return stopped("telling", "context.start is off: a start gets no context", "mum config set context.start on"), nil
	case d.intake.Repo(d.intake.Project(row.Dir).Root.String()).NoContext:
		return stopped("telling", "the repository's own config switches context off", "look at .mum/config.toml"), nil
	}
	return passed("telling", "agents get context at the start"), nil
}

// traceTold reports whether the next start shows this session.
func (d *Daemon) traceTold(ctx context.Context, row store.SessionRow) (api.Check, error) {
	first, err := d.db.Resumed(ctx, row.Project)
	if err != nil {
		return api.Check{}, err
	}
	dig, err := recall.DigestOf(ctx, d.db, row)
	if err != nil {
		return api.Check{}, err
	}
	said := d.recallAsk(ctx, recall.Ask{Project: row.Project, Name: row.ProjectName, Dir: row.Dir, First: first},
		privacy.Clean{})
	for _, id := range dig.IDs() {
		if strings.Contains(said.text, fmt.Sprintf("(%d)", id)) {
			return passed("told", fmt.Sprintf("the next start is told about entry %d of it", id)), nil
		}
	}
	resume := fmt.Sprintf("mum session resume %d", row.ID)
	latest, err := d.db.RecentSessions(ctx, row.Project, 1)
	switch {
	case err != nil:
		return api.Check{}, err
	case said.text == "":
		return stopped("told", "the next start gets no context", resume), nil
	case first != row.ID && len(latest) > 0 && latest[0].ID != row.ID: // which is how it should be
		return passed("told", "the next start is told about a later session first; "+resume+" changes that"), nil
	}
	return stopped("told", "the next start is told about something else first", resume), nil
}
