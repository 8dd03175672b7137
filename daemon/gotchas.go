package daemon

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"keepmum/budget"
	"keepmum/capture"
	"keepmum/compress"
	"keepmum/gotcha"
	"keepmum/hooks"
	"keepmum/privacy"
	"keepmum/recall"
	"keepmum/store"
)

// gotchaTime is how long a failed command waits for what is known about it: a look-up takes
// well below a millisecond, and a hook gives an observation 270.
const gotchaTime = 100 * time.Millisecond

// reasonGotcha is in the receipt of what was told of a failure.
const reasonGotcha = "gotcha"

// toldOfTool is what an agent is told in the answer to the use of a tool: one line about a
// command that failed as it did before, once in a session. It never fails.
func (d *Daemon) toldOfTool(ctx context.Context, out outcome) string {
	c := d.o.Config.Context
	if !c.Enabled || !bool(c.Gotchas) || out.reason != "" ||
		d.intake.Repo(out.event.Project.Root.String()).NoContext {
		return ""
	}
	command, sign := failureOf(out.event)
	if sign == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, budget.Of(min(gotchaTime, time.Duration(c.Timeout))))
	defer cancel()
	line, err := d.gotchaLine(ctx, out, command, d.db.FailureMark(sign))
	if err != nil {
		d.log.Debug("nothing told of a failure", "error", err)
	}
	return recall.Fence(line)
}

// failureOf is the failed command that an event tells of, with its sign; "" = it tells of none.
func failureOf(e capture.Event) (command, sign string) {
	o := observation(e, store.SessionRef{}) // as it is kept, so that it has the same sign
	row := store.ObservationRow{Tool: o.Tool.String(), Title: o.Title.String(), Text: o.Body.String(), Failed: o.Failed,
		Excluded: o.Excluded, Input: o.Input.String(), Output: o.Output.String()}
	for _, s := range steps(row, e.Agent.String()) {
		if sign, ok := gotcha.Sign(s.Command, s.Output); ok && s.Failed {
			return s.Command, sign
		}
	}
	return "", ""
}

// steps are what an observation is, as failures are looked for in it.
func steps(r store.ObservationRow, agent string) (out []gotcha.Step) {
	for _, deed := range compress.Deeds(r) {
		failed := deed.Failed || agent == hooks.Codex && gotcha.Broke(deed.Command, deed.Output) // it does not say
		out = append(out, gotcha.Step{ID: r.ID, Subagent: r.Subagent, Command: deed.Command, File: deed.File,
			Output: deed.Output, Failed: failed})
	}
	return out
}

func (d *Daemon) gotchaLine(ctx context.Context, out outcome, command, mark string) (string, error) {
	project, ok, err := d.db.FindProject(ctx, projectRef(out.event.Project))
	if err != nil || !ok {
		return "", err
	}
	session, err := d.db.FindSession(ctx, out.event.Agent, out.event.Session)
	if err != nil {
		return "", err
	}
	known, err := d.db.GotchasFor(ctx, mark, project, session.ID)
	if err != nil || len(known) == 0 {
		return "", err
	}
	g, ok := best(known, project)
	if !ok {
		return "", nil
	}
	if ok, err = d.fits(ctx, g, command); err != nil || !ok {
		return "", err
	}
	untold, err := d.db.Untold(ctx)
	if err != nil {
		return "", err
	}
	line, err := d.wordGotcha(ctx, g, g.Project == project, untold)
	if err != nil || line.IsZero() {
		return "", err
	}
	fresh, err := d.db.TellGotcha(ctx, mark, g.ID, store.Injection{Project: project, Session: session.ID,
		Reason: reasonGotcha, Entries: []store.Injected{{ID: g.MendedBy, Type: store.KindObservation}}, Doc: out.id,
		Tokens: recall.Tokens(line.String())})
	if err != nil || !fresh {
		return "", err
	}
	return line.String(), nil
}

// fits reports whether a gotcha is of use to a command that failed: another form is, where it
// changes what this command has as well.
func (d *Daemon) fits(ctx context.Context, g store.GotchaRow, command string) (bool, error) {
	if gotcha.How(g.How) != gotcha.Instead {
		return true, nil
	}
	docs, err := d.db.Observations(ctx, []int64{g.Doc, g.MendedBy})
	if err != nil {
		return false, err
	}
	ran := map[int64]string{}
	for _, doc := range docs {
		ran[doc.ID] = commandOf(doc)
	}
	return gotcha.Fits(command, ran[g.Doc], ran[g.MendedBy]), nil
}

// commandOf is the command that a document tells of: its title, once the rest is gone.
func commandOf(doc store.ObservationRow) string {
	for _, deed := range compress.Deeds(doc) {
		if deed.Command != "" {
			return deed.Command
		}
	}
	return strings.TrimSpace(strings.TrimPrefix(doc.Title, doc.Tool))
}

// best is the gotcha that is told, of those that are known about a failure: the one of this
// project before one that the user kept for all.
func best(known []store.GotchaRow, project int64) (store.GotchaRow, bool) {
	known = slices.DeleteFunc(known, func(g store.GotchaRow) bool { return !tellable(g) })
	if len(known) == 0 {
		return store.GotchaRow{}, false
	}
	return slices.MinFunc(known, func(a, b store.GotchaRow) int {
		return cmp.Or(cmp.Compare(rank(b, project), rank(a, project)), cmp.Compare(b.Sessions, a.Sessions),
			cmp.Compare(b.At, a.At))
	}), true
}

// tellable reports whether agents are told of a gotcha. The user's word settles it.
func tellable(g store.GotchaRow) bool {
	switch g.State {
	case store.GotchaKept, store.GotchaEverywhere:
		return true
	case store.GotchaDropped:
		return false
	default:
		return gotcha.Trusted(gotcha.How(g.How), g.Sessions, g.Mended)
	}
}

// rank puts this project first, and then what the user kept.
func rank(g store.GotchaRow, project int64) (n int) {
	if g.Project == project {
		n += 2
	}
	if g.State != store.GotchaLearned {
		n++
	}
	return n
}

// wordGotcha is the line about a gotcha. What is read back is text like any other: it
// passes today's rules before it leaves, and what the user wants untold stays so.
func (d *Daemon) wordGotcha(ctx context.Context, g store.GotchaRow, here bool, untold []int64) (privacy.Clean, error) {
	if slices.Contains(untold, g.MendedBy) {
		return privacy.Clean{}, nil
	}
	docs, err := d.db.Observations(ctx, []int64{g.MendedBy})
	if err != nil || len(docs) == 0 {
		return privacy.Clean{}, err
	}
	line, _ := d.intake.Gate().Text(recall.Mended(g, docs[0], here))
	return line, nil
}

// reasonOf is the line of a failed run that says why it failed, as it was kept.
func reasonOf(doc store.ObservationRow) string {
	for _, deed := range compress.Deeds(doc) {
		if line := gotcha.Reason(deed.Output); line != "" {
			return line
		}
	}
	return ""
}
