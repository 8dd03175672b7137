package daemon

import (
	"maps"
	"slices"
	"sync"
	"time"

	"keepmum/api"
	"keepmum/hooks"
)

// window is how many of the latest durations of a kind are used for percentiles.
const window = 2048

// counters count what this daemon has done since it started.
type counters struct {
	now   func() time.Time
	mu    sync.Mutex
	c     api.Capture
	spans map[string]*span
	at    time.Time               // time of the latest event; initially of the start
	docs  map[int64]time.Duration // how long the latest documents took to become durable
	order []int64                 // ids of these documents, a ring
	next  int
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
		docs:  map[int64]time.Duration{},
	}
}

func (c *counters) refuse() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.c.Refused++
}

// refuseSize counts a payload that is too large, and returns how many there were before.
func (c *counters) refuseSize() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.c.Refused++
	c.c.TooLarge++
	return c.c.TooLarge - 1
}

// remind counts a line that told an agent that it may save memories.
func (c *counters) remind() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.c.Reminded++
}

// took counts one event of an agent and the time that it took in the daemon.
func (c *counters) took(agent string, kind hooks.Kind, o outcome, d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.now()
	c.c.Events[string(kind)]++
	if slices.Contains(hooks.Agents(), agent) { // names from strangers would make the map grow without limit
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
	if kind == hooks.Prompt || kind == hooks.Answer || kind == hooks.Observation {
		c.noteDoc(o.id, d)
	}
}

// noteDoc remembers how long a document took, for the latest documents only.
func (c *counters) noteDoc(id int64, d time.Duration) {
	if id == 0 || c.docs[id] != 0 {
		return
	}
	if len(c.order) < window {
		c.order = append(c.order, id)
	} else {
		delete(c.docs, c.order[c.next])
		c.order[c.next] = id
		c.next = (c.next + 1) % window
	}
	c.docs[id] = d
}

// tookFor returns how long a document took, in milliseconds; 0 = no longer known.
func (c *counters) tookFor(id int64) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return ms(c.docs[id])
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
	out := api.Span{Count: s.count, P50: at(0.50), P95: at(0.95), P99: at(0.99), Total: ms(s.total)}
	// from half a millisecond to half a second
	for bound := 500 * time.Microsecond; bound <= 512*time.Millisecond; bound *= 2 {
		n, _ := slices.BinarySearch(sorted, bound+1)
		out.Latest = append(out.Latest, api.Bucket{UpTo: ms(bound), Count: int64(n)})
		sorted = sorted[n:]
	}
	out.Latest = append(out.Latest, api.Bucket{Count: int64(len(sorted))})
	return out
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// last returns the time of the latest event.
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
