package daemon

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/compress"
	"keepmum/llm"
	"keepmum/store"
)

func (d *Daemon) postCompress(c echo.Context) error {
	var in api.CompressRequest
	if err := d.readJSON(c, &in); err != nil {
		return err
	}
	if d.worker == nil {
		return failure(api.Conflict, "summaries are off", `set compress.provider = "auto" and restart: mum restart`)
	}
	if !d.tellable(in.Model) {
		return failure(api.Invalid, "the name of the model looks like it contains a secret",
			"choose a model from this list: ollama list")
	}
	ctx := c.Request().Context()
	if in.Redo {
		if _, err := d.db.RedoJobs(ctx); err != nil {
			return err
		}
	}
	stats, err := d.db.Stats(ctx)
	if err != nil {
		return err
	}
	d.worker.Start(in.Model)
	return c.JSON(http.StatusOK,
		api.Compressed{Waiting: stats.Jobs[string(store.JobPending)] + stats.Jobs[string(store.JobFailed)]})
}

func (d *Daemon) getPreview(c echo.Context) error {
	if err := onlyParams(c.QueryParams(), "job"); err != nil {
		return err
	}
	job, err := intParam(c.QueryParams(), "job", 0, 1, math.MaxInt32)
	if err != nil {
		return err
	}
	if d.worker == nil {
		return c.JSON(http.StatusOK, api.Preview{Why: "summaries are off (compress.provider)"})
	}
	p, err := d.worker.Preview(c.Request().Context(), int64(job))
	var held *llm.Held
	switch {
	case errors.As(err, &held):
		out := api.Preview{}
		for _, f := range held.Findings {
			out.Held = append(out.Held, api.Finding(f))
		}
		return c.JSON(http.StatusOK, out)
	case errors.Is(err, compress.ErrNothingWaits), errors.Is(err, compress.ErrNoneAsked):
		return c.JSON(http.StatusOK, api.Preview{Why: err.Error()})
	case err != nil:
		return modelError(err)
	}
	sum := sha256.Sum256(p.Payload)
	out := api.Preview{Provider: p.Provider, Host: p.Host, Model: p.Model, Digest: p.Digest, Payload: string(p.Payload),
		SHA256: hex.EncodeToString(sum[:])}
	if p.Absent != nil {
		out.Why = "there is no model: " + p.Absent.Error()
	}
	return c.JSON(http.StatusOK, out)
}

// modelError explains why a model is not used. The errors of llm contain no captured text.
func modelError(err error) error {
	var refused *llm.Refused
	switch {
	case errors.As(err, &refused):
		return failure(api.Forbidden, refused.Error(), refused.Hint)
	case errors.Is(err, llm.ErrNoModel):
		return failure(api.Unavailable, err.Error(), "mum status; mum downloads no model: ollama pull NAME")
	case errors.Is(err, llm.ErrUnavailable):
		return failure(api.Unavailable, err.Error(), "start the model server, or set compress.url")
	case errors.Is(err, llm.ErrTooLong):
		return failure(api.TooLarge, err.Error()+": it would be split", "")
	case errors.Is(err, store.ErrNotFound):
		return failure(api.NotFound, "there is no such job", "mum queue")
	}
	return err
}

// idOf reads the number from a path; the body must be empty.
func (d *Daemon) idOf(c echo.Context) (int64, error) {
	if err := d.emptyBody(c); err != nil {
		return 0, err
	}
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id < 1 {
		return 0, failure(api.Invalid, "the id must be a number", "")
	}
	return id, nil
}

func (d *Daemon) emptyBody(c echo.Context) error {
	var none struct{}
	return d.readJSON(c, &none)
}

func (d *Daemon) getQuarantine(c echo.Context) error {
	if err := onlyParams(c.QueryParams(), "limit"); err != nil {
		return err
	}
	limit, err := intParam(c.QueryParams(), "limit", 50, 1, 1000)
	if err != nil {
		return err
	}
	rows, err := d.db.Quarantine(c.Request().Context(), limit)
	if err != nil {
		return err
	}
	out := api.QuarantineList{Quarantine: []api.Quarantined{}}
	for _, r := range rows {
		q := api.Quarantined{ID: r.ID, Job: r.Job, At: time.UnixMilli(r.At).UTC(), Findings: []api.Finding{}}
		if err := json.Unmarshal([]byte(r.Findings), &q.Findings); err != nil {
			d.log.Warn("findings of a quarantined job cannot be read", "job", r.Job)
		}
		out.Quarantine = append(out.Quarantine, q)
	}
	return c.JSON(http.StatusOK, out)
}

// postRelease retries a job; both gates check it again.
func (d *Daemon) postRelease(c echo.Context) error { return d.endQuarantine(c, false) }

// postPurge ends a job permanently. Its first summary is kept.
func (d *Daemon) postPurge(c echo.Context) error { return d.endQuarantine(c, true) }

func (d *Daemon) endQuarantine(c echo.Context, purge bool) error {
	id, err := d.idOf(c)
	if err != nil {
		return err
	}
	err = d.db.ReleaseQuarantine(c.Request().Context(), id, purge)
	if errors.Is(err, store.ErrNotFound) {
		return failure(api.NotFound, "the quarantine has no job with that number", "mum quarantine list")
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, struct{}{})
}
