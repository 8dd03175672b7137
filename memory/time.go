package memory

import (
	"slices"
	"time"

	"gopkg.in/yaml.v3"

	"keepmum/sorting"
)

// Interval is a time at which a memory was valid. A zero end means that it still is.
type Interval struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to,omitzero"`
}

// Holds reports whether a moment is in the interval, which excludes its end.
func (i Interval) Holds(t time.Time) bool {
	return !t.Before(i.From) && (i.To.IsZero() || t.Before(i.To))
}

// since returns when a memory became valid, as far as is known.
func (m Memory) since() time.Time {
	if !m.ValidFrom.IsZero() {
		return m.ValidFrom
	}
	return m.Created
}

// Said returns when a memory first became valid. A restored memory is valid again from the day it was restored, but was
// said long before. Zero means when it was created.
func (m Memory) Said() time.Time {
	first := m.ValidFrom
	for _, t := range m.Held {
		if t.From.Before(first) {
			first = t.From
		}
	}
	return first
}

// merged reports whether another memory replaces this one for its whole time.
func (m Memory) merged() bool { return m.SupersededBy != "" && m.ValidTo.IsZero() }

// Times returns when a memory was valid, oldest first. A merged memory has no times; the one that absorbed it has them.
func (m Memory) Times() []Interval {
	if m.merged() {
		return nil
	}
	out := slices.Clone(m.Held)
	if m.ValidTo.IsZero() || m.ValidTo.After(m.since()) {
		out = append(out, Interval{m.since(), m.ValidTo})
	}
	sorting.Stable(out, func(a, b Interval) int { return a.From.Compare(b.From) })
	return out
}

// HeldAt reports whether a memory was valid at a moment.
func (m Memory) HeldAt(t time.Time) bool {
	return slices.ContainsFunc(m.Times(), func(i Interval) bool { return i.Holds(t) })
}

// end ends the time of a memory, unless it has already ended.
func (m *Memory) end(at time.Time) {
	if m.ValidTo.IsZero() {
		m.ValidTo = later(at, m.since())
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// reopen makes a memory valid again from now on. Its earlier times stay; those of a merged memory belong to the one
// that absorbed it.
func (m *Memory) reopen(now time.Time) {
	given, ended := m.merged(), !m.ValidTo.IsZero()
	m.SupersededBy = ""
	switch {
	case given:
		m.Held, m.ValidFrom = nil, now
	case ended:
		if m.ValidTo.After(m.since()) {
			m.Held = append(m.Held, Interval{m.since(), m.ValidTo})
		}
		m.ValidFrom, m.ValidTo = later(now, m.ValidTo), time.Time{}
	}
}

// takeTimes adds the times of a memory that is merged into this one.
func (m *Memory) takeTimes(from Memory) { m.setTimes(append(m.Times(), from.Times()...)) }

func (m *Memory) setTimes(all []Interval) {
	if all = union(all); len(all) == 0 {
		return
	}
	last := len(all) - 1
	m.Held, m.ValidFrom, m.ValidTo = all[:last:last], all[last].From, all[last].To
	if last == 0 {
		m.Held = nil
	}
}

// union joins intervals that touch.
func union(all []Interval) []Interval {
	sorting.Stable(all, func(a, b Interval) int { return a.From.Compare(b.From) })
	var out []Interval
	for _, i := range all {
		n := len(out) - 1
		switch {
		case n < 0 || !out[n].To.IsZero() && out[n].To.Before(i.From):
			out = append(out, i)
		case !out[n].To.IsZero() && (i.To.IsZero() || i.To.After(out[n].To)):
			out[n].To = i.To
		}
	}
	return out
}

// intervals reads a list of `{from: …, to: …}`.
func (r *reader) intervals(key string) []Interval {
	n := r.doc.get(key)
	if n == nil || n.Tag == "!!null" {
		return nil
	}
	if !r.most(n, key, maxEntries, len(n.Content)) {
		return nil
	}
	var out []Interval
	for _, item := range n.Content {
		if item.Kind != yaml.MappingNode {
			r.fail(item, key+" is not a list of {from: …, to: …}")
			return nil
		}
		in := reader{doc: &document{head: item}}
		i := Interval{in.time("from"), in.time("to")}
		if in.err != nil || i.From.IsZero() || !i.To.After(i.From) {
			r.fail(item, key+" contains something that is not a time with a beginning and a later end")
			return nil
		}
		out = append(out, i)
	}
	return out
}

func (w writer) intervals(key string, list []Interval) {
	r := reader{doc: w.doc}
	if slices.Equal(r.intervals(key), list) && r.err == nil {
		return
	}
	lines := make([]map[string]string, len(list))
	for i, l := range list {
		lines[i] = map[string]string{"from": l.From.UTC().Format(time.RFC3339), "to": l.To.UTC().Format(time.RFC3339)}
	}
	w.put(key, false, len(list) == 0, lines)
}
