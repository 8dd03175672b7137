package daemon

import (
	"maps"
	"slices"
	"sync"
	"time"

	"keepmum/api"
	"keepmum/hooks"
)

// window is how many of the latest durations of one kind a percentile looks at.
const window = 2048

// counters are what this daemon did since it started.
type counters struct {
	now   func() time.Time
	mu    sync.Mutex
	c     api.Capture
	spans map[string]*span
	at    time.Time // of the latest event; at first, of the start
}

type span struct {
	count  int64
	total  time.Duration
	latest []time.Duration // a ring
}

func newCounters(now func() time.Time) *counters {
	return &counters{
		now:   now,
		c:     api.Capture{Events: map[string]int64{}, Skipped: map[string]int64{}, LastEvent: map[string]time.Time{}},
		spans: map[string]*span{},
		at:    now(),
	}
}

func (c *counters) refuse() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.c.Refused++
}

// remind counts a line that told an agent that it may keep something.
func (c *counters) remind() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.c.Reminded++
}

// took counts one event of an agent and the time it stayed in the daemon.
func (c *counters) took(agent string, kind hooks.Kind, o outcome, d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.now()
	c.c.Events[string(kind)]++
	if slices.Contains(hooks.Agents(), agent) { // a stranger's name would be a key without end
		c.c.LastEvent[agent] = c.now().UTC()
	}
	c.c.Redacted += int64(o.findings)
	switch o.status {
	case statusExcluded:
		c.c.Excluded++
	case statusSkipped:
		c.c.Skipped[o.reason]++
	}
	s := c.spans[string(kind)]
	if s == nil {
		s = &span{}
		c.spans[string(kind)] = s
	}
	s.add(d)
}

func (s *span) add(d time.Duration) {
	if len(s.latest) < window {
		s.latest = append(s.latest, d)
	} else {
		s.latest[s.count%window] = d
	}
	s.count++
	s.total += d
}

func (s *span) wire() api.Span {
	sorted := slices.Sorted(slices.Values(s.latest))
	at := func(p float64) float64 { return ms(sorted[int(p*float64(len(sorted)-1))]) }
	return api.Span{Count: s.count, P50: at(0.50), P95: at(0.95), P99: at(0.99), Total: ms(s.total)}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// last returns when the latest event came.
func (c *counters) last() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *counters) capture() api.Capture {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.c
	out.Events, out.LastEvent, out.Skipped = maps.Clone(c.c.Events), maps.Clone(c.c.LastEvent), maps.Clone(c.c.Skipped)
	return out
}

func (c *counters) hooks() map[string]api.Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make(map[string]api.Span, len(c.spans))
	for kind, s := range c.spans {
		out[kind] = s.wire()
	}
	return out
}
