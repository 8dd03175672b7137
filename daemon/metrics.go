package daemon

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// metrics collects durations for /metrics as they occur; all other values are read on request.
type metrics struct {
	search, commit, group *histogram
}

func newMetrics() *metrics {
	return &metrics{
		search: newHistogram("mum_search_seconds", "Time that a search took.", 0.0005, 13),
		commit: newHistogram("mum_commit_seconds", "Time that a durable commit took.", 0.0005, 13),
		group:  newHistogram("mum_commit_calls", "Calls that shared a commit.", 1, 9),
	}
}

// committed is called by the store after each commit.
func (m *metrics) committed(took time.Duration, calls int) {
	m.commit.observe(took.Seconds())
	m.group.observe(float64(calls))
}

func (d *Daemon) getMetrics(c echo.Context) error {
	s, err := d.snapshot(c.Request().Context())
	if err != nil {
		return err
	}
	for _, h := range []*histogram{d.metrics.search, d.metrics.commit, d.metrics.group} {
		h.tell(s)
	}
	return c.Blob(http.StatusOK, expositionType, s.text())
}

// snapshot reads values that belong to the same moment.
func (d *Daemon) snapshot(ctx context.Context) (*exposition, error) {
	stats, err1 := d.db.Stats(ctx)
	rules, err2 := d.db.LedgerTotals(ctx, "rule")
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	s := &exposition{}
	seen := d.count.capture()
	for kind, n := range seen.Events {
		s.add(counter, "mum_events_total", "Events since the start, by kind.", float64(n), "kind", kind)
	}
	for reason, n := range seen.Skipped {
		s.add(counter, "mum_events_skipped_total", "Events that were not stored, by reason.", float64(n), "reason", reason)
	}
	s.add(counter, "mum_events_refused_total", "Payloads that could not be read.", float64(seen.Refused))
	s.add(counter, "mum_requests_too_large_total", "Requests of more than 10 MiB, not stored.",
		float64(seen.TooLarge))
	lost, _ := d.spool.Drops()
	s.add(counter, "mum_events_lost_total", "Events that could neither be stored nor spooled.", float64(lost))
	for _, r := range rules {
		s.add(counter, "mum_redactions_total", "Redactions, by rule.", float64(r.Redactions), "rule", r.Name)
	}
	for state, n := range stats.Jobs {
		s.add(gauge, "mum_jobs", "Units to summarise, by state.", float64(n), "state", state)
	}
	for kind, n := range map[string]int64{"prompt": stats.Prompts, "answer": stats.Answers,
		"observation": stats.Observations, "summary": stats.Summaries} {
		s.add(gauge, "mum_documents", "Stored documents, by kind.", float64(n), "kind", kind)
	}
	s.add(gauge, "mum_database_bytes", "Size of the database and its log.", float64(stats.Bytes))
	s.add(gauge, "mum_spool_events", "Events that wait on disk.", float64(d.spool.Len()))
	s.add(counter, "mum_egress_total", "Requests that left this machine.", float64(stats.Left))
	s.add(counter, "mum_asked_total", "Requests to a model, on this machine or elsewhere.", float64(stats.Asked))
	for kind, span := range d.count.hooks() {
		const name, help, ms = "mum_hook_seconds", "Time that an event spent in the daemon.", 1e-3
		for q, v := range map[string]float64{"0.5": span.P50, "0.95": span.P95, "0.99": span.P99} {
			s.add(summary, name, help, v*ms, "kind", kind, "quantile", q)
		}
		s.part(summary, name, "_sum", help, span.Total*ms, "kind", kind)
		s.part(summary, name, "_count", help, float64(span.Count), "kind", kind)
	}
	return s, nil
}

// timed measures the time of a handler.
func timed(h *histogram, next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		began := time.Now()
		err := next(c)
		if err == nil && c.Response().Status == http.StatusOK {
			h.observe(time.Since(began).Seconds())
		}
		return err
	}
}
