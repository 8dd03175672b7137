package transcript

import (
	"slices"
	"strings"
	"time"
)

// sink is where every reader puts what it finds.
type sink struct {
	Session
	yield func(Entry) error
	calls []waiting // waiting for their results, oldest first
	held  int       // sum of their sizes
}

type waiting struct {
	Entry
	size int // of the input, in bytes of JSON
}

// Limits on what may wait for a result. Agents run a few calls at once; more wait only if results are missing.
const (
	maxCalls = 256
	maxHeld  = 8 << 20
)

// put yields an entry, unless it is a text that says nothing.
func (s *sink) put(e Entry) error {
	if e.Role != Tool && strings.TrimSpace(e.Text) == "" {
		return nil
	}
	s.saw(e.At)
	s.Stats.Entries++
	return s.yield(e)
}

// count counts a row of a database, or a file that takes the place of one.
func (s *sink) count(size int, ok bool) {
	s.Stats.Lines++
	s.Stats.Bytes += int64(size)
	if !ok {
		s.Stats.Skipped++
	}
}

// saw extends the time span of the session.
func (s *sink) saw(t time.Time) {
	if t.IsZero() {
		return
	}
	if s.Start.IsZero() || t.Before(s.Start) {
		s.Start = t
	}
	if t.After(s.End) {
		s.End = t
	}
}

// aside yields something next to the conversation. It does not count as an entry.
func (s *sink) aside(e Entry) error {
	if strings.TrimSpace(e.Text) == "" && e.Beside == nil {
		return nil
	}
	e.Role = Aside
	return s.yield(e)
}

// call holds a tool call until its result arrives.
func (s *sink) call(e Entry, size int) error {
	e.Role = Tool
	if e.CallID == "" {
		return s.put(e) // no result can refer to it
	}
	s.calls = append(s.calls, waiting{e, size})
	s.held += size
	for len(s.calls) > maxCalls || (s.held > maxHeld && len(s.calls) > 1) {
		if err := s.put(s.take(0)); err != nil {
			return err
		}
	}
	return nil
}

// take removes a waiting call.
func (s *sink) take(i int) Entry {
	w := s.calls[i]
	s.calls = slices.Delete(s.calls, i, i+1)
	s.held -= w.size
	return w.Entry
}

// toolOf returns the tool of a call that waits for its result; "" = unknown, because it was in an earlier reading.
func (s *sink) toolOf(id string) string {
	if i := slices.IndexFunc(s.calls, func(w waiting) bool { return w.CallID == id }); i >= 0 {
		return s.calls[i].Tool
	}
	return ""
}

// result completes the call with the id of e. If that call was in an earlier reading, e is yielded on its own.
func (s *sink) result(e Entry) error {
	e.Role = Tool
	i := slices.IndexFunc(s.calls, func(w waiting) bool { return w.CallID == e.CallID })
	if i < 0 || e.CallID == "" {
		return s.put(e)
	}
	c := s.take(i)
	c.Output, c.Beside, c.Failed = e.Output, e.Beside, e.Failed
	s.saw(e.At)
	return s.put(c)
}

// done yields the calls without a result.
func (s *sink) done() error {
	for len(s.calls) > 0 {
		if err := s.put(s.take(0)); err != nil {
			return err
		}
	}
	return nil
}

// set keeps the first value of something that does not change.
func set(dst *string, v string) {
	if *dst == "" {
		*dst = v
	}
}

// replace keeps the last value of something that may change.
func replace(dst *string, v string) {
	if v != "" {
		*dst = v
	}
}
