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
	const edge = "-----" // of a private key, not of a token
	first, second := tokenAtEnd(a.text), tokenAtStart(b.text)
	if len(first) < minHalf || len(second) < minHalf || strings.HasSuffix(a.text, edge) ||
		strings.HasPrefix(b.text, edge) {
		return
	}
	whole, at := first+second, len(first)
	if len(whole) < minWhole || !value.Mixed(whole) {
		return
	}
	for _, s := range p.vendors(whole) {
		if s.Start >= at || s.End <= at {
			continue
		}
		if p.complete(first, second) {
			return
		}
		a.spans = []scan.Span{{Start: len(a.text) - at + s.Start, End: len(a.text), Rule: s.Rule}}
		b.spans = []scan.Span{{Start: 0, End: s.End - at, Rule: s.Rule}}
		a.text, b.text = p.redacted(a), p.redacted(b)
		a.spans, b.spans = nil, nil
		return
	}
}

// complete reports whether one of two parts is a token next to another one or to a word.
func (p *passage) complete(first, second string) bool {
	drawn := value.Mixed(second) && value.CrossEntropy(second) >= value.DrawnAtAll
	return len(p.vendors(second)) > 0 || !drawn && len(p.vendors(first)) > 0
}

// vendors returns the tokens of vendors in a text.
func (p *passage) vendors(text string) []scan.Span {
	return slices.DeleteFunc(p.g.rules().Scan(text, false, 0), func(s scan.Span) bool { return scan.Generic(s.Rule) })
}

func tokenAtEnd(text string) string {
	from := len(text)
	for from > 0 && len(text)-from < maxHalf && scan.TokenByte(text[from-1]) {
		from--
	}
	return text[from:]
}

func tokenAtStart(text string) string {
	to := 0
	for to < len(text) && to < maxHalf && scan.TokenByte(text[to]) {
		to++
	}
	return text[:to]
}
