package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepmum/store"
)

// Limits on what is told of notes: the digest of a session is usually 150 tokens, and never more than 400.
const (
	maxNote      = 120 // characters of each,
	maxDecisions = 3   // newest first,
	maxFindings  = 2
	usual        = 150 * bytesPerToken // bytes of the line
)

// Noter is the source of notes.
type Noter interface {
	Notes(ctx context.Context, session int64) ([]store.NoteRow, int64, error)
	SessionLines(ctx context.Context, session int64, limit int) ([]store.Line, error)
	SessionPrompts(ctx context.Context, session int64, limit int) ([]store.Line, error)
}

// Noted is what an agent or the user noted in a session, as far as it is told.
type Noted struct {
	Task, Next, Mark    *store.NoteRow // the latest task, what is next, the last checkpoint
	Finished            *store.NoteRow // the agent's word that the work before is done
	Decisions, Findings []store.NoteRow
}

func notedOf(rows []store.NoteRow) (n Noted) {
	for i := range rows {
		r := &rows[i]
		switch r.Type {
		case store.NoteTask:
			n.Task = r
		case store.NoteNext:
			n.Next = r
		case store.NoteDone:
			n.Finished = r
		case store.NoteCheckpoint:
			if r.Who != store.ByCompaction { // a mark set by a compaction has no text
				n.Mark = r
			}
		case store.NoteDecision:
			n.Decisions = append(n.Decisions, *r)
		case store.NoteFinding:
			n.Findings = append(n.Findings, *r)
		}
	}
	n.Decisions = n.Decisions[max(0, len(n.Decisions)-maxDecisions):]
	n.Findings = n.Findings[max(0, len(n.Findings)-maxFindings):]
	return n
}

// any reports whether anything was noted.
func (n Noted) any() bool { return len(n.all()) > 0 }

// all returns the notes that are told, in order.
func (n Noted) all() []store.NoteRow {
	var out []store.NoteRow
	for _, r := range []*store.NoteRow{n.Finished, n.Task, n.Mark, n.Next} {
		if r != nil {
			out = append(out, *r)
		}
	}
	return slices.Concat(out, n.Decisions, n.Findings)
}

// repeated is the share of an answer's words in notes from which on it says nothing else.
const repeated = 0.7

// after reports whether an answer came after all notes.
func (n Noted) after(a *store.Line) bool {
	return !slices.ContainsFunc(n.all(), func(one store.NoteRow) bool {
		return one.At > a.At || one.At == a.At && one.ID > a.ID
	})
}

// addedBy reports whether an answer is told beside notes: one that came after them, and says something, is the latest
// word; an earlier one must say something else.
func (n Noted) addedBy(a *store.Line) bool {
	if a == nil || withheld(a.Text) || !saysSomething(a.Text) {
		return false
	}
	said := map[string]bool{}
	for _, one := range n.all() {
		for _, w := range store.ContentWords(one.Text) {
			said[w] = true
		}
	}
	return n.after(a) || share(store.ContentWords(a.Text), said) < repeated
}

// Digest is what was being done in a session. It is computed each time and stored nowhere.
type Digest struct {
	Noted
	Session  store.SessionRow
	Done     int64 // the note after which it begins; 0 = from the start
	Asked    *store.Line
	Answered *store.Line
	Open     *store.Line // the next request, for which nothing happened
	Before   *store.Line // the request before, if this one has no answer,
	Came     *store.Line // and its answer
	Edited   []string
	Files    []string // what happened to the files that it read or changed: "unchanged F1 a.go, F3 b.go"
	Failed   *store.Line
}

// DigestOf computes the digest of a session.
func DigestOf(ctx context.Context, src Noter, s store.SessionRow) (Digest, error) {
	d, notes, done, err := readDigest(ctx, src, s.ID)
	return Digest{Noted: notedOf(notes), Session: s, Done: done, Asked: d.task, Answered: d.answer, Open: d.open,
		Before: d.before.task, Came: d.before.answer, Edited: d.edits, Failed: d.failed}, err
}

// readDigest reads what was being done in a session after what was marked as done, and what was noted in it.
func readDigest(ctx context.Context, src Noter, session int64) (digest, []store.NoteRow, int64, error) {
	notes, done, err := src.Notes(ctx, session)
	if err != nil {
		return digest{}, nil, 0, err
	}
	lines, err := src.SessionLines(ctx, session, digestLines)
	if err != nil {
		return digest{}, nil, 0, err
	}
	full := len(lines) >= digestLines
	old := slices.DeleteFunc(slices.Clone(lines), func(l store.Line) bool { return l.ID > done })
	lines = slices.DeleteFunc(lines, func(l store.Line) bool { return l.ID <= done })
	d := digestOf(lines)
	said := len(notes) > 0 && notes[0].Type == store.NoteDone
	switch {
	case said && d.task != nil && isTask(d.task.Text): // something else since
		notes = notes[1:]
	case said: // what was finished is what was asked before
		if task := digestOf(old).task; task != nil {
			d = digestOf(append([]store.Line{*task}, lines...))
		}
	}
	if full && (d.task == nil || remarkOf(d.task.Text) != specific) {
		from := done
		if said {
			from = 0
		}
		task, err := taskBefore(ctx, src, session, from)
		if err != nil {
			return d, notes, done, err
		}
		d = digestOf(append(task, lines...))
	}
	return d, notes, done, nil
}

// taskBefore finds the last task of a session if its latest lines have none: the work on it takes long.
func taskBefore(ctx context.Context, src Noter, session, done int64) ([]store.Line, error) {
	prompts, err := src.SessionPrompts(ctx, session, digestLines)
	for i, p := range prompts {
		if p.ID > done && p.Who == "" && isTask(p.Text) {
			return prompts[i : i+1 : i+1], err
		}
	}
	return nil, err
}

// Outcome returns how a session ended, as far as is known: done, failed or open.
func (d *Digest) Outcome() string {
	switch {
	case d.Task != nil && d.Task.Progress != nil && *d.Task.Progress == 100:
		return "done"
	case d.Failed != nil:
		return "failed"
	case d.Finished != nil && d.Next == nil:
		return "done"
	case d.Next != nil || d.Task != nil || d.Session.Ended == nil:
		return "open"
	}
	return "done"
}

// Lines returns the digest for display in a terminal.
func (d *Digest) Lines() []string {
	var out []string
	add := func(name, text string, id int64) {
		if text != "" {
			out = append(out, fmt.Sprintf("%-10s %s (%d)", name, text, id))
		}
	}
	if d.Task != nil {
		add("task", taskText(d.Task), d.Task.ID)
	} else if d.Asked != nil {
		add("asked", quote(d.Asked.Text, maxTask), d.Asked.ID)
	}
	if d.Finished != nil {
		add("done", cmp.Or(quote(d.Finished.Text, maxNote), "all of it"), d.Finished.ID)
	}
	for _, n := range d.Decisions {
		add("decided", quote(n.Text, maxNote), n.ID)
	}
	for _, n := range d.Findings {
		add("found", findingText(n), n.ID)
	}
	if len(d.Edited) > 0 {
		out = append(out, fmt.Sprintf("%-10s %s", "edited", strings.Join(d.Edited, ", ")))
	}
	for _, f := range d.Files {
		is, names, _ := strings.Cut(f, " ")
		out = append(out, fmt.Sprintf("%-10s %s", is, names))
	}
	if d.Failed != nil {
		add("failed", quote(d.Failed.Title, maxFailed), d.Failed.ID)
	}
	if d.Mark != nil {
		add("checkpoint", quote(d.Mark.Text, maxNote), d.Mark.ID)
	}
	if d.Next != nil {
		add("next", quote(d.Next.Text, maxNote), d.Next.ID)
	}
	d.results(add)
	return out
}

// results adds what was answered, and what else was asked.
func (d *Digest) results(add func(name, text string, id int64)) {
	if d.addedBy(d.Answered) || d.Answered != nil && !d.any() {
		add("answered", outcome(d.Answered.Text), d.Answered.ID)
	}
	if d.Open != nil {
		add("then asked", quote(d.Open.Text, maxTask), d.Open.ID)
	}
	if d.Before != nil && !d.any() {
		add("before", quote(d.Before.Text, maxTask), d.Before.ID)
		add("answered", outcome(d.Came.Text), d.Came.ID)
	}
}

// IDs returns the entries that the digest is based on.
func (d *Digest) IDs() []int64 {
	var out []int64
	for _, n := range d.all() {
		out = append(out, n.ID)
	}
	for _, l := range about(d.Asked, d.Answered, d.Failed, d.Open, d.Before, d.Came) {
		out = append(out, l.ID)
	}
	return out
}

func taskText(n *store.NoteRow) string {
	text := quote(n.Text, maxTask)
	if n.Progress != nil {
		text += fmt.Sprintf(" %d %%", *n.Progress)
	}
	return text
}

func findingText(n store.NoteRow) string {
	text := quote(n.Text, maxNote)
	if n.File != "" {
		text += " in " + quote(n.File, maxFailed)
	}
	return text
}

// noted writes the line of a session with notes. Notes come before what can only be guessed; what does not fit is
// omitted, and so is an answer before them that would make the line long.
func (w *writer) noted(s store.SessionRow, n Noted, d digest) {
	if !n.addedBy(d.answer) {
		d.answer = nil
	}
	since := w.a.Now.Sub(time.UnixMilli(s.Last))
	head := fmt.Sprintf("- %s (%s ago) %s: ", day(time.UnixMilli(s.Last)), ago(since), d.agentOf(s))
	line := head + strings.Join(parts(n, d), "; ")
	if d.answer != nil && !n.after(d.answer) && len(line) > usual {
		d.answer = nil
		line = head + strings.Join(parts(n, d), "; ")
	}
	for len(line)+1 > w.room && shrink(&n, &d) {
		line = head + strings.Join(parts(n, d), "; ")
	}
	raw := append(d.quoted(), texts(d.task, d.open, d.failed, d.answer)...)
	var told []store.Injected
	for _, one := range n.all() {
		raw, told = append(raw, one.Text), append(told, store.Injected{ID: one.ID, Type: store.KindNote})
	}
	var settled []string
	for _, one := range slices.Concat(n.Decisions, n.Findings) {
		settled = append(settled, quote(one.Text, maxNote))
	}
	w.add(entry{line, line, raw, settled, append(told, about(d.task, d.open, d.failed, d.answer)...)})
}

// shrink removes what matters least. It returns false if there is nothing left to remove.
func shrink(n *Noted, d *digest) bool {
	switch {
	case len(d.files) > 0:
		d.files = d.files[:len(d.files)-1]
	case len(d.edits) > 0:
		d.edits = d.edits[1:]
	case len(n.Findings) > 0:
		n.Findings = n.Findings[1:]
	case len(n.Decisions) > 1:
		n.Decisions = n.Decisions[1:]
	case n.Mark != nil:
		n.Mark = nil
	case d.answer != nil:
		d.answer = nil
	default:
		return false
	}
	return true
}

// parts returns the parts of the line of a session, in order: what was asked, noted and done, and what was answered
// after that.
func parts(n Noted, d digest) []string {
	out := d.askedParts(n)
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, one := range n.Decisions {
		add("decided %q (%d)", quote(one.Text, maxNote), one.ID)
	}
	for _, one := range n.Findings {
		add("found %s (%d)", findingText(one), one.ID)
	}
	out = append(out, d.fileParts()...)
	if d.failed != nil {
		add("failed last: %s (%d)", quote(d.failed.Title, maxFailed), d.failed.ID)
	}
	if n.Mark != nil {
		add("checkpoint %q (%d)", quote(n.Mark.Text, maxNote), n.Mark.ID)
	}
	if n.Next != nil {
		add("next %q (%d)", quote(n.Next.Text, maxNote), n.Next.ID)
	}
	return append(out, d.answerParts()...)
}

// askedParts says what the task was, and whether it is done.
func (d *digest) askedParts(n Noted) (out []string) {
	switch {
	case n.Task != nil:
		out = append(out, fmt.Sprintf("task %s (%d)", taskText(n.Task), n.Task.ID))
	case d.task != nil:
		out = append(out, d.asks())
		if d.open != nil {
			out = append(out, fmt.Sprintf("then asked %q (%d)", quote(d.open.Text, maxTask), d.open.ID))
		}
	}
	if n.Finished != nil {
		said := ""
		if n.Finished.Text != "" {
			said = fmt.Sprintf(" %q", quote(n.Finished.Text, maxNote))
		}
		out = append(out, fmt.Sprintf("done%s (%d)", said, n.Finished.ID))
	}
	return out
}
