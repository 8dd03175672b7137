package privacy

import (
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
}

// Why says what would be taken out of a text, in the order of the text.
func (g *Gate) Why(text string) ([]Reason, error) {
	spans, err := g.detect(&node{text: text}, "")
	if err != nil {
		return nil, err
	}
	own := g.ownMarks(text)
	spans = scan.Merge(scan.Subtract(scan.Merge(spans), own))
	known := map[string]string{}
	for _, s := range spans {
		if v := s.In(text); spreads(s.Rule, v) {
			known[v] = s.Rule
		}
	}
	again := map[[2]int]bool{}
	if len(known) > 0 {
		found := map[[2]int]bool{}
		for _, s := range spans {
			found[[2]int{s.Start, s.End}] = true
		}
		for _, s := range scan.Subtract(scan.Merge(scan.NewFinder(known).In(text)), own) {
			if at := [2]int{s.Start, s.End}; !found[at] {
				again[at] = true
				spans = append(spans, s)
			}
		}
		spans = scan.Merge(spans)
	}
	var out []Reason
	for _, s := range spans {
		r := Reason{From: s.Start, To: s.End, Rule: s.Rule, Word: s.Word, Again: again[[2]int{s.Start, s.End}]}
		if scan.Generic(s.Rule) {
			r.Looks = value.Looks(s.In(text))
		}
		out = append(out, r)
	}
	return out, nil
}
