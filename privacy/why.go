package privacy

import "keepmum/privacy/scan"

// Reason says why a stretch of a text is taken out, never what it is.
type Reason struct {
	From, To int
	Rule     string
	Word     string // in the text, that set off the reader which found it; "" = a look at the whole text, or a value known from elsewhere
}

// Why says what would be taken out of a text in its first pass, in the order of the text.
func (g *Gate) Why(text string) ([]Reason, error) {
	spans, err := g.detect(&leaf{text: text}, "")
	if err != nil {
		return nil, err
	}
	var out []Reason
	for _, s := range scan.Merge(scan.Subtract(scan.Merge(spans), g.ownMarks(text))) {
		out = append(out, Reason{From: s.Start, To: s.End, Rule: s.Rule, Word: s.Word})
	}
	return out, nil
}
