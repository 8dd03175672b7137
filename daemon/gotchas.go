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

// gotchaTime limits how long a failed command waits for what is known about it. A lookup takes well below a
// millisecond, and a hook has 270 for an observation.
const gotchaTime = 100 * time.Millisecond

// reasonGotcha is the reason in the receipt of a line about a failure.
const reasonGotcha = "gotcha"

// toldOfTool returns what an agent is told in the answer to a tool call: one line about a command that failed in a
// known way, once per session. It never fails.
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
		d.log.Debug("the agent could not be told about a failure", "error", err)
	}
	return recall.Fence(line)
}

// failureOf returns the failed command of an event with the signature of its failure; "" = nothing failed.
func failureOf(e capture.Event) (command, sign string) {
	o := observation(e, store.SessionRef{}) // in its stored form, so that the signature is the same
	for _, s := range steps(rowOf(o), e.Agent.String()) {
		if sign, ok := gotcha.Sign(s.Command, s.Output); ok && s.Failed {
			return s.Command, sign
		}
	}
	return "", ""
}

// rowOf returns an observation as it is read from the store.
func rowOf(o store.Observation) store.ObservationRow {
	return store.ObservationRow{Tool: o.Tool.String(), Title: o.Title.String(), Text: o.Body.String(), Failed: o.Failed,
		Excluded: o.Excluded, Input: o.Input.String(), Output: o.Output.String()}
}

// steps converts an observation to steps for the detection of failures.
func steps(r store.ObservationRow, agent string) (out []gotcha.Step) {
	for _, deed := range compress.Deeds(r) {
		// Codex does not report failures
		failed := deed.Failed || agent == hooks.Codex && gotcha.Broke(deed.Command, deed.Output)
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
	muted, err := d.db.Muted(ctx)
	if err != nil {
		return "", err
	}
	line, err := d.wordGotcha(ctx, g, g.Project == project, muted)
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

// fits reports whether a gotcha helps with a failed command. A different form of the command helps only if it changes
// something that this command has too.
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

// commandOf returns the command of a document, from its title if the rest has been removed.
func commandOf(doc store.ObservationRow) string {
	for _, deed := range compress.Deeds(doc) {
		if deed.Command != "" {
			return deed.Command
		}
	}
	return strings.TrimSpace(strings.TrimPrefix(doc.Title, doc.Tool))
}

// best returns the gotcha to show among those known for a failure: one of this project before one that the user kept
// for all projects.
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

// tellable reports whether agents may be told about a gotcha. The user's decision has priority.
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

// rank puts this project first, then what the user kept.
func rank(g store.GotchaRow, project int64) (n int) {
	if g.Project == project {
		n += 2
	}
	if g.State != store.GotchaLearned {
		n++
	}
	return n
}

// wordGotcha returns the line about a gotcha. Stored text is treated like any other: it passes the current rules before
// it leaves, and muted entries are not shown.
func (d *Daemon) wordGotcha(ctx context.Context, g store.GotchaRow, here bool, muted []int64) (privacy.Clean, error) {
	if slices.Contains(muted, g.MendedBy) {
		return privacy.Clean{}, nil
	}
	docs, err := d.db.Observations(ctx, []int64{g.MendedBy})
	if err != nil || len(docs) == 0 {
		return privacy.Clean{}, err
	}
	line, _ := d.intake.Gate().Text(recall.Mended(g, docs[0], here))
	return line, nil
}

// reasonOf returns the line of a failed run that says why it failed, as it was stored.
func reasonOf(doc store.ObservationRow) string {
	for _, deed := range compress.Deeds(doc) {
		if line := gotcha.Reason(deed.Output); line != "" {
			return line
		}
	}
	return ""
}
