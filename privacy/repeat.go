package privacy

const (
	manyNames   = 1024 // names of one sort in one text; only a flood has more
	repeatReach = 200  // bytes to each side of a name that are compared
	repeatSure  = 8    // times that the same was judged in the same way
	maxRepeats  = 1024 // different surroundings that are remembered
)

// repeats holds what names in the same surroundings gave: what a flood repeats
// is judged a few times, not twenty thousand. The name before is always
// compared; the others are when there are many.
type repeats struct {
	last outcome
	many map[surroundings]*outcome
}

// surroundings are a text, and where in it a name ends.
type surroundings struct {
	text string
	end  int
}

// surrounding returns what stands around a name, so far before it and behind it.
func (s *scanner) surrounding(from, to, before, behind int) surroundings {
	start := max(0, from-before)
	return surroundings{s.text[start:min(len(s.text), to+behind)], to - start}
}

// outcome is what was found of a name, with offsets from it, and how often.
type outcome struct {
	around surroundings
	spans  []span
	times  int
}

// of returns the outcome for surroundings, a new one if there is none.
func (r *repeats) of(around surroundings, met int) *outcome {
	if r.last.around == around {
		return &r.last
	}
	if known := r.many[around]; known != nil {
		return known
	}
	if met <= manyNames || len(r.many) >= maxRepeats {
		r.last = outcome{around: around, spans: r.last.spans[:0]}
		return &r.last
	}
	if r.many == nil {
		r.many = map[surroundings]*outcome{}
	}
	known := &outcome{around: around}
	r.many[around] = known
	return known
}

// once judges the name at [from, to), unless the same was judged often enough.
func (s *scanner) once(from, to int, judge func()) {
	known := s.repeats.of(s.surrounding(from, to, repeatReach, repeatReach), s.names)
	if known.times >= repeatSure {
		for _, sp := range known.spans {
			s.add(from+sp.start, from+sp.end, sp.rule)
		}
		return
	}
	spans, marked := len(s.spans), s.lastMarked()
	judge()
	if marked == s.lastMarked() {
		known.count(s.spans[spans:], from, to)
	}
}

// count notes what was found once more; what differs begins anew, and what
// reaches further than was compared is never sure.
func (v *outcome) count(found []span, from, to int) {
	same := len(found) == len(v.spans)
	for i, sp := range found {
		if sp.start < from-repeatReach || sp.end > to+repeatReach || sp.value != "" {
			v.times = 0
			return
		}
		same = same && v.spans[i].start == sp.start-from && v.spans[i].end == sp.end-from && v.spans[i].rule == sp.rule
	}
	if v.times++; same {
		return
	}
	v.spans, v.times = v.spans[:0], 1
	for _, sp := range found {
		v.spans = append(v.spans, span{start: sp.start - from, end: sp.end - from, rule: sp.rule})
	}
}

// lastMarked is where the parts end that are to be read otherwise.
func (s *scanner) lastMarked() int {
	if n := len(s.marked); n > 0 {
		return s.marked[n-1].to
	}
	return 0
}
