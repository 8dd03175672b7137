package memory

import (
	"cmp"
	"path"
	"time"
)

// spot is the position of a moment in a line of memories.
type spot struct {
	at   time.Time // the moment
	in   *Memory   // the memory that was valid then; nil = none is known
	next *Memory   // the one that became valid next; nil = none
	end  time.Time // when next became valid; without it, when in ended
}

// spotOf finds the position of a moment in a line.
func spotOf(line []Memory, at time.Time) spot {
	s := spot{at: at}
	for i := range line {
		for _, t := range line[i].Times() {
			if t.Holds(at) {
				s.in = &line[i]
			}
			if t.From.After(at) && (s.next == nil || t.From.Before(s.end)) {
				s.next, s.end = &line[i], t.From
			}
		}
	}
	if s.next == nil && s.in != nil { // nothing came next, but it may have been archived
		for _, t := range s.in.Times() {
			if t.Holds(at) {
				s.end = t.To
			}
		}
	}
	return s
}

// History writes a statement about an earlier time that is read after a newer one. It is archived with a closed
// interval and refers to the memory that replaced it. The memory that was valid when it begins ends there.
func (t *Tree) History(c Candidate, by Stamp, target Memory) (out Memory, err error) {
	err = t.locked(func() error {
		l, err := t.loadMemories()
		if err != nil {
			return err
		}
		m := newMemory(c)
		s := spotOf(lineOf(Visible(l.Memories(), target.On()), target), m.ValidFrom)
		switch {
		case s.end.IsZero():
			return ErrChanged // nothing came after it
		case s.in != nil && sameStatement(*s.in, m):
			out = *s.in
			return nil
		case s.next != nil && sameStatement(*s.next, m):
			out, err = t.rewrite(*s.next, by, func(now *Memory) { now.beginAt(s.end, s.at) })
		default:
			out, err = t.addHistory(m, s, by)
		}
		if err != nil || s.in == nil || s.in.ID == out.ID {
			return err
		}
		_, err = t.rewrite(*s.in, by, func(now *Memory) { now.cutAt(s.at, out.ID) })
		return err
	})
	return out, err
}

// addHistory writes a memory of an earlier time into the archive.
func (t *Tree) addHistory(m Memory, s spot, by Stamp) (Memory, error) {
	m.ValidTo = s.end
	if before := cmp.Or(s.next, s.in); m.Key == "" {
		m.Key = before.Key
	}
	if s.next != nil {
		m.SupersededBy = s.next.ID
	}
	m, err := t.name(m, by)
	if err != nil {
		return Memory{}, err
	}
	m.Path, m.Archived = path.Join(archiveDir, m.Path), true
	return t.put(m, newDocument(), by)
}

// beginAt makes the interval that began at was begin earlier, at at.
func (m *Memory) beginAt(was, at time.Time) {
	for i := range m.Held {
		if m.Held[i].From.Equal(was) {
			m.Held[i].From = at
			return
		}
	}
	if m.since().Equal(was) {
		m.ValidFrom = at
	}
}

// cutAt ends the interval that contains a moment at that moment. The memory that replaced it last stays named.
func (m *Memory) cutAt(at time.Time, next string) {
	for i := range m.Held {
		if m.Held[i].Holds(at) {
			m.Held[i].To = at
			if !at.After(m.Held[i].From) {
				m.Held = append(m.Held[:i:i], m.Held[i+1:]...)
			}
			return
		}
	}
	if !m.ValidTo.IsZero() && (Interval{m.since(), m.ValidTo}).Holds(at) {
		m.ValidTo, m.SupersededBy = at, next
	}
}

// keyed decides about a candidate with a key: the key says what it is about, so similarity does not matter.
func (j *Judge) keyed(now *entry) (Verdict, bool) {
	if now.Key == "" {
		return Verdict{}, false
	}
	line, last := j.line(now.Memory), (*entry)(nil)
	for i := range line {
		if e := j.known[line[i].ID]; last == nil || newer(e, last) {
			last = e
		}
	}
	if last == nil {
		return Verdict{}, false
	}
	m := match{entry: last, score: 1}
	same, early := sameStatement(last.Memory, now.Memory), !now.ValidFrom.IsZero() && now.ValidFrom.Before(last.since())
	switch {
	case early:
		return j.earlier(now, m, line)
	case last.Archived:
		return m.afterGap(now, same)
	case same && last.says(now.Memory):
		return m.verdict(Noop, Same)
	case same:
		return m.verdict(Update, Similar)
	}
	return m.verdict(Supersede, OtherValue)
}

// newer reports whether a represents a key rather than b: an active memory, otherwise the one that was valid last.
func newer(a, b *entry) bool {
	if a.Archived != b.Archived {
		return b.Archived
	}
	return a.since().After(b.since())
}

// afterGap: no memory with the key is active. A statement made after the last one was archived becomes valid.
func (m match) afterGap(now *entry, same bool) (Verdict, bool) {
	ended := cmp.Or(m.ValidTo, m.Updated)
	switch {
	case same && (now.ValidFrom.IsZero() || !now.ValidFrom.Before(ended)):
		return m.verdict(Update, Similar)
	case same:
		return m.verdict(Noop, WasArchived)
	case !now.ValidFrom.IsZero() && now.ValidFrom.Before(m.ValidTo):
		return m.verdict(History, Outdated)
	}
	return Verdict{Action: Add, Reason: New}, true
}

// earlier: the statement is about a time before the current memory.
func (j *Judge) earlier(now *entry, m match, line []Memory) (Verdict, bool) {
	s := spotOf(line, now.ValidFrom)
	if s.in != nil && sameStatement(*s.in, now.Memory) {
		return match{entry: j.known[s.in.ID], score: 1}.verdict(Noop, Same)
	}
	return m.verdict(History, Outdated)
}

// line returns the known memories that answered the same question over time.
func (j *Judge) line(m Memory) []Memory {
	all := make([]Memory, 0, len(j.known))
	for _, e := range j.known {
		all = append(all, e.Memory)
	}
	return lineOf(all, m)
}

// restore takes a memory back into use. It replaces an active memory with the same key, or absorbs one that says the
// same.
func (t *Tree) restore(m Memory, by Stamp) (Memory, error) {
	l, err := t.loadMemories()
	if err != nil {
		return Memory{}, err
	}
	other := l.holder(m.Key, m)
	twin := other != nil && sameStatement(*other, m)
	out, err := t.rewrite(m, by, func(m *Memory) {
		m.reopen(by.Now)
		if twin {
			m.takeTimes(*other)
		}
	})
	if err == nil {
		out, err = t.move(out, false)
	}
	if err != nil || other == nil {
		return out, err
	}
	marked, err := t.rewrite(*other, by, func(o *Memory) {
		if o.SupersededBy = m.ID; !twin {
			o.end(by.Now)
		}
	})
	if err == nil {
		_, err = t.move(marked, true)
	}
	return out, err
}
