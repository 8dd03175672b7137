package compress

import (
	"context"
	"errors"

	"keepmum/llm"
	"keepmum/store"
)

// Reasons why nothing would be sent.
var (
	ErrNothingWaits = errors.New("no job is waiting for a model")
	ErrNoneAsked    = errors.New("no model is configured")
)

// Preview is what would be sent for a job.
type Preview struct {
	llm.Request
	Absent error // why no model can be asked; the bytes are then for the configured one
}

// Preview returns the exact bytes that would be sent for a job (0 = the newest waiting one), and sends nothing. If the
// second gate would hold the text back, it returns an [*llm.Held].
func (w *Worker) Preview(ctx context.Context, id int64) (Preview, error) {
	if w.o.Model == nil {
		return Preview{}, ErrNoneAsked
	}
	job, err := w.previewed(ctx, id)
	if err != nil {
		return Preview{}, err
	}
	u, err := w.unit(ctx, job)
	if err != nil {
		return Preview{}, err
	}
	var out Preview
	model, err := w.o.Model(ctx, "")
	if llm.Absent(err) && w.o.Imagined != nil {
		out.Absent = err
		model, err = w.o.Imagined("")
	}
	if err != nil {
		return Preview{}, err
	}
	out.Request, err = w.sender.Prepare(ctx, model, w.question(u, u.pieces))
	return out, err
}

// previewed returns a job by its id (0 = the newest waiting one or, if none waits, one with only a first summary).
func (w *Worker) previewed(ctx context.Context, id int64) (store.Job, error) {
	if id != 0 {
		return w.o.DB.Job(ctx, id)
	}
	jobs, err := w.o.DB.Jobs(ctx, 1, store.JobPending, store.JobFailed)
	if err != nil {
		return store.Job{}, err
	}
	if len(jobs) > 0 {
		return jobs[0], nil
	}
	job, found, err := w.o.DB.DraftedJob(ctx)
	if err == nil && !found {
		err = ErrNothingWaits
	}
	return job, err
}
