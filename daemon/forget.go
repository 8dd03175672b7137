package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/distill"
	"keepmum/hooks"
	"keepmum/memory"
	"keepmum/store"
	"keepmum/trace"
	"keepmum/transcript"
)

func (d *Daemon) postForget(c echo.Context) error {
	var in api.Forget
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	unhurried(c)
	ctx := c.Request().Context()
	var out api.Forgotten
	var err error
	if in.Text != "" {
		out, err = d.forgetText(ctx, in)
	} else {
		out, err = d.forgetSelection(ctx, in)
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// exactly decodes a body that may contain only the fields of v: with a misspelt criterion, more would be removed than
// was meant.
func (d *Daemon) exactly(c echo.Context, v any) error {
	body, err := d.readBody(c)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	return decodeAll(dec, v, body)
}

// unhurried removes the time limits of a response whose duration depends on the size of the database.
func unhurried(c echo.Context) {
	control := http.NewResponseController(c.Response())
	_ = control.SetReadDeadline(time.Time{}) // a server that does not support this keeps its limits
	_ = control.SetWriteDeadline(time.Time{})
}

func (d *Daemon) forgetSelection(ctx context.Context, in api.Forget) (api.Forgotten, error) {
	sel, known, err := d.selection(ctx, in)
	if err != nil {
		return api.Forgotten{}, err
	}
	plan, err := d.db.PlanForget(ctx, sel)
	if err != nil {
		return api.Forgotten{}, wrongSelection(err)
	}
	token := d.shownToken(sel.UpTo, plan)
	if in.Confirm != "" && in.Confirm != token {
		return api.Forgotten{}, failure(api.Conflict, "what was shown has changed meanwhile: nothing was removed",
			"look at it again, then confirm")
	}
	if plan.Empty() && sel.OneSession() {
		if plan.Read = d.unread(ctx, sel); known && len(plan.Read) == 0 {
			plan.Read = []store.Read{{Agent: sel.Agent, Native: sel.Session}}
		}
	}
	if plan.Empty() && !known {
		return api.Forgotten{}, failure(api.NotFound,
			fmt.Sprintf("there is no session %.80q: nothing was removed", d.shownText(in.Session)), "mum session list --all")
	}
	return d.forgetPlanned(ctx, plan, in, token)
}

// forgetPlanned removes what a plan covers, or says what it would remove, and names what stays.
func (d *Daemon) forgetPlanned(ctx context.Context, plan store.ForgetPlan, in api.Forget,
	token string) (api.Forgotten, error) {
	left, err := d.left(ctx, plan)
	if err != nil {
		return api.Forgotten{}, err
	}
	out, err := d.forgetPlan(ctx, plan, in.DryRun)
	left(&out)
	switch {
	case err != nil:
	case in.DryRun:
		out.Token = token
	case in.Project != "" && !plan.Empty():
		out.SetAsideLeft, err = d.setAside()
	}
	return out, err
}

// selection returns what a request selects; known = false if it names a session of which nothing is stored.
func (d *Daemon) selection(ctx context.Context, in api.Forget) (sel store.Selection, known bool, err error) {
	sel = store.Selection{IDs: in.IDs, Words: in.Query, Agent: in.Agent, Session: in.Session, Project: in.Project}
	known = in.Session == ""
	if !known {
		if known, err = d.selectSession(ctx, &sel); err != nil {
			return sel, known, err
		}
	}
	if err := d.allThere(ctx, in.IDs); err != nil {
		return sel, known, err
	}
	if in.Project != "" {
		if _, err := d.db.ProjectNamed(ctx, in.Project); err != nil {
			return sel, known, err
		}
	}
	if in.Since != nil {
		sel.Since = *in.Since
	}
	if in.Until != nil {
		sel.Until = *in.Until
	}
	sel.UpTo, err = d.upTo(ctx, in.Confirm)
	return sel, known, err
}

// upTo returns the newest document that a dry run saw, from its token, or the newest one that there is.
func (d *Daemon) upTo(ctx context.Context, token string) (int64, error) {
	if token == "" {
		return d.db.LastDocument(ctx)
	}
	number, _, _ := strings.Cut(token, ".")
	last, err := strconv.ParseInt(number, 10, 64)
	if err != nil || last < 0 {
		return 0, failure(api.Invalid, "that is not the token of a dry run", "make a dry run first and use its token")
	}
	return last, nil
}

// shownToken returns a token for what a plan removes, without what is derived from it.
func (d *Daemon) shownToken(upTo int64, plan store.ForgetPlan) string {
	return fmt.Sprintf("%d.%s", upTo, d.confirmation(slices.Concat(plan.Docs, []int64{0}, plan.Memories)))
}

// allThere rejects unknown ids: a mistyped id may stand for an entry that should be removed.
func (d *Daemon) allThere(ctx context.Context, ids []int64) error {
	rows, err := d.db.Observations(ctx, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !slices.ContainsFunc(rows, func(r store.ObservationRow) bool { return r.ID == id }) {
			hint := "mum search finds ids"
			if old, err := d.setAside(); err == nil && len(old) > 0 {
				hint = "these files, set aside by a restore, may still contain it; remove them with rm: " + strings.Join(old, " ")
			}
			return failure(api.NotFound, fmt.Sprintf("there is no entry %d: nothing was removed", id), hint)
		}
	}
	return nil
}

// transcripts counts the sessions of a plan; a session that nobody knows may belong to any agent.
func transcripts(plan store.ForgetPlan) int {
	ids := map[string]bool{}
	for _, r := range plan.Read {
		ids[r.Native] = true
	}
	return len(ids)
}

// selectSession completes the session of a selection, and reports whether it is known.
func (d *Daemon) selectSession(ctx context.Context, sel *store.Selection) (known bool, err error) {
	session, err := d.sessionLike(ctx, sel.Agent, sel.Session)
	switch {
	case err == nil:
		sel.Agent, sel.Session = session.Agent, session.Native
	case !errors.Is(err, store.ErrNotFound):
		return false, err
	default:
		agent, id, ok := strings.Cut(sel.Session, "/")
		if ok && id != "" && slices.Contains(hooks.Agents(), agent) && (sel.Agent == "" || sel.Agent == agent) {
			sel.Agent, sel.Session = agent, id
		}
	}
	return err == nil, nil
}

// unread returns the session of a selection that no run has read yet: only its agent's own files name it.
func (d *Daemon) unread(ctx context.Context, sel store.Selection) (out []store.Read) {
	sources, _ := transcript.Discover(ctx, d.o.Transcripts) // what cannot be listed has no session that can be named
	for _, source := range sources {
		sessions, _ := transcript.Sessions(ctx, source)
		for _, s := range sessions {
			if s.ID == sel.Session && (sel.Agent == "" || sel.Agent == s.Agent) {
				out = append(out, store.Read{Agent: s.Agent, Native: s.ID})
			}
		}
	}
	return out
}

func (d *Daemon) forgetPlan(ctx context.Context, plan store.ForgetPlan, dryRun bool) (api.Forgotten, error) {
	out := api.Forgotten{Documents: notNil(plan.Docs), Derived: notNil(plan.Derived), Memories: notNil(plan.Memories),
		Sessions: len(plan.Sessions), Transcripts: transcripts(plan), DryRun: dryRun}
	if !dryRun {
		d.forgetting.Lock()
		defer d.forgetting.Unlock()
	}
	if plan.Empty() && !dryRun { // it may be gone already, except from older backups
		if _, err := d.finishInterrupted(ctx); err != nil {
			return out, err
		}
		var err error
		out.SetAside, err = d.setAside()
		return out, err
	}
	if dryRun {
		var err error
		out.First, err = d.firstOf(ctx, plan)
		return out, err
	}
	probes, err := d.db.Probes(ctx, plan)
	if err != nil {
		return out, err
	}
	d.beginForget()
	if err := d.forgetShared(ctx, plan); err != nil {
		return out, err
	}
	if out.SetAside, err = d.forgetSetAside(ctx, plan); err != nil {
		return out, err
	}
	roots, err := d.forgetFiles(ctx, plan)
	if err != nil {
		return out, err
	}
	if _, err := d.reviews.WithoutProposals(plan.Proposals); err != nil {
		return out, err
	}
	if err := d.db.Forget(ctx, plan); err != nil {
		return out, err
	}
	if err := d.rewritten(ctx, roots); err != nil {
		return out, err
	}
	if err := d.forgetTraces(plan); err != nil {
		return out, err
	}
	return d.proveGone(ctx, out, probes)
}

// rewritten updates what is derived from trees in which something was forgotten.
func (d *Daemon) rewritten(ctx context.Context, roots []store.MemoryRoot) error {
	for _, r := range roots {
		err := d.written(ctx, r)
		// the project was removed with its last session; its lists must not name what was removed
		if errors.Is(err, store.ErrNotFound) {
			err = d.regenerate(ctx, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// maxFirst limits how many of the affected entries are listed.
const maxFirst = 20

// firstOf lists the entries by which a person can judge a plan: memories first, then what was said and done.
func (d *Daemon) firstOf(ctx context.Context, plan store.ForgetPlan) ([]api.Moment, error) {
	ids := slices.Concat(plan.Memories, plan.Docs, plan.Derived)
	rows, err := d.db.Observations(ctx, ids[:min(len(ids), maxFirst)])
	out := []api.Moment{}
	for _, r := range rows {
		out = append(out, momentOf(r))
	}
	return out, err
}

func (d *Daemon) forgetText(ctx context.Context, in api.Forget) (api.Forgotten, error) {
	if in.DryRun || len(in.IDs) > 0 || in.Query+in.Agent+in.Session+in.Project != "" || in.Since != nil ||
		in.Until != nil {
		return api.Forgotten{},
			failure(api.Invalid, "text cannot be combined with other criteria, and has no dry run",
				"printf %s \"$VALUE\" | mum forget --secret-stdin")
	}
	d.forgetting.Lock()
	defer d.forgetting.Unlock()
	d.beginForget()
	n, err := d.db.Replace(ctx, in.Text)
	if errors.Is(err, store.ErrInvalid) { // nothing was begun
		err = errors.Join(err, d.endForget())
	}
	if err != nil {
		return api.Forgotten{}, wrongSelection(err)
	}
	out := api.Forgotten{Documents: []int64{}, Derived: []int64{}, Memories: []int64{}, Changed: n}
	if out.FilesChanged, out.Problems, err = d.scrubTrees(ctx, memory.NewGone(in.Text), false,
		map[string]int{}); err != nil {
		return out, err
	}
	return d.proveGone(ctx, out, store.Spellings(in.Text))
}

// proveGone replaces the backups, which contained the text, and searches every byte of the data directory, and of
// memories in repositories, for it.
func (d *Daemon) proveGone(ctx context.Context, out api.Forgotten, probes []string) (api.Forgotten, error) {
	var err error
	if out.Backups, err = d.replaceBackups(ctx); err != nil {
		return out, err
	}
	out.Probes = len(probes)
	if err := d.db.Compact(ctx); err != nil { // the search below may still find nothing
		d.log.Warn("what was forgotten may still be in unused space of the database", "error", err)
	}
	if err := d.db.Checkpoint(ctx); err != nil { // the index of the memories has been written since the last checkpoint
		return out, err
	}
	if _, err := trace.Forget(string(d.o.Home), probes...); err != nil {
		return out, err
	}
	if _, err := distill.ForgetRuns(string(d.o.Home), probes...); err != nil {
		return out, err
	}
	if _, err := d.reviews.Without(probes...); err != nil {
		return out, err
	}
	if err := d.endForget(); err != nil {
		return out, err
	}
	if err := d.look(ctx, probes, &out); err != nil || len(out.Found) == 0 {
		return out, err
	}
	removed, left, err := d.removeSetAside(out.Found)
	out.SetAside, out.Found = append(out.SetAside, removed...), left
	if err != nil || len(left) == 0 {
		return out, err
	}
	// someone who read the memory files may have written their contents meanwhile
	if err := d.db.Checkpoint(ctx); err != nil {
		return out, err
	}
	return out, d.look(ctx, probes, &out)
}

// look searches every byte of our files, and their names, for pieces of a text. It lists each file once, even if one
// directory contains another.
func (d *Daemon) look(ctx context.Context, probes []string, out *api.Forgotten) error {
	dirs, err := d.keptDirs(ctx)
	if err != nil {
		return err
	}
	out.Found, out.Unread, out.Files = nil, nil, 0
	for _, dir := range dirs {
		in, err := store.FindBytes(dir, probes...)
		if err != nil {
			return err
		}
		named, err := store.FindNames(dir, probes...)
		if err != nil {
			return err
		}
		out.Found = slices.Concat(out.Found, in.Found, named.Found)
		out.Unread = slices.Concat(out.Unread, in.Unread, named.Unread)
		out.Files += in.Files
	}
	for _, list := range []*[]string{&out.Found, &out.Unread} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return nil
}

func notNil(ids []int64) []int64 {
	if ids == nil {
		return []int64{}
	}
	return ids
}
