package distill

import (
	"context"
	"errors"
	"fmt"
	"time"

	"keepmum/extract"
	"keepmum/store"
)

// requeue makes the known sessions pending again.
func (r *run) requeue(ctx context.Context) error {
	f := store.SyncFilter{Agents: r.o.Agents, Session: r.o.Session, Since: r.o.Window.Since, Until: r.o.Window.Until}
	if r.o.Project != "" {
		id, err := r.w.DB.ProjectNamed(ctx, r.o.Project)
		if errors.Is(err, store.ErrNoProject) { // no session is known
			return nil
		}
		if err != nil {
			return err
		}
		f.Project = id
	}
	_, err := r.w.DB.RequeueSync(ctx, f)
	return err
}

// claim takes a session out of the queue, if it is due, and processes it.
func (r *run) claim(ctx context.Context, row store.CatalogueRow, out *reading) error {
	row, ok, err := r.w.DB.ClaimSync(ctx, store.SyncFilter{Key: row.Key}, r.w.Gate.ID("run", r.report.RunID), leaseTime)
	if err != nil || !ok {
		return err
	}
	r.tried++
	return r.work(ctx, row, out)
}

// work processes one claimed session and ends its claim.
func (r *run) work(ctx context.Context, row store.CatalogueRow, out *reading) error {
	beating, stop := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() { defer close(done); r.beat(beating, row, stop) }()
	left, err := r.unlessUserWorks(beating, func(ctx context.Context) error { return r.distill(ctx, row, out) })
	stop(nil)
	<-done
	live := context.WithoutCancel(ctx) // a claim must be ended, even after a cancellation
	var skip *skipped
	switch {
	case ctx.Err() != nil:
		return errors.Join(ctx.Err(), r.w.DB.ReleaseSync(live, row))
	case left:
		return r.lost(r.w.DB.ReleaseSync(live, row))
	case errors.Is(err, store.ErrLeaseLost) || errors.Is(context.Cause(beating), store.ErrLeaseLost):
		r.problem(fmt.Errorf("session %s: another run has it", short(row.Key)))
		return nil
	case errors.As(err, &skip):
		r.report.leave(skip.why)
		r.traceLeft(row, "skipped", skip.why)
		if skip.later {
			r.tried-- // otherwise sessions that cannot be read would use up the run's number
			return r.lost(r.w.DB.ReleaseSync(live, row))
		}
		return r.dequeue(live, row.Key, skip)
	case err != nil:
		r.problem(fmt.Errorf("session %s of %s: %w", short(row.Key), row.ProjectName, err))
		r.traceLeft(row, "failed", err.Error())
		return r.lost(r.w.DB.FailSync(live, row, r.w.reason(err)))
	}
	return r.lost(r.w.DB.CompleteSync(live, row, r.id))
}

// lost ignores the error of a claim that another run has taken over.
func (r *run) lost(err error) error {
	if errors.Is(err, store.ErrLeaseLost) {
		return nil
	}
	return err
}

// beat renews the lease of a session while it is being processed.
func (r *run) beat(ctx context.Context, row store.CatalogueRow, stop context.CancelCauseFunc) {
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := r.w.DB.HeartbeatSync(ctx, row, leaseTime); errors.Is(err, store.ErrLeaseLost) {
				stop(err)
				return
			}
		}
	}
}

// short returns enough of a key to find the session.
func short(key string) string { return key[:min(len(key), 12)] }

// distill extracts from one session and writes what it taught. It reads the session again unless this run has read all
// of it.
func (r *run) distill(ctx context.Context, row store.CatalogueRow, out *reading) (err error) {
	if out == nil {
		if out, err = r.load(ctx, row); err != nil {
			return err
		}
	}
	ses := out.session.Heard()
	if name, _ := r.w.Gate.Text(row.ProjectName); !name.IsZero() {
		ses.Project = name
	}
	again, err := r.often(ctx, row, ses) // first: what is forgotten while a model thinks leaves no rule
	if err != nil {
		return err
	}
	res, err := r.w.Extract(ctx, row.Project, ses, out.seen(row.Extracted))
	if err != nil {
		return err
	}
	res.Candidates = append(res.Candidates, again...)
	if err := r.write(ctx, row, ses, res); err != nil {
		return err
	}
	r.report.Extracted++
	if !r.report.indexed[row.Key] {
		r.report.processedUnchanged()
	}
	r.report.projects[row.ProjectName] = true
	return nil
}

// load reads a whole session.
func (r *run) load(ctx context.Context, row store.CatalogueRow) (*reading, error) {
	f := r.survey.sessions[row.Key]
	if b := r.survey.bases[row.Source]; f == nil && b != nil {
		r.list(ctx, r.survey, b)
		f = r.survey.sessions[row.Key]
	}
	if f == nil {
		return nil, r.missing(row)
	}
	return r.read(ctx, f, nil)
}

// missing says why the file of a session was not found. What could not be listed may contain it.
func (r *run) missing(row store.CatalogueRow) *skipped {
	switch {
	case row.Source != hooksSource && len(r.survey.failed) > 0:
		return &skipped{"its file could not be looked for", true}
	case row.Source != hooksSource && !r.w.Roots.Reaches(row.Path):
		return &skipped{"the directory of its agent is missing", true}
	}
	return &skipped{why: "its file is gone"}
}

// preview does in memory what claim does. It writes nothing.
func (r *run) preview(ctx context.Context, row store.CatalogueRow, out *reading) error {
	if r.o.Force {
		row.Extracted = 0
	}
	r.tried++
	var skip *skipped
	switch err := r.distill(ctx, row, out); {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &skip):
		r.report.leave(skip.why)
	case err != nil:
		r.problem(fmt.Errorf("session %s of %s: %w", short(row.Key), row.ProjectName, err))
	}
	return nil
}

// due reports whether a session of the catalogue would be claimed now.
func (r *run) due(row *store.CatalogueRow) bool {
	switch row.State {
	case store.SyncPending, store.SyncFailed:
		return r.o.Force || row.NotBefore <= r.now.UnixMilli()
	case store.SyncRunning:
		return false
	}
	return r.o.Force
}

// concerns reports whether the run covers a session, whatever project that belongs to.
func (r *run) concerns(row *store.CatalogueRow) bool {
	return r.wants(row.Agent) && r.o.Window.holds(time.UnixMilli(row.Ended)) &&
		(r.o.Session == "" || r.o.Session == row.Key || r.o.Session == row.Native)
}

// concernsProject does the same, and checks the project, which may be one that a dry run would create.
func (r *run) concernsProject(ctx context.Context, row *store.CatalogueRow) (bool, error) {
	if r.o.Project == "" || !r.concerns(row) {
		return r.concerns(row), nil
	}
	id, err := r.w.DB.ProjectNamed(ctx, r.o.Project)
	switch {
	case errors.Is(err, store.ErrNoProject):
		made := row.Project == store.NoProject && row.ProjectName == r.o.Project
		r.named = r.named || made
		return made, nil
	case err != nil:
		return false, err
	}
	r.named = true
	return row.Project == id, nil
}

// isNamed returns an error if the project that was asked for does not exist, even after reading what is new.
func (r *run) isNamed(ctx context.Context) error {
	if r.o.Project == "" || r.named {
		return nil
	}
	_, err := r.w.DB.ProjectNamed(ctx, r.o.Project)
	return err
}

// rowOf returns the row that a session would have in the catalogue.
func rowOf(e store.CatalogueEntry, before store.CatalogueRow) store.CatalogueRow {
	row := before
	row.Key, row.Agent, row.Native, row.Branch, row.Title = e.Key.String(), e.Agent.String(), e.Native.String(),
		e.Branch.String(), e.Title.String()
	row.Parent, row.Source, row.Hash, row.Steps = e.Parent.String(), e.Mark.Source.String(), e.Hash.String(),
		e.Counts.Steps
	if e.ProjectID != 0 {
		row.Project = e.ProjectID
	}
	row.Started, row.Ended, row.State = e.Started.UnixMilli(), e.Ended.UnixMilli(), store.SyncPending
	if row.ProjectName == "" {
		row.ProjectName = e.Project.Name.String()
	}
	return row
}

// overlap is how many steps before the new ones are included, because a new step may refer to them. Candidates from the
// overlap are already known and change nothing.
const overlap = 60

// NewPart returns the new end of a session: the steps from a number on, and some before them. Asking a model about the
// whole session each time it grows would cost the square of its length. The heuristic costs nothing, so it sees the
// whole session.
func NewPart(s extract.Session, from int) extract.Session {
	s.Steps = s.Steps[max(0, min(from, len(s.Steps))-overlap):]
	return s
}
