package privacy

const (
	manyNames   = 1024 // names of secrets in one text; only a flood has more
	repeatReach = 200  // bytes to each side of a name that are compared
	repeatSure  = 8    // times that the same was judged and nothing was found
	maxRepeats  = 1024 // different surroundings that are remembered
)

// repeats counts how often a name in the same surroundings gave nothing. What
// a flood repeats is judged a few times, not twenty thousand.
type repeats map[string]uint8

// sparingly judges a name of a flood, unless the same was judged before.
func (s *scanner) sparingly(end, from, to int) {
	around := s.text[max(0, from-repeatReach):min(len(s.text), to+repeatReach)]
	if s.repeats[around] >= repeatSure {
		return
	}
	before := s.yield()
	s.judgeName(end, from, to)
	if s.yield() != before {
		return
	}
	if s.repeats == nil {
		s.repeats = repeats{}
	}
	if n, ok := s.repeats[around]; ok || len(s.repeats) < maxRepeats {
		s.repeats[around] = n + 1
	}
}

// yield is how much was found so far: spans, and parts to be read otherwise.
func (s *scanner) yield() [2]int {
	last := 0
	if n := len(s.marked); n > 0 {
		last = s.marked[n-1].to
	}
	return [2]int{len(s.spans), last}
}
