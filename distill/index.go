package distill

import (
	"cmp"
	"context"
	"errors"
	"time"

	"keepmum/privacy"
	"keepmum/sorting"
	"keepmum/store"
)

// task is a session that has something new, or is waiting in the queue, or both.
type task struct {
	f   *found             // nil = all of it has been read
	row store.CatalogueRow // from the catalogue; an empty key = not in the catalogue
	at  time.Time          // when it was last active
}

func (t *task) known() bool { return t.row.Key != "" }

// tasks lists what is to be done, newest first.
func (r *run) tasks(known map[string]store.CatalogueRow) []task {
	var out []task
	read := map[string]bool{}
	for _, f := range r.fresh(r.survey, known) {
		key := f.key.String()
		read[key] = true
		out = append(out, task{f, known[key], f.src.Modified})
	}
	for key, row := range known {
		if !read[key] && !r.o.NoExtract && r.due(&row) && r.concerns(&row) {
			out = append(out, task{nil, row, time.UnixMilli(row.Ended)})
		}
	}
	sorting.Stable(out, func(a, b task) int {
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.key(), b.key()))
	})
	return out
}

func (t *task) key() string {
	if t.f != nil {
		return t.f.key.String()
	}
	return t.row.Key
}

// each finishes one session after another, so that a run that is interrupted has written what the newest ones taught.
func (r *run) each(ctx context.Context, known map[string]store.CatalogueRow) error {
	tasks := r.tasks(known)
	for range r.survey.unchanged {
		r.report.leave("unchanged")
	}
	for range r.survey.outside {
		r.report.leave(outside)
	}
	r.meter = newMeter(r, tasks)
	for i, t := range tasks {
		if r.full() {
			r.adjourn(tasks[i:])
			break
		}
		if r.yields() {
			return nil
		}
		r.meter.at(i)
		if err := r.one(ctx, t); err != nil {
			return err
		}
	}
	r.meter.at(len(tasks))
	return r.closeBases(ctx)
}

// full reports whether this run has processed as many sessions as it may.
func (r *run) full() bool { return r.o.MaxSessions > 0 && r.tried >= r.o.MaxSessions }

// adjourn leaves sessions to the next run.
func (r *run) adjourn(rest []task) {
	for _, t := range rest {
		if t.f != nil && r.notNow(t.f) == "" {
			r.leave(t.f, "for the next run")
			r.adjourned++
		}
	}
}

// one reads what is new in a session and, unless only the catalogue is to be updated, extracts from it.
func (r *run) one(ctx context.Context, t task) error {
	row, out := t.row, (*reading)(nil)
	if t.f != nil {
		if why := r.notNow(t.f); why != "" {
			r.leave(t.f, why)
			return nil
		}
		left, err := r.unlessUserWorks(ctx, func(ctx context.Context) (err error) {
			row, out, err = r.index(ctx, t)
			return err
		})
		if left {
			r.leave(t.f, "you started to work")
		}
		if left || err != nil || row.Key == "" {
			return err
		}
	}
	if r.o.NoExtract {
		return nil
	}
	if concerned, err := r.concernsProject(ctx, &row); !concerned || err != nil {
		return err
	}
	if r.o.DryRun {
		return r.preview(ctx, row, out)
	}
	return r.claim(ctx, row, out)
}

// outside is the reason to skip a session that was last active outside the window.
const outside = "outside the window"

// notNow says why a session is not read in this run, or "". A file that was not changed since the window began has
// nothing inside it.
func (r *run) notNow(f *found) string {
	switch {
	case r.o.Session != "" && r.o.Session != f.src.ID && r.o.Session != f.key.String():
		return "not the requested session"
	case !r.o.Window.Since.IsZero() && f.src.Modified.Before(r.o.Window.Since):
		return outside
	case r.writing(f):
		return "in progress"
	}
	return ""
}

// leave counts a session that is not read. Its database will be opened again.
func (r *run) leave(f *found, why string) {
	if b := r.survey.bases[f.base]; b != nil {
		b.left++
	}
	r.report.leave(why)
}

// index reads and catalogues a session. It returns the reading if that covers the whole session, and an empty row for a
// session that is skipped.
func (r *run) index(ctx context.Context, t task) (store.CatalogueRow, *reading, error) {
	var none store.CatalogueRow
	var before *store.CatalogueRow
	if t.known() && t.row.Source == t.f.path.String() && t.row.Pos > 0 && !r.o.Force && !r.o.DryRun {
		before = &t.row
	}
	out, err := r.read(ctx, t.f, before)
	var skip *skipped
	switch {
	case ctx.Err() != nil:
		return none, nil, ctx.Err()
	case errors.As(err, &skip):
		return none, nil, r.skip(ctx, t, skip)
	case err != nil:
		r.leave(t.f, "could not be read")
		r.problem(err)
		return none, nil, nil
	case r.o.DryRun:
		return r.wouldCatalogue(ctx, out, t.row)
	}
	row, err := r.catalogue(ctx, t.f, out)
	if before != nil {
		out = nil // only the end of the session was read
	}
	return row, out, err
}

// skip skips a session, and removes it from the queue if it is waiting there for nothing.
func (r *run) skip(ctx context.Context, t task, s *skipped) error {
	if s.why == forgotten { // there will be nothing to read in it
		r.report.leave(s.why)
	} else {
		r.leave(t.f, s.why)
	}
	if !t.known() || r.o.DryRun || s.later {
		return nil
	}
	return r.dequeue(ctx, t.row.Key, s)
}

// dequeue removes a skipped session from the queue.
func (r *run) dequeue(ctx context.Context, key string, s *skipped) error {
	if s.why == Excluded {
		return r.w.DB.ExcludeSync(ctx, key)
	}
	_, err := r.w.DB.SkipSync(ctx, store.SyncFilter{Key: key})
	return err
}

// wouldCatalogue is catalogue for a dry run: it returns the row that a session would have.
func (r *run) wouldCatalogue(ctx context.Context, out *reading,
	before store.CatalogueRow) (store.CatalogueRow, *reading, error) {
	if before.Hash == out.entry.Hash.String() && !r.due(&before) {
		r.report.leave("nothing new")
		return store.CatalogueRow{}, nil, nil
	}
	row := rowOf(out.entry, before)
	if row.Project == 0 && out.entry.ProjectID == 0 && len(out.entry.Project.Aliases) > 0 {
		id, ok, err := r.w.DB.FindProject(ctx, out.entry.Project)
		if err != nil {
			return row, nil, err
		}
		if row.Project = id; !ok {
			row.Project = store.NoProject // it would be created
		}
	}
	r.report.Indexed++
	r.report.indexed[row.Key] = true
	return row, out, nil
}

// catalogue stores what was read of a session.
func (r *run) catalogue(ctx context.Context, f *found, out *reading) (store.CatalogueRow, error) {
	row, same, err := r.w.DB.PutCatalogue(ctx, out.entry)
	switch {
	case errors.Is(err, store.ErrForgotten):
		r.report.leave(forgotten)
		return store.CatalogueRow{}, nil
	case err != nil:
		return store.CatalogueRow{}, err
	}
	if !f.fromHooks() {
		if err := r.w.DB.RecordFindings(ctx, 0, row.Project, out.taken); err != nil {
			return store.CatalogueRow{}, err
		}
	}
	if same {
		r.report.leave("nothing new")
		return row, nil
	}
	r.report.Indexed++
	r.report.indexed[row.Key] = true
	r.note(privacy.Const("read"), out.entry.Agent, out.entry.Native)
	return row, nil
}

// closeBases records the databases that were read completely, so that they are not opened again before they change.
func (r *run) closeBases(ctx context.Context) error {
	if r.o.DryRun || r.report.Stopped {
		return nil
	}
	for _, b := range r.survey.bases {
		if b.same || b.left > 0 {
			continue
		}
		if err := r.w.DB.PutDatabase(ctx, b.key, b.src.Size, b.src.Modified.UnixNano()); err != nil {
			return err
		}
	}
	return nil
}
