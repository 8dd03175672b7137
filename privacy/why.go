package privacy

import (
	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Reason says why a stretch of a text is taken out, never what it is.
type Reason struct {
	From, To int
	Rule     string
	// Word is what in the text set off the reader which found it; "" = a look at the
	// whole text, or a value known from elsewhere.
	Word string
	// Looks is what the value looks like, where not its form but its place or its name
	// says that it is secret; "" where the form does.
	Looks string
	// Again: it is taken out because it was found in another place of the text.
	Again bool
	// Judged is what the learned judge says, where it alone decided.
	Judged *Judgement
}

// Judgement is what the learned judge says about a candidate.
type Judgement struct {
	Score     float32              `json:"score"`
	Threshold float32              `json:"threshold"` // score from which it is redacted
	RuledOut  bool                 `json:"ruled_out,omitempty"`
	Decided   []judge.Contribution `json:"decided"`
}

// Kept is the candidate nearest to the bar that stays.
type Kept struct {
	From, To int
	Judgement
}

// Explanation is what is taken out of a text, and what nearly was.
type Explanation struct {
	Reasons []Reason
	Nearest *Kept // nil: nothing else was weighed
}

// deciding is how many features are named of a candidate.
const deciding = 5

// Why says what would be taken out of a text, in the order of the text.
func (g *Gate) Why(text string) (Explanation, error) {
	var judged []scan.Judged
	reads := g.reads
	reads.Watch = func(j scan.Judged) { judged = append(judged, j) }
	_ = g.verdicts.Refresh() // what cannot be read is the error of detect
	spans, err := g.detect(&node{text: text}, "", reads)
	if err != nil {
		return Explanation{}, err
	}
	spans = g.allowed(text, spans)
	own := g.ownMarks(text)
	spans = scan.Merge(scan.Subtract(scan.Merge(spans), own))
	spans, again := everywhere(text, spans, own)
	var out Explanation
	for _, s := range spans {
		r := Reason{From: s.Start, To: s.End, Rule: s.Rule, Word: s.Word, Again: again[[2]int{s.Start, s.End}]}
		if scan.Generic(s.Rule) {
			r.Looks = value.Looks(s.In(text))
		}
		for _, j := range judged {
			if s.Judged && j.Start == s.Start && j.End == s.End {
				w := weighed(j)
				r.Judged = &w
			}
		}
		out.Reasons = append(out.Reasons, r)
	}
	out.Nearest = nearest(judged, spans)
	return out, nil
}

// everywhere adds the places where what was found stands again.
func everywhere(text string, spans []scan.Span, own [][2]int) (all []scan.Span, again map[[2]int]bool) {
	known, found := map[string]string{}, map[[2]int]bool{}
	for _, s := range spans {
		found[[2]int{s.Start, s.End}] = true
		if v := s.In(text); !s.Judged && spreads(s.Rule, v) {
			known[v] = s.Rule
		}
	}
	if len(known) == 0 {
		return spans, nil
	}
	again = map[[2]int]bool{}
	for _, s := range scan.Subtract(scan.Merge(scan.NewFinder(known).In(text)), own) {
		if at := [2]int{s.Start, s.End}; !found[at] {
			again[at] = true
			spans = append(spans, s)
		}
	}
	return scan.Merge(spans), again
}

func weighed(j scan.Judged) Judgement {
	return Judgement{Score: j.Score, Threshold: j.Bar, RuledOut: j.RuledOut, Decided: judge.Decided(j, deciding)}
}

// nearest is the candidate nearest to the bar of which nothing is taken out. What the
// first look ruled out comes behind all others.
func nearest(judged []scan.Judged, spans []scan.Span) *Kept {
	var best *scan.Judged
	for i := range judged {
		j := &judged[i]
		if j.Taken || touches(spans, j.Start, j.End) {
			continue
		}
		if best == nil || best.RuledOut && !j.RuledOut || best.RuledOut == j.RuledOut && j.Score > best.Score {
			best = j
		}
	}
	if best == nil {
		return nil
	}
	return &Kept{From: best.Start, To: best.End, Judgement: weighed(*best)}
}

func touches(spans []scan.Span, from, to int) bool {
	for _, s := range spans {
		if s.Start < to && from < s.End {
			return true
		}
	}
	return false
}
