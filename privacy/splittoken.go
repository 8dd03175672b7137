package privacy

import (
	"slices"
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

const (
	maxHalf  = 128 // bytes of a token on each side of the seam
	minHalf  = 4   // bytes of each half at least
	minWhole = 20  // bytes of both halves: vendors' tokens are longer
	maxPairs = 512 // pairs in one event
)

// splitTokens redacts vendors' tokens whose halves are in two neighbouring strings: a name and its value, the elements
// of a list, the two outputs of a program. Half a token is not recognised by itself.
func (p *passage) splitTokens() {
	if p.g.mode == ModeNone {
		return
	}
	var key, last *node
	pairs := 0
	for _, l := range p.doc.nodes {
		switch {
		case l.parts != nil || l.done || l.number || !ofTool(l.field):
			continue
		case l.isKey:
			key = l
			continue
		}
		if key != nil {
			p.splitToken(key, l)
		}
		if last != nil && pairs < maxPairs {
			pairs++
			p.splitToken(last, l)
			p.splitToken(l, last)
		}
		key, last = nil, l
	}
}

// ofTool reports whether a node belongs to the input or output of a tool.
func ofTool(field string) bool {
	return strings.HasPrefix(field, "input") || strings.HasPrefix(field, "output")
}

// splitToken reads the end of one string and the start of another as one token.
func (p *passage) splitToken(a, b *node) {
	from, to := len(a.text), 0
	for from > 0 && len(a.text)-from < maxHalf && scan.TokenByte(a.text[from-1]) {
		from--
	}
	const edge = "-----" // of a private key, not of a token
	if len(a.text)-from < minHalf || strings.HasSuffix(a.text, edge) || strings.HasPrefix(b.text, edge) {
		return
	}
	for to < len(b.text) && to < maxHalf && scan.TokenByte(b.text[to]) {
		to++
	}
	whole := a.text[from:] + b.text[:to]
	if to < minHalf || len(whole) < minWhole || !value.Mixed(whole) {
		return
	}
	at := len(a.text) - from
	vendors := func(text string) []scan.Span {
		return slices.DeleteFunc(p.g.rules().Scan(text, false, 0),
			func(s scan.Span) bool { return scan.Generic(s.Rule) })
	}
	for _, s := range vendors(whole) {
		if s.Start >= at || s.End <= at {
			continue
		}
		if rest := whole[at:]; len(vendors(rest)) > 0 ||
			len(vendors(whole[:at])) > 0 && (!value.Mixed(rest) || value.CrossEntropy(rest) < value.DrawnAtAll) {
			return // a complete token next to another one or to a word
		}
		a.spans, b.spans = []scan.Span{{Start: from + s.Start, End: len(a.text), Rule: s.Rule}},
			[]scan.Span{{Start: 0, End: s.End - at, Rule: s.Rule}}
		a.text, b.text = p.redacted(a), p.redacted(b)
		a.spans, b.spans = nil, nil
		return
	}
}
