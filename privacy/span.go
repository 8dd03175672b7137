package privacy

import (
	"slices"
	"strings"
)

// span is a stretch of a text that must not be kept.
type span struct {
	start, end int
	rule       string
	value      string // what the tag is computed from; "" = the text of the span itself
	quoted     bool   // its placeholder needs quotes of its own: it stood for a bare JSON value
	quiet      bool   // removed without a placeholder and without a finding (own context blocks)
}

// subtract takes the gate's own placeholders out of the spans, so that a text
// that was cleaned before is not changed again. Both are in order.
func subtract(spans []span, holes [][2]int) []span {
	if len(holes) == 0 {
		return spans
	}
	var out []span
	for _, s := range spans {
		from := s.start
		for len(holes) > 0 && holes[0][1] <= from {
			holes = holes[1:]
		}
		for _, h := range holes {
			if h[0] >= s.end {
				break
			}
			if h[0] > from {
				out = append(out, span{start: from, end: h[0], rule: s.rule, quiet: s.quiet})
			}
			from = max(from, h[1])
		}
		if from == s.start {
			out = append(out, s)
		} else if from < s.end {
			out = append(out, span{start: from, end: s.end, rule: s.rule, quiet: s.quiet})
		}
	}
	return out
}

// merge sorts spans and joins those that overlap; the longest one names the result.
func merge(spans []span) []span {
	if !slices.IsSortedFunc(spans, byPlace) {
		slices.SortStableFunc(spans, byPlace)
	}
	out := spans[:0]
	for _, s := range spans {
		if s.start >= s.end {
			continue
		}
		last := len(out) - 1
		if last < 0 || s.start >= out[last].end {
			out = append(out, s)
			continue
		}
		out[last] = join(out[last], s)
	}
	return out
}

// byPlace sorts spans by where they begin, the longer ones first.
func byPlace(a, b span) int {
	if a.start != b.start {
		return a.start - b.start
	}
	return b.end - a.end
}

// generic reports whether a rule says no more than that something is secret.
func generic(rule string) bool {
	return rule == rulePassword || rule == ruleSecret || rule == ruleRandom || rule == ruleMemory
}

// join unites two overlapping spans. A rule that knows whose token it is names
// the result if it saw nearly all of it. A value survives only when its span is
// the whole of the union: a tag must not name half of what was taken out.
func join(a, b span) span {
	end := max(a.end, b.end)
	whole := a
	if b.start == a.start && b.end > a.end {
		whole = b
	} else if b.end > a.end {
		whole.value = ""
	}
	for _, other := range []span{a, b} {
		const nearly = 0.8
		if generic(whole.rule) && !generic(other.rule) && float64(other.end-other.start) >= nearly*float64(end-a.start) {
			whole.rule = other.rule
		}
	}
	whole.start, whole.end = a.start, end
	whole.quiet = a.quiet && b.quiet
	return whole
}

// replace writes text with each span replaced by what mark says.
func replace(text string, spans []span, mark func(span) string) string {
	var b strings.Builder
	b.Grow(len(text))
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.start])
		b.WriteString(mark(s))
		at = s.end
	}
	b.WriteString(text[at:])
	return b.String()
}
