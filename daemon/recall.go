package daemon

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/budget"
	"keepmum/hooks"
	"keepmum/privacy"
	"keepmum/recall"
	"keepmum/store"
)

// recalled is the text to inject, and the reason for it.
type recalled struct {
	text    string
	reason  string
	entries int
	id      int64 // id of the receipt; 0 = nothing was told
}

// recallFor finds what an agent should be told at a session start or a prompt. It never fails: without an answer in
// time, the agent is told nothing.
func (d *Daemon) recallFor(ctx context.Context, out outcome) recalled {
	c := d.o.Config.Context
	atStart := out.event.Kind == hooks.SessionStart
	if !c.Enabled || atStart && !c.Start || d.intake.Repo(out.event.Project.Root.String()).NoContext {
		return recalled{reason: "disabled"}
	}
	ctx, cancel := context.WithTimeout(ctx, budget.Of(time.Duration(c.Timeout)))
	defer cancel()
	if !out.until.IsZero() {
		ctx, cancel = context.WithDeadline(ctx, out.until)
		defer cancel()
	}
	id, ok, err := d.db.FindProject(ctx, projectRef(out.event.Project))
	if err != nil || !ok {
		return recalled{reason: "empty"}
	}
	session, err := d.db.FindSession(ctx, out.event.Agent, out.event.Session)
	if err != nil {
		return recalled{reason: "empty"}
	}
	ask := recall.Ask{Project: id, Row: session.ID, Dir: out.event.Dir.String(), Name: out.event.Project.Name.String(),
		Agent: out.event.Agent.String(), Session: out.event.Session.String(), Branch: out.event.Project.Branch.String(),
		Until: out.until}
	ask.Files = d.filesSince(ctx)
	ask.Compacted = atStart && out.event.Source.String() == "compact"
	shown := func() {}
	if atStart && !ask.Compacted {
		shown = d.resumed(ctx, &ask)
	}
	if out.event.Kind == hooks.Prompt {
		ask.Prompt, ask.Doc = out.event.Text.String(), out.id
	}
	r := d.recallAsk(ctx, ask, out.event.Text)
	if r.reason != reasonTimeout {
		shown()
	}
	return r
}

// reasonTimeout is the reason for telling nothing because it would have come too late.
const reasonTimeout = "timeout"

// filesSince returns a function that says what became of the files of a session, as far as there is time for it.
func (d *Daemon) filesSince(ctx context.Context) func(store.SessionRow, int64) []recall.File {
	return func(s store.SessionRow, done int64) []recall.File { return d.filesInTime(ctx, s, done) }
}

// resumed adds the session that the user selected to be shown first. It returns a function that clears the selection
// once it was shown.
func (d *Daemon) resumed(ctx context.Context, ask *recall.Ask) func() {
	row, err := d.db.Resumed(ctx, ask.Project)
	if err != nil || row == 0 {
		return func() {}
	}
	ask.First = row
	// if this fails, it is shown once more
	return func() { _ = d.db.Resume(context.WithoutCancel(ctx), ask.Project, 0) }
}

// recallAsk answers ask, for its time in the past if it has one. It writes a receipt if a session is active.
func (d *Daemon) recallAsk(ctx context.Context, ask recall.Ask, prompt privacy.Clean) recalled {
	c := d.o.Config.Context
	then := ask.Now
	if ask.MaxEntries = c.MaxEntries; ask.Now.IsZero() {
		ask.Now = d.o.Now()
	}
	ask.Memories, ask.Trust = d.readable(ask.Project), d.effective
	if ask.Tokens == 0 {
		ask.Tokens = c.BudgetTokens
	}
	src, err := d.telling(ctx, ask.Branch)
	var block recall.Block
	if err == nil {
		block, err = recall.Find(ctx, asOf(src, then), ask)
	}
	if err != nil {
		d.log.Debug("nothing recalled", "error", err)
		return recalled{reason: reasonTimeout}
	}
	if !ask.Until.IsZero() && !time.Now().Before(ask.Until) { // a receipt would say that it was told
		return recalled{reason: reasonTimeout}
	}
	// Stored text is treated like any other: it passes the current rules before it leaves.
	text, _ := d.intake.Gate().Text(block.Text)
	out := recalled{text: recall.Fence(text.String()), reason: block.Reason, entries: told(block.Entries)}
	d.noteTold(block.Entries)
	// After a compaction the agent has forgotten what it was told before: the receipt says from where that is.
	if ask.Row != 0 && (len(block.Entries) > 0 || ask.Compacted) {
		out.id = d.receipt(ctx, ask, block, prompt)
	}
	return out
}

func told(entries []store.Injected) (n int) {
	for _, e := range entries {
		if !e.Held {
			n++
		}
	}
	return n
}

// receipt records what was told, for `mum explain` and so that it is not told twice. If the receipt fails, the agent is
// told all the same.
func (d *Daemon) receipt(ctx context.Context, ask recall.Ask, b recall.Block, prompt privacy.Clean) int64 {
	reason := b.Reason
	if ask.Compacted {
		reason = store.ReasonCompacted
	}
	id, err := d.db.PutInjection(ctx, store.Injection{
		Project: ask.Project, Session: ask.Row, Reason: reason, Query: prompt, Entries: b.Entries,
		Doc: ask.Doc, Tokens: recall.Tokens(b.Text),
	})
	if err != nil {
		d.log.Warn("the receipt of what an agent was told could not be stored", "error", err)
	}
	return id
}

func (d *Daemon) getContext(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "project", "directory", "budget", "format", "q", "asked", "as_of"); err != nil {
		return err
	}
	budget, err := intParam(q, "budget", d.o.Config.Context.BudgetTokens, 1, 2000)
	if err != nil {
		return err
	}
	if f := q.Get("format"); f != "" && f != "text" && f != "json" {
		return failure(api.Invalid, "format must be text or json", "docs/api.md")
	}
	found, name, err := d.contextProject(c)
	if err != nil {
		return err
	}
	then, err := d.asOfParam(q.Get("as_of"))
	if err != nil {
		return err
	}
	if a := q.Get("asked"); a != "" && a != "true" && a != "false" {
		return failure(api.Invalid, "asked must be true or false", "docs/api.md")
	}
	ask := recall.Ask{Project: found, Name: name, Prompt: q.Get("q"), Asked: q.Get("asked") == "true", Tokens: budget,
		Now: then, Branch: d.branchOf(q)}
	if ask.Prompt == "" && then.IsZero() { // what a start would be told
		ask.Dir, ask.Files = q.Get("directory"), d.filesSince(c.Request().Context())
		d.resumed(c.Request().Context(), &ask)
	}
	r := d.recallAsk(c.Request().Context(), ask, privacy.Clean{})
	if q.Get("format") == "json" {
		return c.JSON(http.StatusOK, api.Context{Context: r.text, Entries: r.entries, Reason: r.reason})
	}
	return c.String(http.StatusOK, r.text)
}

func (d *Daemon) contextProject(c echo.Context) (id int64, name string, err error) {
	if dir := c.QueryParam("directory"); dir != "" {
		id, err = d.projectAt(c, dir)
		return id, d.intake.Project(dir).Name.String(), err
	}
	name = c.QueryParam("project")
	if name == "" {
		return 0, "", failure(api.Invalid, "project or directory is missing", "GET /context?project=shop")
	}
	id, err = d.db.ProjectNamed(c.Request().Context(), name)
	return id, name, err
}

// learnOwners reads after a start what the first prompt would otherwise wait for.
func (d *Daemon) learnOwners(ctx context.Context) {
	if err := d.db.LearnOwners(ctx); err != nil && ctx.Err() == nil {
		d.log.Warn("the agent may get no context at the first prompt", "error", err)
	}
}

var _ recall.Source = (*store.DB)(nil)
