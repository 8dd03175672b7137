package distill

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"keepmum/extract"
	"keepmum/llm"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/transcript"
)

// reading is a session as it was read: cleaned, compacted and counted.
type reading struct {
	session extract.Session
	first   int               // number of the first step held; earlier ones were dropped to save space
	taken   []privacy.Finding // what the gate removed
	marks   map[int]string    // of the messages that were cut, by step: how they are recognised if they were forgotten
	lost    int               // number of steps removed because they were forgotten
	entry   store.CatalogueEntry
}

// skipped says why a session is not read.
type skipped struct {
	why   string
	later bool // the reason may pass, so a waiting session stays in the queue
}

func (s *skipped) Error() string { return s.why }

// read reads a whole session or, if known is given, from where the last reading ended. Then it holds only what is new,
// and the counts and the hash continue.
func (r *run) read(ctx context.Context, f *found, known *store.CatalogueRow) (*reading, error) {
	about, err := r.about(ctx, f)
	if err != nil {
		return nil, err
	}
	a, why := r.w.Admit(Origin{Agent: about.Agent, ID: about.ID, Parent: about.Parent, Dir: about.Dir,
		Branch: about.Branch, DryRun: r.o.DryRun})
	if why != "" {
		return nil, &skipped{why, mayPass(why)}
	}
	c := &compactor{a: a, repeats: r.repeats, dir: about.Dir, key: r.w.Gate.ID, at: f.src.Modified,
		links: privacy.NewLinks()}
	if c.gone, err = r.w.DB.ForgottenTexts(ctx); err != nil {
		return nil, err
	}
	ids := a.Gate.Event(privacy.Raw{Session: a.Scope,
		Fields: map[string]string{"agent": f.src.Agent, "session": f.src.ID}}).Fields
	c.mark = func(role store.Role, text privacy.Clean) string {
		return r.w.DB.SaidMark(ids["agent"], ids["session"], role, text)
	}
	if err := r.isForgotten(ctx, f, ids["agent"], ids["session"]); err != nil {
		return nil, err
	}
	from := transcript.Offset{}
	if known != nil {
		c.hash, from = r.hashOf(known), offsetOf(known)
	}
	ses, end, err := r.stream(ctx, f, from, func(e transcript.Entry) error {
		r.meter.read(e)
		if ownQuestion(e) {
			return &skipped{why: OwnQuestion}
		}
		return c.take(e)
	})
	if err != nil {
		return nil, err
	}
	if known != nil && ses.Fresh { // the file was replaced, so start again
		return r.read(ctx, f, nil)
	}
	if a.Private() {
		return nil, &skipped{why: "private session"}
	}
	c.again()
	out := r.result(f, about, ses, end, c)
	if known != nil {
		out.addKnown(known)
	}
	last := out.entry.Ended
	if f.src.Modified.After(last) { // a title has no time of its own
		last = f.src.Modified
	}
	if !a.Named(out.entry.Started, last) {
		out.entry.Title, out.entry.Branch, out.session.Branch = privacy.Clean{}, privacy.Clean{}, privacy.Clean{}
	}
	if err := r.nameDocuments(ctx, f, out.session.Steps); err != nil {
		return nil, err
	}
	return out, r.withoutForgotten(ctx, out)
}

// ownQuestion reports whether an entry is a question that we asked an agent.
func ownQuestion(e transcript.Entry) bool {
	return e.Role == transcript.User && strings.HasPrefix(strings.TrimLeft(e.Text, "\" \n"), llm.AgentMark)
}

// OwnQuestion is the reason to skip a session in which we asked an agent.
const OwnQuestion = "our own question"

// Excluded is the reason to skip a session in a directory that the user excluded. It waits for nothing, and is found
// again if the user changes that.
const Excluded = "its directory is excluded"

// mayPass reports whether a session may be read later: a pause ends, a config is fixed.
func mayPass(why string) bool { return why != OwnQuestion && why != Excluded }

// forgotten is the reason to skip a session that the user forgot.
const forgotten = "forgotten"

// isForgotten reports that a session was forgotten and has no new messages, without reading it.
func (r *run) isForgotten(ctx context.Context, f *found, agent, session privacy.Clean) error {
	until, err := r.w.DB.ForgottenAt(ctx, agent, session)
	if err == nil && !until.IsZero() && !f.src.Modified.After(until) {
		err = &skipped{why: forgotten}
	}
	return err
}

var errHead = errors.New("the head was read")

// about reads what a session says about itself before its first entry: who may read it depends on its directory.
func (r *run) about(ctx context.Context, f *found) (transcript.Session, error) {
	if f.fromHooks() {
		return transcript.Session{Agent: f.src.Agent, ID: f.src.ID, Parent: f.src.Parent, Dir: f.src.Dir,
			Branch: f.stored.Branch}, nil
	}
	ses, _, err := transcript.Read(ctx, f.src, transcript.Offset{}, func(e transcript.Entry) error {
		if e.Role == transcript.Aside { // it may precede the record with the session's directory
			return nil
		}
		return errHead
	})
	if err != nil && !errors.Is(err, errHead) {
		return ses, err
	}
	if ses.Dir == "" && f.stored != nil {
		ses.Dir = f.stored.Dir
	}
	ses.Agent, ses.ID = f.src.Agent, f.src.ID
	return ses, nil
}

// stream yields the entries of a session, from its file or from what hooks captured.
func (r *run) stream(ctx context.Context, f *found, from transcript.Offset,
	yield func(transcript.Entry) error) (transcript.Session, transcript.Offset, error) {
	if !f.fromHooks() {
		return transcript.Read(ctx, f.src, from, yield)
	}
	ses := transcript.Session{Agent: f.src.Agent, ID: f.src.ID, Dir: f.src.Dir, Fresh: true,
		Start: time.UnixMilli(f.stored.Started).UTC(), End: time.UnixMilli(f.stored.Last).UTC()}
	return ses, transcript.Offset{}, r.stored(ctx, f.stored.ID, yield)
}

// hashOf returns the hash of the steps that an earlier reading has read.
func (r *run) hashOf(row *store.CatalogueRow) privacy.Clean {
	c, _ := r.w.Gate.Text(row.Hash)
	return c
}

// offsetOf returns where an earlier reading ended.
func offsetOf(row *store.CatalogueRow) transcript.Offset {
	return transcript.Offset{Pos: row.Pos, Lines: row.Lines, Head: row.Head, HeadLen: row.HeadLen, Copied: row.Copied}
}

// result puts together what is kept of a session.
func (r *run) result(f *found, about, ses transcript.Session, end transcript.Offset, c *compactor) *reading {
	start, last := ses.Start, ses.End
	if start.IsZero() {
		start = f.src.Modified
	}
	if last.IsZero() {
		last = f.src.Modified
	}
	ev := c.a.Gate.Event(privacy.Raw{Session: c.a.Scope, Dir: c.dir, Fields: map[string]string{
		"agent": f.src.Agent, "session": f.src.ID, "parent": ses.Parent, "path": f.src.Path,
		"branch": cmp.Or(ses.Branch, about.Branch), "title": ses.Title, "head": end.Head}})
	t := ev.Fields
	for _, name := range []string{"path", "branch", "title"} {
		t[name] = c.gone.Without(t[name])
	}
	mark := store.Mark{Source: f.path, Size: f.src.Size, Modified: f.src.Modified.UnixNano(), Pos: end.Pos,
		Lines: end.Lines, Head: t["head"], HeadLen: end.HeadLen, Copied: end.Copied}
	if mark.Head.String() != end.Head { // the gate changed it, so the next reading must start again
		mark.Pos, mark.Lines, mark.HeadLen, mark.Copied, mark.Head = 0, 0, 0, false, privacy.Clean{}
	}
	entry := store.CatalogueEntry{
		Key: f.key, Agent: t["agent"], Native: t["session"], Parent: t["parent"], Path: t["path"], Branch: t["branch"],
		Title: t["title"].Cut(200), Project: c.a.Project, Mark: mark, Started: start, Ended: last, Hash: c.hash,
		Counts: store.Counts{Prompts: c.total.prompts, Answers: c.total.answers, Tools: c.total.tools,
			Steps: c.dropped + len(c.steps), Broken: ses.Stats.Skipped},
	}
	if f.stored != nil {
		entry.ProjectID = f.stored.Project
	}
	return &reading{first: c.dropped, entry: entry, taken: append(c.taken, ev.Findings...), session: extract.Session{
		Agent: t["agent"], ID: t["session"], Project: c.a.Project.Name, Branch: t["branch"], Start: start, End: last,
		Steps: c.steps}, marks: c.marksHeld()}
}

// addKnown adds the known counts to the reading of the end of a session.
func (o *reading) addKnown(known *store.CatalogueRow) {
	e := &o.entry
	e.Started = time.UnixMilli(known.Started)
	if ended := time.UnixMilli(known.Ended); len(o.session.Steps) == 0 && e.Ended.Before(ended) {
		e.Ended = ended
	}
	e.Counts.Prompts += known.Prompts
	e.Counts.Answers += known.Answers
	e.Counts.Tools += known.Tools
	e.Counts.Steps += known.Steps
	e.Counts.Broken += known.Broken
	o.first += known.Steps
}

// withoutForgotten removes what the user forgot in a session.
func (r *run) withoutForgotten(ctx context.Context, o *reading) error {
	until, err := r.forgottenUntil(ctx, o.entry.Agent, o.entry.Native, o.entry.Parent)
	if err != nil {
		return err
	}
	if !until.IsZero() {
		o.entry.Title = privacy.Clean{} // it may come from the first messages
	}
	var said []store.Said
	for i := range o.session.Steps {
		s := &o.session.Steps[i]
		said = append(said, store.Said{Role: roleOf(s), Text: s.Text, At: s.At, Mark: o.marks[i]})
	}
	gone, err := r.w.DB.Forgotten(ctx, o.entry.Agent, o.entry.Native, said)
	if err != nil {
		return err
	}
	kept := o.session.Steps[:0]
	for i, s := range o.session.Steps {
		before := !until.IsZero() && !s.At.After(until)
		if !gone[i] && !before {
			kept = append(kept, s)
		}
	}
	o.lost, o.session.Steps = len(o.session.Steps)-len(kept), kept
	return nil
}

// seen returns how many of the steps held an earlier run has processed. Forgotten steps come before the new ones.
func (o *reading) seen(extracted int) int {
	return min(max(0, extracted-o.first-o.lost), len(o.session.Steps))
}

// forgottenUntil returns when a session, or the one that started it, was forgotten.
func (r *run) forgottenUntil(ctx context.Context, agent privacy.Clean,
	ids ...privacy.Clean) (until time.Time, err error) {
	for _, id := range ids {
		at, err := r.w.DB.ForgottenAt(ctx, agent, id)
		if err != nil {
			return until, err
		}
		if at.After(until) {
			until = at
		}
	}
	return until, nil
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
