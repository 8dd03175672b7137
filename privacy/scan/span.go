package scan

import (
	"slices"
	"strings"
)

// Span is a stretch of a text that must not be stored.
type Span struct {
	Start, End int
	Rule       string
	Value      string // what the tag is computed from; "" = the text of the span itself
	Word       string // what in the text triggered the reader that found it; "" = the check of the whole text
	Judged     bool   // found only by the learned judge
	Quoted     bool   // its placeholder needs its own quotes: it replaced a bare JSON value
	Quiet      bool   // removed without a placeholder and without a finding (own context blocks)
}

// In returns the secret of a span.
func (s Span) In(text string) string {
	if s.Value != "" {
		return s.Value
	}
	return text[s.Start:s.End]
}

// Subtract removes the gate's own placeholders from the spans, so that a text that was cleaned before does not change
// again. Both are in order.
func Subtract(spans []Span, holes [][2]int) []Span {
	if len(holes) == 0 {
		return spans
	}
	var out []Span
	for _, s := range spans {
		from := s.Start
		for len(holes) > 0 && holes[0][1] <= from {
			holes = holes[1:]
		}
		for _, h := range holes {
			if h[0] >= s.End {
				break
			}
			if h[0] > from {
				out = append(out, Span{Start: from, End: h[0], Rule: s.Rule, Quiet: s.Quiet})
			}
			from = max(from, h[1])
		}
		if from == s.Start {
			out = append(out, s)
		} else if from < s.End {
			out = append(out, Span{Start: from, End: s.End, Rule: s.Rule, Quiet: s.Quiet})
		}
	}
	return out
}

// Merge sorts spans and joins those that overlap; the longest one names the result.
func Merge(spans []Span) []Span {
	if !slices.IsSortedFunc(spans, byPlace) {
		slices.SortStableFunc(spans, byPlace)
	}
	out := spans[:0]
	for _, s := range spans {
		if s.Start >= s.End {
			continue
		}
		last := len(out) - 1
		if last < 0 || s.Start >= out[last].End {
			out = append(out, s)
			continue
		}
		out[last] = join(out[last], s)
	}
	return out
}

// byPlace sorts spans by start, longer ones first.
func byPlace(a, b Span) int {
	if a.Start != b.Start {
		return a.Start - b.Start
	}
	return b.End - a.End
}

// Generic reports whether a rule says only that something is secret.
func Generic(rule string) bool {
	return rule == RulePassword || rule == RuleSecret || rule == RuleRandom || rule == RuleMemory
}

// join unites two overlapping spans. A rule that knows whose token it is names the result if its span covers nearly all
// of it. A value is kept only if its span is the whole union: a tag must not name half of what was taken out.
func join(a, b Span) Span {
	end := max(a.End, b.End)
	whole := a
	if b.Start == a.Start && b.End > a.End {
		whole = b
	} else if b.End > a.End {
		whole.Value = ""
	}
	for _, other := range []Span{a, b} {
		const nearly = 0.8
		if Generic(whole.Rule) && !Generic(other.Rule) && float64(other.End-other.Start) >= nearly*float64(end-a.Start) {
			whole.Rule = other.Rule
		}
	}
	whole.Start, whole.End = a.Start, end
	whole.Quiet = a.Quiet && b.Quiet
	return whole
}

// Replace returns text with each span replaced by what mark returns.
func Replace(text string, spans []Span, mark func(Span) string) string {
	var b strings.Builder
	b.Grow(len(text))
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.Start])
		b.WriteString(mark(s))
		at = s.End
	}
	b.WriteString(text[at:])
	return b.String()
}
