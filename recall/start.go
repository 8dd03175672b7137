package recall

import (
	"context"
	"time"

	"keepmum/store"
)

// lastWork writes what was being done in the first of some sessions with something to tell. A session in which only
// something was asked is told if no other is, or, if it was a request, after the other. If the first one is no more
// than a question with its answer, the work before it that is not finished is told too.
func (w *writer) lastWork(ctx context.Context, src Source, past []store.SessionRow) error {
	l := lookBack{w: w}
	for _, s := range past {
		d, noted, err := w.read(ctx, src, s)
		if err != nil {
			return err
		}
		if l.tell(s, d, noted) {
			break
		}
	}
	if l.asked != nil && (len(w.lines) == 0 || l.request) {
		l.asked()
	}
	return nil
}

// lookBack writes what was done in sessions, newest first.
type lookBack struct {
	w       *writer
	small   bool   // the last one told is no more than a question with its answer
	asked   func() // writes the first session of which nothing is known but what was asked,
	request bool   // and that is no question
}

// tell writes what was done in a session, and reports whether that is enough.
func (l *lookBack) tell(s store.SessionRow, d digest, noted Noted) (enough bool) {
	w := l.w
	idle := !w.chosen(s) && !noted.any()
	switch {
	case idle && d.passing(w.a.Now.Sub(time.UnixMilli(s.Last))):
		return false
	case idle && d.onlyAsked():
		if l.asked == nil {
			l.asked, l.request = func() { w.session(s, d) }, !onlyAsks(d.task.Text)
		}
		return false
	}
	if !l.small || d.unfinished(noted) {
		w.work(s, noted, d)
	}
	told := len(w.lines) > 0 && s.ID != w.a.Row
	l.small = told && d.small(noted)
	return told && !l.small
}

// chosen reports whether a session is told in any case: the one that goes on, or that the user selected.
func (w *writer) chosen(s store.SessionRow) bool { return s.ID == w.a.First || s.ID == w.a.Row }

// work writes what was being done in a session.
func (w *writer) work(s store.SessionRow, n Noted, d digest) {
	if n.any() {
		w.noted(s, n, d)
	} else {
		w.session(s, d)
	}
}

// small reports whether nothing is known of a session but a question and its answer.
func (d *digest) small(n Noted) bool {
	if n.any() || d.task == nil || d.answer == nil {
		return false
	}
	return len(d.edits) == 0 && d.failed == nil && onlyAsks(d.task.Text)
}

// passing reports whether a session left nothing to go on with: it only put away earlier work, or a question was
// answered a day ago or longer.
func (d *digest) passing(since time.Duration) bool {
	if d.task == nil || d.failed != nil || len(d.edits) > 0 {
		return false
	}
	return d.housekeeping() || since >= recentTask && d.small(Noted{})
}

// unfinished reports whether work was begun in a session, and something of it is left to do.
func (d *digest) unfinished(n Noted) bool {
	switch {
	case n.Next != nil || d.failed != nil:
		return true
	case n.Finished != nil:
		return false
	case n.Task != nil:
		return n.Task.Progress == nil || *n.Task.Progress < 100
	}
	return len(d.edits) > 0 && (d.answer == nil || next(d.answer.Text) != "")
}

// read reads what was being done in a session, and what was noted in it.
func (w *writer) read(ctx context.Context, src Source, s store.SessionRow) (d digest, noted Noted, err error) {
	d, notes, done, err := readDigest(ctx, src, s.ID)
	if err != nil {
		return d, noted, err
	}
	noted = notedOf(notes)
	if err := d.nameBranch(ctx, src, noted); err != nil {
		return d, noted, err
	}
	d.again = w.chosen(s)
	if w.a.Files != nil {
		d.files = w.a.Files(s, done)
	}
	return d, noted, nil
}
