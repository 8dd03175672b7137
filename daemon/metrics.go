package daemon

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what /metrics tells. Only durations are collected as they
// happen; everything else is read when somebody asks.
type metrics struct {
	registry *prometheus.Registry
	search   prometheus.Histogram
	commit   prometheus.Histogram
	group    prometheus.Histogram
}

func newMetrics() *metrics {
	latency := func(name, help string) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: prometheus.ExponentialBuckets(0.0005, 2, 13)})
	}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		search:   latency("mum_search_seconds", "Time that a search took."),
		commit:   latency("mum_commit_seconds", "Time that a durable commit took."),
		group:    prometheus.NewHistogram(prometheus.HistogramOpts{Name: "mum_commit_calls", Help: "Calls that shared a commit.", Buckets: prometheus.ExponentialBuckets(1, 2, 9)}),
	}
	m.registry.MustRegister(m.search, m.commit, m.group)
	return m
}

// committed is told of each commit by the store.
func (m *metrics) committed(took time.Duration, calls int) {
	m.commit.Observe(took.Seconds())
	m.group.Observe(float64(calls))
}

func (d *Daemon) getMetrics(c echo.Context) error {
	asked := prometheus.NewRegistry() // one per request: what it reads belongs to this moment
	snapshot, err := d.snapshot(c.Request().Context())
	if err != nil {
		return err
	}
	if err := asked.Register(snapshot); err != nil {
		return err
	}
	all := prometheus.Gatherers{d.metrics.registry, asked}
	promhttp.HandlerFor(all, promhttp.HandlerOpts{}).ServeHTTP(c.Response(), c.Request())
	return nil
}

// snapshot is a list of values that were read together.
type snapshot []prometheus.Metric

// Describe says nothing beforehand: the names depend on what was seen.
func (snapshot) Describe(chan<- *prometheus.Desc) {}

// Collect hands the values over.
func (s snapshot) Collect(to chan<- prometheus.Metric) {
	for _, m := range s {
		to <- m
	}
}

func (s *snapshot) add(kind prometheus.ValueType, name, help, label, value string, v float64) {
	var labels, values []string
	if label != "" {
		labels, values = []string{label}, []string{value}
	}
	*s = append(*s, prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, labels, nil), kind, v, values...))
}

func (d *Daemon) snapshot(ctx context.Context) (snapshot, error) {
	stats, err1 := d.db.Stats(ctx)
	rules, err2 := d.db.LedgerTotals(ctx, "rule")
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	var s snapshot
	seen := d.count.capture()
	for kind, n := range seen.Events {
		s.add(prometheus.CounterValue, "mum_events_total", "Events since the start, by kind.", "kind", kind, float64(n))
	}
	for reason, n := range seen.Skipped {
		s.add(prometheus.CounterValue, "mum_events_skipped_total", "Events that were not stored, by reason.", "reason", reason, float64(n))
	}
	s.add(prometheus.CounterValue, "mum_events_refused_total", "Payloads that could not be read.", "", "", float64(seen.Refused))
	for _, r := range rules {
		s.add(prometheus.CounterValue, "mum_redactions_total", "What the gate took out, by rule.", "rule", r.Name, float64(r.Redactions))
	}
	for state, n := range stats.Jobs {
		s.add(prometheus.GaugeValue, "mum_jobs", "Units to summarise, by state.", "state", state, float64(n))
	}
	for kind, n := range map[string]int64{"prompt": stats.Prompts, "answer": stats.Answers, "observation": stats.Observations, "summary": stats.Summaries} {
		s.add(prometheus.GaugeValue, "mum_documents", "Documents that are kept, by kind.", "kind", kind, float64(n))
	}
	s.add(prometheus.GaugeValue, "mum_database_bytes", "Size of the database and its log.", "", "", float64(stats.Bytes))
	s.add(prometheus.GaugeValue, "mum_spool_events", "Events that wait on disk.", "", "", float64(d.spool.Len()))
	s.add(prometheus.CounterValue, "mum_egress_total", "Sendings that left this machine.", "", "", float64(stats.Left))
	s.add(prometheus.CounterValue, "mum_asked_total", "Sendings to a model, on this machine or elsewhere.", "", "", float64(stats.Asked))
	for kind, span := range d.count.hooks() {
		const ms = 1e-3
		s = append(s, prometheus.MustNewConstSummary(prometheus.NewDesc("mum_hook_seconds", "Time that an event spent in the daemon.", []string{"kind"}, nil),
			uint64(span.Count), span.Total*ms, map[float64]float64{0.5: span.P50 * ms, 0.95: span.P95 * ms, 0.99: span.P99 * ms}, kind))
	}
	return s, nil
}

// timed measures a handler.
func timed(h prometheus.Histogram, next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		began := time.Now()
		err := next(c)
		if err == nil && c.Response().Status == http.StatusOK {
			h.Observe(time.Since(began).Seconds())
		}
		return err
	}
}
