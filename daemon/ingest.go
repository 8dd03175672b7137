package daemon

import (
	"context"
	"errors"
	"slices"
	"time"

	"keepmum/capture"
	"keepmum/compress"
	"keepmum/gotcha"
	"keepmum/hooks"
	"keepmum/privacy"
	"keepmum/project"
	"keepmum/store"
)

// Results of an event.
const (
	statusOK       = "ok"
	statusExcluded = "excluded" // about a denied path: stored without its content
	statusSkipped  = "skipped"  // not stored
)

// outcome is the result of one event.
type outcome struct {
	status   string
	reason   string
	id       int64
	findings int
	event    capture.Event // zero if skipped before the gate
	until    time.Time     // when the agent stops waiting for context; zero = unknown
}

// ingest passes one event through the gate into the store. It returns after the commit, because what is acknowledged
// must be durable.
func (d *Daemon) ingest(ctx context.Context, in capture.Incoming) (outcome, error) {
	d.touch()
	stored := d.db.Announce()
	defer stored()
	began := time.Now()
	d.relearn(ctx, in.Event)
	if d.isHere(ctx, in.Project, in.Event.Dir) {
		in.Project = ""
	}
	e, why := d.intake.Take(in)
	out := outcome{status: statusSkipped, reason: why}
	if why == capture.PrivateSession {
		d.notePrivate(ctx, in.Event.Dir)
	}
	if why == "" {
		var err error
		if out, err = d.keep(ctx, e); err != nil {
			return out, err
		}
		d.histories.note(in.Event.Dir, in.Event.Kind == hooks.SessionStart)
		if in.Event.Kind == hooks.Observation {
			d.hasWorked()
			d.sawFiles(out)
		}
	}
	if in.Event.Kind == hooks.SessionEnd {
		d.runs.ended(d.o.Now().Add(time.Duration(d.o.Config.Sync.Settle)))
	}
	d.count.took(in.Event.Agent, in.Event.Kind, out, time.Since(began))
	return out, nil
}

// isHere reports whether the project of a directory has a name; a project may be stored with another name than its
// directory's.
func (d *Daemon) isHere(ctx context.Context, name, dir string) bool {
	if name == "" || dir == "" {
		return false
	}
	ids, err1 := d.db.ProjectsNamed(ctx, name)
	here, err2 := d.projectIn(ctx, project.Path(dir))
	return errors.Join(err1, err2) == nil && slices.Contains(ids, here)
}

// keep stores a cleaned event.
func (d *Daemon) keep(ctx context.Context, e capture.Event) (outcome, error) {
	receipt, err := d.put(ctx, e)
	if errors.Is(err, store.ErrForgotten) { // a retry or import of a forgotten event: success, but nothing is stored
		return outcome{status: statusSkipped, reason: "forgotten", event: e}, nil
	}
	if err != nil {
		return outcome{}, err
	}
	out := outcome{status: statusOK, id: receipt.ID, findings: len(e.Findings), event: e}
	if receipt.Duplicate {
		out.reason = "duplicate"
	}
	if !e.Excluded.IsZero() {
		out.status, out.reason = statusExcluded, "path is on the denylist"
	}
	return out, nil
}

// put stores one cleaned event by its kind.
func (d *Daemon) put(ctx context.Context, e capture.Event) (store.Receipt, error) {
	ref := sessionRef(e)
	switch e.Kind {
	case hooks.SessionStart:
		return d.db.StartSession(ctx,
			store.Session{SessionRef: ref, At: e.At, Source: e.Source, Model: e.Model, Transcript: e.Transcript})
	case hooks.SessionEnd:
		return d.db.EndSession(ctx, ref, e.Reason, e.At)
	case hooks.Prompt:
		return d.putPrompt(ctx, e, ref, store.RoleUser, privacy.Clean{})
	case hooks.Answer:
		return d.putPrompt(ctx, e, ref, store.RoleAssistant, privacy.Clean{})
	case hooks.Compaction:
		return d.putPrompt(ctx, e, ref, store.RoleAssistant, privacy.Const("compaction"))
	case hooks.Subagent:
		return d.putPrompt(ctx, e, ref, store.RoleAssistant, e.SubType)
	case hooks.Note:
		n := note(e, ref)
		n.FileMark = d.fileMark(e.Project.Root.String(), e.NoteFile.String())
		return d.db.PutNote(ctx, n)
	case hooks.Observation:
		return d.db.PutObservation(ctx, observation(e, ref))
	default:
		return store.Receipt{}, errors.New("events of this kind are not stored")
	}
}

func (d *Daemon) putPrompt(ctx context.Context, e capture.Event, ref store.SessionRef, role store.Role,
	who privacy.Clean) (store.Receipt, error) {
	if e.Text.IsZero() { // the turn ended without an answer
		return store.Receipt{}, nil
	}
	return d.db.PutPrompt(ctx,
		store.Prompt{Session: ref, Key: e.Key, Role: role, Text: e.Text, Who: who, At: e.At, Findings: e.Findings})
}

func note(e capture.Event, ref store.SessionRef) store.Note {
	n := store.Note{Session: ref, Type: e.Source.String(), Text: e.Text, File: e.NoteFile, Progress: e.Progress, At: e.At,
		Findings: e.Findings}
	if who := e.SubType.String(); who == byAgent || who == hooks.CompactionMark {
		n.Who = e.SubType
	}
	return n
}

func observation(e capture.Event, ref store.SessionRef) store.Observation {
	o := store.Observation{
		Session: ref, Key: e.Key, At: e.At, Tool: e.Tool, Title: e.Title, Body: e.Body, Files: e.Files,
		Failed: e.Failed, Excluded: !e.Excluded.IsZero(), DurationMS: e.DurationMS, Subagent: e.Subagent,
		Findings: e.Findings,
	}
	if !e.Input.IsZero() {
		o.Input = e.Input.JSON()
	}
	if !e.Output.IsZero() {
		o.Output = e.Output.JSON()
	} else if !e.Error.IsZero() {
		o.Output = privacy.Object(privacy.Pair{Key: "error", Value: e.Error})
	}
	if !o.Failed && e.Agent.String() == hooks.Codex { // which does not report failures
		o.Failed = slices.ContainsFunc(compress.Deeds(rowOf(o)), func(deed compress.Deed) bool {
			return gotcha.Ended(deed.Command, deed.Output)
		})
	}
	return o
}

func sessionRef(e capture.Event) store.SessionRef {
	return store.SessionRef{
		Agent: e.Agent, Native: e.Session, Parent: e.Parent, Project: projectRef(e.Project),
		Dir: e.Dir, Branch: e.Project.Branch, Worktree: e.Project.Worktree,
	}
}

// projectRef returns what identifies a project, most reliable first.
func projectRef(p capture.Project) store.Project {
	out := store.Project{Name: p.Name}
	for _, a := range []store.Alias{
		{Kind: store.AliasCommonDir, Value: p.CommonDir},
		{Kind: store.AliasRemote, Value: p.Remote},
		{Kind: store.AliasDir, Value: p.Root},
	} {
		if !a.Value.IsZero() {
			out.Aliases = append(out.Aliases, a)
		}
	}
	if len(out.Aliases) == 0 && !p.Name.IsZero() {
		out.Aliases = []store.Alias{{Kind: store.AliasName, Value: p.Name}}
	}
	return out
}
