package distill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"keepmum/extract"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/trace"
)

// How far a note is trusted, depending on who wrote it. An agent's note is written as a memory, and trusted more when a
// second session confirms it.
const (
	userNoted  = 0.9
	agentNoted = 0.6
	twiceNoted = 0.75
)

// maxNoteTitle is how much of a note can be the title of its memory; the rest is the body.
const maxNoteTitle = 160

// noted turns decisions and findings that someone noted on purpose into memories, in their own words. It reads each
// note once, unless the run covers only some of the sessions.
func (r *run) noted(ctx context.Context) error {
	if r.o.NoExtract || r.report.Stopped || r.full() {
		return nil
	}
	part := r.isPart()
	rows, err := r.w.DB.SaidNotes(ctx, part || r.o.Force)
	if err != nil {
		return fmt.Errorf("read the notes: %w", err)
	}
	for i := range rows {
		if r.yields() {
			return nil
		}
		waits, err := r.takeNote(ctx, &rows[i])
		if waits || err != nil {
			return err
		}
		if !part && !r.o.DryRun {
			if err := r.w.DB.ReadNotes(ctx, rows[i].ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// isPart reports whether the run covers only some of the sessions. Reading only what is new does not count: a note that
// nobody has read is new.
func (r *run) isPart() bool {
	return r.o.Session != "" || r.o.Project != "" || len(r.o.Agents) > 0 || !r.o.Window.Until.IsZero()
}

// concernsNote reports whether the run covers a note.
func (r *run) concernsNote(n *store.SaidNote) bool {
	o := &r.o
	within := o.Window.Until.IsZero() || o.Window.holds(time.UnixMilli(n.At))
	named := o.Session == "" || o.Session == n.Native || o.Session == r.key(n.Agent, n.Native).String()
	return within && named && r.wants(n.Agent) && (o.Project == "" || o.Project == n.ProjectName)
}

// takeNote decides about one note. It returns true for one to be read later.
func (r *run) takeNote(ctx context.Context, n *store.SaidNote) (waits bool, err error) {
	if !r.concernsNote(n) || n.Project <= store.NoProjectRow {
		return false, nil
	}
	switch _, why := r.w.Admit(Origin{Agent: n.Agent, ID: n.Native, Parent: n.Parent, Dir: n.Dir,
		Branch: n.Branch, DryRun: r.o.DryRun}); why {
	case "":
	case "paused":
		return true, nil
	default:
		return false, nil
	}
	b, err := r.open(ctx, n.Project, n.ProjectName)
	if err != nil {
		return false, err
	}
	ses, c := r.ofNote(n)
	res := extract.Result{By: "note", Candidates: []memory.Candidate{c}}
	row := store.CatalogueRow{Agent: n.Agent, Native: n.Native, Project: n.Project, ProjectName: n.ProjectName}
	if err := r.dropForgotten(ctx, row, ses, &res); err != nil || len(res.Candidates) == 0 {
		return false, err
	}
	if err := r.bindToBranch(ctx, row, ses, &res); err != nil {
		return false, err
	}
	c = res.Candidates[0]
	if b.saidElsewhere(c) {
		c.Confidence = max(c.Confidence, twiceNoted)
	}
	a, err := r.put(ctx, b, c)
	if err == nil && a.Action == memory.Noop && a.Reason == memory.Same {
		a, err = r.confirm(b, c, a)
	}
	if err != nil {
		return false, fmt.Errorf("write a memory of a note: %w", err)
	}
	r.traceNote(n, ses)
	r.acted(a, ses, c)
	return false, nil
}

// ofNote returns a note as a candidate, and the session in which it was written. The stored text passes today's rules
// again.
func (r *run) ofNote(n *store.SaidNote) (extract.Session, memory.Candidate) {
	ev := r.w.Gate.Event(privacy.Raw{Dir: n.Dir, Fields: map[string]string{"agent": n.Agent, "session": n.Native,
		"text": n.Text, "file": n.File, "branch": n.Branch, "project": n.ProjectName}}).Fields
	at := time.UnixMilli(n.At).UTC()
	ses := extract.Session{Agent: ev["agent"], ID: ev["session"], Project: ev["project"], Branch: ev["branch"],
		Start: at, End: at}
	ref, _ := r.w.Gate.Text("#" + decimal(n.ID))
	tag, _ := r.w.Gate.Text(n.Type)
	c := memory.Candidate{Primitive: memory.Learning, Kind: memory.Fact, Tags: []privacy.Clean{tag},
		Confidence: userNoted, Told: !n.ByAgent(), Guessed: n.ByAgent(), At: at,
		Sources: []memory.Source{{Session: privacy.Join("/", ses.Agent, ses.ID), Ref: ref}}}
	if n.ByAgent() {
		c.Confidence = agentNoted
	}
	c.Title, c.Body = titleAndBody(ev["text"])
	if !ev["file"].IsZero() {
		c.Body = privacy.Join("\n\n", nonZero(c.Body, privacy.Join("", privacy.Const("In `"), ev["file"],
			privacy.Const("`.")))...)
	}
	if n.Type == store.NoteDecision && utf8.RuneCountInString(c.Body.String()) >= memory.MinBody {
		c.Primitive, c.Kind = memory.Decision, ""
	}
	return ses, c
}

func nonZero(parts ...privacy.Clean) []privacy.Clean {
	return slices.DeleteFunc(parts, privacy.Clean.IsZero)
}

// titleAndBody splits a note: a single sentence is its own title. Of a longer text, the first line is the title, as far
// as it fits, and all of it is the body.
func titleAndBody(text privacy.Clean) (title, body privacy.Clean) {
	said := strings.TrimSpace(text.String())
	first, rest, _ := strings.Cut(said, "\n")
	if rest == "" && utf8.RuneCountInString(first) <= maxNoteTitle {
		return text, privacy.Clean{}
	}
	at := strings.Index(text.String(), first)
	title = text.Slice(at, at+len(first))
	if utf8.RuneCountInString(first) > maxNoteTitle {
		title = title.Cut(maxNoteTitle)
	}
	return title, text
}

// saidElsewhere reports whether only another session said what a candidate says.
func (b *book) saidElsewhere(c memory.Candidate) bool {
	v := b.judge(c).Decide(c)
	m := b.byID[v.Target]
	return (v.Action == memory.Update || v.Reason == memory.Same) && len(m.Sources) > 0 && !saidIn(m, c)
}

// saidIn reports whether the session of a candidate is a source of a memory.
func saidIn(m memory.Memory, c memory.Candidate) bool {
	return slices.ContainsFunc(m.Sources, func(o memory.Origin) bool { return o.Session == c.Sources[0].Session.String() })
}

// confirm records that another session, or someone who is trusted more, says the same as a memory.
func (r *run) confirm(b *book, c memory.Candidate, a Action) (Action, error) {
	m := b.byID[a.Target]
	if saidIn(m, c) && m.Confidence >= c.Confidence {
		return a, nil
	}
	v := memory.Verdict{Action: memory.Update, Target: a.Target, Score: a.Score, Reason: memory.Same}
	if r.o.DryRun {
		return Action{Action: v.Action, Reason: v.Reason, Target: v.Target, Score: v.Score}, nil
	}
	now, _, err := r.carryOut(b, c, v)
	if errors.Is(err, memory.ErrChanged) || errors.Is(err, memory.ErrNotFound) { // their version stays
		return a, nil
	}
	b.changed = b.changed || err == nil
	return Action{Action: v.Action, Reason: v.Reason, Target: v.Target, Score: v.Score, Path: now.Path}, err
}

// traceNote records that a note was read.
func (r *run) traceNote(n *store.SaidNote, ses extract.Session) {
	r.trace.Add(trace.Entry{Kind: trace.Session, Session: privacy.Join("/", ses.Agent, ses.ID), Project: ses.Project,
		Branch: ses.Branch, Steps: 1, Candidates: 1, By: privacy.Const("note"), Action: privacy.Const("looked_at"),
		Entry: n.ID})
}
