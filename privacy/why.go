package privacy

import (
	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Reason says why a part of a text is redacted, never what it is.
type Reason struct {
	From, To int
	Rule     string
	// Word is the word in the text that triggered the reader; "" = the reader reads the whole text, or the value is
	// known from elsewhere.
	Word string
	// Looks describes the value if its place or name makes it secret; "" if its form does.
	Looks string
	// Again: it is redacted because it was found in another place of the text.
	Again bool
	// Judged is the learned judge's score, if that decided.
	Judged *Judgement
}

// Judgement is the learned judge's score for a candidate.
type Judgement struct {
	Score     float32              `json:"score"`
	Threshold float32              `json:"threshold"` // score from which it is redacted
	RuledOut  bool                 `json:"ruled_out,omitempty"`
	Decided   []judge.Contribution `json:"decided"`
}

// Kept is the unredacted candidate that came closest to the threshold.
type Kept struct {
	From, To int
	Judgement
}

// Explanation lists what is redacted in a text, and what almost was.
type Explanation struct {
	Reasons []Reason
	Nearest *Kept // nil: no other candidate was scored
}

// deciding is how many features of a candidate are listed.
const deciding = 5

// Why explains what would be redacted in a text, in text order.
func (g *Gate) Why(text string) (Explanation, error) {
	var judged []scan.Judged
	reads := g.reads
	reads.Watch = func(j scan.Judged) { judged = append(judged, j) }
	_ = g.verdicts.Refresh() // detect returns the error if the verdicts cannot be read
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
		if scan.Generic(s.Rule) && !s.Judged {
			r.Looks = value.Describe(s.In(text))
		}
		for _, j := range judged {
			if j.Start == s.Start && j.End == s.End && decided(j) {
				w := weighed(j)
				r.Judged = &w
			}
		}
		out.Reasons = append(out.Reasons, r)
	}
	out.Nearest = nearest(judged, spans)
	return out, nil
}

// everywhere adds the other places in which the found values occur.
func everywhere(text string, spans []scan.Span, own [][2]int) (all []scan.Span, again map[[2]int]bool) {
	known, found := map[string]string{}, map[[2]int]bool{}
	for _, s := range spans {
		found[[2]int{s.Start, s.End}] = true
		if v := s.In(text); spreads(s.Rule, v, text) {
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

// decided reports whether the score of a candidate made it a secret: for a word near a cue, nothing else can.
func decided(j scan.Judged) bool { return j.Score >= j.Bar && !j.RuledOut && !j.Taken && !j.Sure }

func weighed(j scan.Judged) Judgement {
	return Judgement{Score: j.Score, Threshold: j.Bar, RuledOut: j.RuledOut, Decided: judge.TopFeatures(j, deciding)}
}

// nearest returns the unredacted candidate that is closest to the threshold. Candidates that were ruled out first come
// last.
func nearest(judged []scan.Judged, spans []scan.Span) *Kept {
	var best *scan.Judged
	for i := range judged {
		j := &judged[i]
		if j.Taken || touches(spans, j.Start, j.End) {
			continue
		}
		if best == nil || best.RuledOut && !j.RuledOut || best.RuledOut == j.RuledOut && j.Score-j.Bar > best.Score-best.Bar {
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

// Weighed calls see with each candidate of a text that the learned judge scores, and returns what the readers and the
// judge redact: the data that `make train-gate` fits to.
func Weighed(text string, see func(scan.Judged)) []scan.Span {
	return sharedRules().Read(text, scan.Options{Watch: see})
}
