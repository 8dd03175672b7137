package daemon

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/lazyregexp"
	"keepmum/store"
)

// getQueue lists jobs that wait for a summary, and sessions that wait for sync.
func (d *Daemon) getQueue(c echo.Context) error {
	if err := onlyParams(c.QueryParams(), "state", "limit"); err != nil {
		return err
	}
	limit, err := intParam(c.QueryParams(), "limit", 50, 1, 1000)
	if err != nil {
		return err
	}
	jobs, sessions, err := queueStates(c.QueryParam("state"))
	if err != nil {
		return err
	}
	out := api.JobList{Jobs: []api.Job{}, Sync: []api.SyncJob{}}
	ctx := c.Request().Context()
	if err := d.queuedJobs(ctx, limit, jobs, &out); err != nil {
		return err
	}
	if err := d.queuedSessions(ctx, limit, sessions, &out); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

func (d *Daemon) queuedJobs(ctx context.Context, limit int, states []store.JobState, out *api.JobList) error {
	if len(states) == 0 {
		return nil
	}
	rows, err := d.db.Jobs(ctx, limit, states...)
	for _, r := range rows {
		out.Jobs = append(out.Jobs,
			api.Job{ID: r.ID, Kind: string(r.Kind), State: string(r.State), Attempts: r.Attempts, Error: r.Error,
				Updated: time.UnixMilli(r.Updated).UTC()})
	}
	return err
}

func (d *Daemon) queuedSessions(ctx context.Context, limit int, states []store.SyncState, out *api.JobList) error {
	if len(states) == 0 {
		return nil
	}
	rows, err := d.db.SyncJobs(ctx, store.SyncFilter{States: states}, limit)
	for _, r := range rows {
		job := api.SyncJob{ID: r.Key[:shownID], Agent: r.Agent, Session: r.Native, Project: r.ProjectName,
			State: string(r.State), Attempts: r.Attempts, Error: r.Error, Updated: time.UnixMilli(r.Updated).UTC()}
		if r.NotBefore > 0 {
			job.NotBefore = time.UnixMilli(r.NotBefore).UTC()
		}
		out.Sync = append(out.Sync, job)
	}
	return err
}

// shownID is how many characters of a session's key are displayed.
const shownID = 12

// queueStates parses the states to list, for both queues: "" means everything unfinished, "failed" what someone should
// check.
func queueStates(s string) ([]store.JobState, []store.SyncState, error) {
	switch s {
	case "":
		return []store.JobState{store.JobPending, store.JobLeased, store.JobFailed, store.JobDead, store.JobQuarantined},
			[]store.SyncState{store.SyncPending, store.SyncRunning, store.SyncFailed, store.SyncDead}, nil
	case "failed":
		return []store.JobState{store.JobFailed, store.JobDead}, []store.SyncState{store.SyncFailed, store.SyncDead}, nil
	case "dead", "dead_letter":
		return []store.JobState{store.JobDead}, []store.SyncState{store.SyncDead}, nil
	case "leased", "running":
		return []store.JobState{store.JobLeased}, []store.SyncState{store.SyncRunning}, nil
	case "pending", "done", "skipped":
		return []store.JobState{store.JobState(s)}, []store.SyncState{store.SyncState(s)}, nil
	case "quarantined":
		return []store.JobState{store.JobQuarantined}, nil, nil
	}
	return nil, nil, failure(api.Invalid, "there is no such state",
		"pending, running, done, failed, dead, quarantined or skipped")
}

func (d *Daemon) postRetry(c echo.Context) error {
	return d.change(c, d.db.RetryJob, d.db.RequeueSync, "there is no failed job "+c.Param("id"))
}

func (d *Daemon) postSkip(c echo.Context) error {
	return d.change(c, d.db.SkipJob, d.db.SkipSync, "there is no unfinished job "+c.Param("id"))
}

var jobNumber = lazyregexp.New(`^[0-9]{1,18}$`)

// change applies a function to the job with a number, otherwise to the session whose id starts with it. Six digits can
// be the start of an id, so jobs have priority.
func (d *Daemon) change(c echo.Context, job func(context.Context, int64) error,
	session func(context.Context, store.SyncFilter) (int64, error), none string) error {
	ctx, id := c.Request().Context(), c.Param("id")
	if jobNumber.MatchString(id) {
		n, err := d.idOf(c)
		if err != nil {
			return err
		}
		err = job(ctx, n)
		if !errors.Is(err, store.ErrNotFound) || len(id) < 6 {
			return answerEmpty(c, jobError(err, none))
		}
	} else if err := d.emptyBody(c); err != nil {
		return err
	}
	row, err := d.db.FindSync(ctx, id)
	if err == nil {
		var n int64
		if n, err = session(ctx, store.SyncFilter{Session: row.Key}); err == nil && n == 0 {
			err = failure(api.Conflict, "the session is being read, or there is nothing to do for it", "mum queue")
		}
	}
	return answerEmpty(c, sessionError(err))
}

func answerEmpty(c echo.Context, err error) error {
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, struct{}{})
}

func jobError(err error, message string) error {
	if errors.Is(err, store.ErrNotFound) {
		return failure(api.NotFound, message, "mum queue")
	}
	return err
}

func sessionError(err error) error {
	switch {
	case errors.Is(err, store.ErrShort):
		return failure(api.Invalid, "the id must be a number, or at least 6 characters of a session's id", "mum queue")
	case errors.Is(err, store.ErrAmbiguous):
		return failure(api.Conflict, "more than one session id begins with this", "type more of it; mum queue")
	case errors.Is(err, store.ErrNotFound):
		return failure(api.NotFound, "no session id starts with this", "mum queue")
	}
	return err
}

// postRetryAll makes all failed jobs pending again.
func (d *Daemon) postRetryAll(c echo.Context) error {
	return d.changeAll(c, d.db.RetryJob, d.db.RequeueSync)
}

// postSkipAll removes all failed jobs from the queues.
func (d *Daemon) postSkipAll(c echo.Context) error {
	return d.changeAll(c, d.db.SkipJob, d.db.SkipSync)
}

// maxChanged limits how many jobs one request changes.
const maxChanged = 10_000

func (d *Daemon) changeAll(c echo.Context, job func(context.Context, int64) error,
	session func(context.Context, store.SyncFilter) (int64, error)) error {
	var in api.QueueAll
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	if !in.All {
		return failure(api.Invalid, "all must be true", "docs/api.md")
	}
	ctx := c.Request().Context()
	jobs, sessions, _ := queueStates("failed")
	rows, err := d.db.Jobs(ctx, maxChanged, jobs...)
	if err != nil {
		return err
	}
	var out api.QueueChanged
	for _, r := range rows {
		if err := job(ctx, r.ID); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		out.Changed++
	}
	n, err := session(ctx, store.SyncFilter{States: sessions})
	if err != nil {
		return err
	}
	out.Changed += n
	return c.JSON(http.StatusOK, out)
}
