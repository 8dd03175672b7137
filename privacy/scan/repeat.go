package scan

const (
	ManyNames   = 1024 // names of one sort in one text; only repeated text has more
	repeatReach = 200  // bytes on each side of a name that are compared
	repeatSure  = 8    // times that the same text was judged in the same way
	maxRepeats  = 1024 // different surroundings that are remembered
)

// repeats stores what names in the same surroundings gave: repeated text is judged a few times, not twenty thousand.
// The name before is always compared; the others are if there are many.
type repeats struct {
	last outcome
	many map[surroundings]*outcome
}

// surroundings are a text, and where in it a name ends.
type surroundings struct {
	text string
	end  int
}

// surrounding returns what is around a name, up to the given distances.
func surrounding(s *Scanner, from, to, before, behind int) surroundings {
	start := max(0, from-before)
	return surroundings{s.Text[start:min(len(s.Text), to+behind)], to - start}
}

// outcome is what was found for a name, with offsets from it, and how often.
type outcome struct {
	around surroundings
	spans  []Span
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
	if met <= ManyNames || len(r.many) >= maxRepeats {
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

// Once judges the name at [from, to), unless the same was judged often enough.
func Once(s *Scanner, from, to int, judge func()) {
	known := s.repeats.of(surrounding(s, from, to, repeatReach, repeatReach), s.Names)
	if known.times >= repeatSure {
		for _, sp := range known.spans {
			Add(s, from+sp.Start, from+sp.End, sp.Rule)
		}
		return
	}
	spans, marked := len(s.Spans), lastMarked(s)
	judge()
	if marked == lastMarked(s) {
		known.count(s.Spans[spans:], from, to)
	}
}

// count records another result; a different one starts the count again, and one that reaches further than was compared
// is never sure.
func (v *outcome) count(found []Span, from, to int) {
	same := len(found) == len(v.spans)
	for i, sp := range found {
		if sp.Start < from-repeatReach || sp.End > to+repeatReach || sp.Value != "" {
			v.times = 0
			return
		}
		same = same && v.spans[i].Start == sp.Start-from && v.spans[i].End == sp.End-from && v.spans[i].Rule == sp.Rule
	}
	if v.times++; same {
		return
	}
	v.spans, v.times = v.spans[:0], 1
	for _, sp := range found {
		v.spans = append(v.spans, Span{Start: sp.Start - from, End: sp.End - from, Rule: sp.Rule})
	}
}

// lastMarked returns where the parts end that are read in another way.
func lastMarked(s *Scanner) int {
	if n := len(s.Marked); n > 0 {
		return s.Marked[n-1].To
	}
	return 0
}
