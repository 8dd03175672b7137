package distill

import (
	"context"
	"errors"

	"keepmum/privacy"
	"keepmum/store"
)

// index reads what is new and catalogues it, the newest first.
func (r *run) index(ctx context.Context, known map[string]store.CatalogueRow) error {
	fresh := r.fresh(r.survey, known)
	for range r.survey.unchanged {
		r.report.leave("unchanged")
	}
	for range r.survey.outside {
		r.report.leave(outside)
	}
	for i, f := range fresh {
		if r.yields() {
			return nil
		}
		r.progress("read", i, len(fresh))
		if why := r.notNow(f); why != "" {
			r.leave(f, why)
			continue
		}
		row, ok := known[f.key.String()]
		if !ok {
			row = store.CatalogueRow{}
		}
		left, err := r.within(ctx, func(ctx context.Context) error { return r.indexOne(ctx, f, row, ok) })
		if left {
			r.leave(f, "somebody came")
			return nil
		}
		if err != nil {
			return err
		}
	}
	r.progress("read", len(fresh), len(fresh))
	return r.closeBases(ctx)
}

// outside is why a session is left alone that was last worked on at another time.
const outside = "outside of the window"

// notNow says why a session is not read in this run. A file that was not
// changed since the window began holds nothing of it.
func (r *run) notNow(f *found) string {
	switch {
	case r.o.Session != "" && r.o.Session != f.src.ID && r.o.Session != f.key.String():
		return "not the one that was asked for"
	case !r.o.Window.Since.IsZero() && f.src.Modified.Before(r.o.Window.Since):
		return outside
	case r.writing(f):
		return "still being written"
	}
	return ""
}

// leave counts a session that is not read. Its database is looked into again.
func (r *run) leave(f *found, why string) {
	if b := r.survey.bases[f.base]; b != nil {
		b.left++
	}
	r.report.leave(why)
}

func (r *run) indexOne(ctx context.Context, f *found, row store.CatalogueRow, known bool) error {
	var before *store.CatalogueRow
	if known && row.Source == f.path.String() && row.Pos > 0 && !r.o.Force && !r.o.DryRun {
		before = &row
	}
	out, err := r.read(ctx, f, before)
	var skip *skipped
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &skip) && skip.why == forgotten: // there will be nothing to read in it
		r.report.leave(skip.why)
		return nil
	case errors.As(err, &skip):
		r.leave(f, skip.why)
		return nil
	case err != nil:
		r.leave(f, "could not be read")
		r.problem(err)
		return nil
	case r.o.DryRun && known && row.Hash == out.entry.Hash.String():
		r.report.leave("nothing new was said")
		return nil
	case r.o.DryRun:
		return r.plan(ctx, out, row)
	}
	return r.catalogue(ctx, f, out, before != nil)
}

// plan notes what a dry run would have in the queue.
func (r *run) plan(ctx context.Context, out *reading, before store.CatalogueRow) error {
	row := rowOf(out.entry, before)
	if row.Project == 0 && out.entry.ProjectID == 0 && len(out.entry.Project.Aliases) > 0 {
		id, ok, err := r.w.DB.FindProject(ctx, out.entry.Project)
		if err != nil {
			return err
		}
		if row.Project = id; !ok {
			row.Project = store.NoProject // it would be made
		}
	}
	r.report.Indexed++
	r.report.indexed[row.Key] = true
	r.planned = append(r.planned, row)
	r.remember(out, false)
	return nil
}

// catalogue keeps what was read of a session.
func (r *run) catalogue(ctx context.Context, f *found, out *reading, tail bool) error {
	row, same, err := r.w.DB.PutCatalogue(ctx, out.entry)
	switch {
	case errors.Is(err, store.ErrForgotten):
		r.report.leave(forgotten)
		return nil
	case err != nil:
		return err
	}
	if !f.fromHooks() {
		if err := r.w.DB.RecordFindings(ctx, 0, row.Project, out.taken); err != nil {
			return err
		}
	}
	if same {
		r.report.leave("nothing new was said")
		return nil
	}
	r.report.Indexed++
	r.report.indexed[row.Key] = true
	r.note(privacy.Const("read"), out.entry.Agent, out.entry.Native)
	r.remember(out, tail)
	return nil
}

// maxCached bounds the sessions that are held between being read and being
// looked at; others are read again.
const maxCached = 64 << 20

// remember holds a session that was read whole.
func (r *run) remember(out *reading, tail bool) {
	size := 0
	for _, s := range out.session.Steps {
		size += len(s.Text.String()) + len(s.Command.String()) + 200
	}
	if tail || r.cached+size > maxCached {
		return
	}
	r.cached += size
	r.cache[out.entry.Key.String()] = out
}

// closeBases notes the databases of which everything was read, so that they
// are not opened again before they change.
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
