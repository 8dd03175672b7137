package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/distill"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/trace"
)

// traceOf starts the trace of a run.
func (d *Daemon) traceOf(id, does string) *trace.Run {
	return trace.Begin(trace.Options{Home: string(d.o.Home), Gate: d.intake.Gate(), Now: d.o.Now,
		Price: d.price, Sent: d.report}, id, does)
}

// newTrace starts the trace of a run that has no id yet.
func (d *Daemon) newTrace(does string) *trace.Run {
	return d.traceOf(distill.NewRunID(store.RunKind(does), d.o.Now()), does)
}

// tracedAsk records what an answer is based on: numbers, never the question or the answer.
func (d *Daemon) tracedAsk(t *trace.Run, out api.Answer) {
	for _, c := range out.Citations {
		e := trace.Entry{Kind: trace.Passage, Entry: c.Entry, Form: t.Word(c.Type), Project: t.Word(c.Project),
			Action: privacy.Const("found")}
		if c.Cited {
			e.Action = privacy.Const("cited")
		}
		t.Add(e)
	}
	outcome := "passages"
	switch {
	case !out.Known:
		outcome = "unknown"
	case out.Answer != "":
		outcome = "answered"
	}
	d.ended(t, outcome, out.Why)
}

func (d *Daemon) ended(t *trace.Run, outcome, why string) {
	if err := t.End(outcome, why); err != nil {
		d.log.Warn("the trace of a run could not be written", "error", d.loggable(err))
	}
}

// pruneTraces removes traces that are older than the settings allow.
func (d *Daemon) pruneTraces() {
	c := d.o.Config.Runs
	if _, err := trace.Prune(string(d.o.Home), trace.Retention{Days: c.KeepDays, Most: c.Most}, d.o.Now()); err != nil {
		d.log.Warn("old traces could not be removed", "error", d.loggable(err))
	}
}

// forgetTraces removes the sessions and memories of a plan from all traces. Titles need this because a run may have
// worded them itself, so a search for the text would miss them.
func (d *Daemon) forgetTraces(plan store.ForgetPlan) error {
	names := slices.Clone(plan.From)
	for _, r := range plan.Read {
		names = append(names, r.Agent+"/"+r.Native)
	}
	texts := make([]string, len(names))
	for i, n := range names {
		texts[i] = `"` + n + `"` // a complete quoted value, because one session's id may be the start of another's
	}
	_, err := trace.Forget(string(d.o.Home), texts...)
	return err
}

// maxRunsListed limits how many runs are listed.
const maxRunsListed = 1000

func (d *Daemon) getRuns(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "kind", "limit"); err != nil {
		return err
	}
	limit, err := intParam(q, "limit", 20, 1, maxRunsListed)
	if err != nil {
		return err
	}
	kind := q.Get("kind")
	if kind != "" && !slices.Contains([]string{"sync", "maintain", "compress", "ask"}, kind) {
		return failure(api.Invalid, "kind must be sync, maintain, compress or ask", "mum runs list --help")
	}
	ids, err := trace.Runs(string(d.o.Home), kind)
	if err != nil {
		return err
	}
	out := api.RunList{Runs: []api.RunTotals{}, Total: len(ids)}
	for _, id := range ids[:min(limit, len(ids))] {
		lines, err := trace.Read(string(d.o.Home), id)
		if err != nil && !errors.Is(err, trace.ErrNone) {
			return err
		}
		out.Runs = append(out.Runs, totals(id, lines))
	}
	return c.JSON(http.StatusOK, out)
}

// totals sums up a run.
func totals(id string, lines []trace.Record) api.RunTotals {
	out := api.RunTotals{RunID: id, Outcome: "unfinished", Fates: map[string]int{}}
	out.Does, _, _ = strings.Cut(id, "-")
	for i, l := range lines {
		if i == 0 {
			out.Started = l.At
		}
		switch l.Kind {
		case trace.Session:
			out.Sessions++
		case trace.Candidate, trace.Step, trace.Job, trace.Passage:
			out.Fates[l.Action]++
		case trace.Call:
			out.Calls++
			out.In, out.Out, out.Cost, out.ModelSeconds = out.In+l.In, out.Out+l.Out, out.Cost+l.Cost,
				out.ModelSeconds+l.Seconds
		case trace.Ended:
			out.Outcome, out.Why, out.Seconds = l.Outcome, l.Reason, l.Seconds
		}
	}
	return out
}

func (d *Daemon) getRun(c echo.Context) error {
	if err := onlyParams(c.QueryParams()); err != nil {
		return err
	}
	id := c.Param("id")
	if id == "last" {
		ids, err := trace.Runs(string(d.o.Home), "")
		if err != nil || len(ids) == 0 {
			return firstError(err, failure(api.NotFound, "no run has left a trace yet", "mum sync"))
		}
		id = ids[0]
	}
	lines, err := trace.Read(string(d.o.Home), id)
	if errors.Is(err, trace.ErrNone) {
		return failure(api.NotFound, "there is no trace of that run", "mum runs list")
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.RunTrace{RunTotals: totals(id, lines), Lines: wireLines(lines)})
}

func wireLines(lines []trace.Record) []api.RunLine {
	out := make([]api.RunLine, len(lines))
	for i, l := range lines {
		out[i] = api.RunLine(l)
	}
	return out
}

// getRunsWhy explains what happened to a session: what its last run did with it, or why none read it.
func (d *Daemon) getRunsWhy(c echo.Context) error {
	q := c.QueryParams()
	if err := firstError(onlyParams(q, "session"), need("session", q.Get("session"))); err != nil {
		return err
	}
	ctx, name := c.Request().Context(), q.Get("session")
	sel := store.Selection{Session: name}
	known, err := d.selectSession(ctx, &sel)
	if err != nil {
		return err
	}
	if known {
		name = sel.Agent + "/" + sel.Session
	}
	out, err := d.lastRun(name)
	if err != nil {
		return err
	}
	switch {
	case known || len(out.Lines) > 0 || len(d.unread(ctx, sel)) > 0:
	case len(name) < minSessionName:
		return failure(api.Invalid, "give the id of a session, or at least its first six characters",
			"mum session list --all")
	default:
		return failure(api.NotFound, fmt.Sprintf("there is no session %.80q", name), "mum session list --all")
	}
	if out.Why, out.Next, err = d.whyOf(ctx, out.Session, out.Lines); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// lastRun returns what the last run of sync that read a session did with it.
func (d *Daemon) lastRun(session string) (out api.RunWhy, err error) {
	out = api.RunWhy{Session: session, Lines: []api.RunLine{}}
	ids, err := trace.Runs(string(d.o.Home), "sync")
	if err != nil {
		return out, err
	}
	for _, id := range ids {
		lines, err := trace.Read(string(d.o.Home), id)
		if err != nil && !errors.Is(err, trace.ErrNone) {
			return out, err
		}
		for _, l := range lines {
			if ofSession(l.Session, session) {
				out.Session, out.RunID = l.Session, id
				out.Lines = append(out.Lines, api.RunLine(l))
			}
		}
		if len(out.Lines) > 0 {
			break
		}
	}
	return out, nil
}

// minSessionName is how many characters of a session's id are needed; fewer might match another session.
const minSessionName = 6

// ofSession reports whether a name refers to a session: agent/id, the id, or at least the first six characters of the
// id.
func ofSession(session, name string) bool {
	_, native, _ := strings.Cut(session, "/")
	begins := len(name) >= minSessionName && strings.HasPrefix(native, name)
	return session != "" && (session == name || native == name || begins)
}

// whyOf explains what happened to a session, and what to do about it.
func (d *Daemon) whyOf(ctx context.Context, name string, lines []api.RunLine) (why, next string, err error) {
	kept, waits, known, dropped := 0, 0, 0, 0
	for _, l := range lines {
		switch {
		case l.Kind == trace.Session && l.Action != "looked_at":
			return l.Action + ": " + l.Reason, "mum sync --force --run-id " + name[strings.IndexByte(name, '/')+1:], nil
		case l.Kind != trace.Candidate:
		case slices.Contains([]string{"add", "update", "supersede", "instead", "history"}, l.Action):
			kept++
		case l.Action == string(distill.Proposed):
			waits++
		case l.Action == string(memory.Noop) && l.Reason == string(memory.Same):
			known++
		default:
			dropped++
		}
	}
	switch {
	case kept > 0:
		next, err = d.whyMemory(ctx, name)
		return "it became part of a memory", next, err
	case waits > 0:
		return "what it may teach waits for your review", "mum review", nil
	case known > 0:
		next, err = d.whyMemory(ctx, name)
		return "what it teaches was already known", next, err
	case dropped > 0:
		return "nothing that it may teach became a memory; each line says why", "mum memory add writes one", nil
	case len(lines) > 0:
		return "it contains nothing to remember: no decision, no rule, no correction",
			"mum memory add writes one", nil
	}
	return d.whyNotRead(ctx, name)
}

// whyMemory returns the command that shows the latest memory of a session; it may be gone meanwhile.
func (d *Daemon) whyMemory(ctx context.Context, session string) (string, error) {
	id, err := d.db.LatestLearned(ctx, session)
	if err != nil || id == 0 {
		return "mum memory list --all", err
	}
	return fmt.Sprintf("mum why %d", id), nil
}

// whyNotRead explains why no run read a session.
func (d *Daemon) whyNotRead(ctx context.Context, name string) (why, next string, err error) {
	known, err := d.db.Catalogue(ctx)
	if err != nil {
		return "", "", err
	}
	for _, row := range known {
		if !ofSession(row.Agent+"/"+row.Native, name) {
			continue
		}
		next := "mum sync --run-id " + row.Native
		switch row.State {
		case store.SyncPending, store.SyncRunning:
			return "it waits for a run of sync", next, nil
		case store.SyncFailed, store.SyncDead:
			return "reading it failed: " + row.Error, "mum retry " + row.Key[:min(len(row.Key), 12)], nil
		}
		return "it was read, but the trace of that run is gone", "mum sync --force --run-id " + row.Native, nil
	}
	return "no run has read it: it is still being written, or excluded", "mum sync; mum status", nil
}
