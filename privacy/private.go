package privacy

import (
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy/known"
	"keepmum/privacy/scan"
)

// declaration matches the word at the start of a prompt that makes a session private, also in bold, in quotation marks,
// quoted, in a list or as a heading.
var declaration = lazyregexp.New(`(?i)\A[\s\p{Z}\p{C}>*_~"'` + "`" + `“”„‘’‚«»()\\[-]*#[ \t]?private(?:\z|[^\pL\pN_/-]|-(?:\s|\z))`)

// Declared reports whether a prompt starts with #private, as a reader sees it.
func Declared(prompt string) bool {
	seen, _ := asSeen(prompt)
	return declaration.MatchString(seen)
}

// stripTags removes private blocks and reports whether nothing else was there. The values in them are remembered as
// secrets.
func (p *passage) stripTags() (private bool) {
	var tags tagScan
	root, first, left := "", 0, false
	for i, l := range p.doc.nodes {
		if r, _, _ := strings.Cut(l.field, "."); r != root {
			root, first, tags = r, i, tagScan{}
		}
		open := tags.depth > 0
		private = p.strip(l, &tags) || private
		if !open && tags.depth > 0 {
			p.stripEnds(p.doc.nodes[first:i])
		}
	}
	for _, l := range p.doc.nodes {
		left = left || tagged(l) && carriesText(l)
	}
	return private && !left
}

// stripEnds removes the end of a block that comes before its start: the members of an object are in the order of their
// names, not of events.
func (p *passage) stripEnds(nodes []*node) {
	for _, l := range nodes {
		end := tagScan{depth: 1, plain: true}
		if end.spans(l.text); end.depth == 0 {
			p.strip(l, &tagScan{depth: 1, plain: true})
		}
	}
}

// tagged reports whether to look for blocks in a node.
func tagged(l *node) bool { return !l.done && l.field != "path" && l.parts == nil }

// strip removes the private blocks of a node, and records that there were some.
func (p *passage) strip(l *node, tags *tagScan) (private bool) {
	if !tagged(l) {
		return false
	}
	var blocks []string
	l.text, blocks = tags.strip(l.text)
	for _, b := range blocks {
		p.findings = append(p.findings, Finding{Rule: scan.RulePrivate, Field: l.field, Bytes: len(b)})
		values := p.valuesOfBlock(b)
		p.withheld, p.dropped = append(p.withheld, values...), append(p.dropped, values...)
	}
	return len(blocks) > 0
}

// valuesOfBlock returns the values in a private block: what would be a value in a denied file, what the detectors find,
// and all of a short block.
func (p *passage) valuesOfBlock(block string) []string {
	text := withoutEdges(block)
	var h known.Harvester
	for _, v := range append(known.Harvest(text), p.detected(text)...) {
		h.Add(v)
	}
	lines := 0
	for line := range strings.Lines(text) {
		if lines++; lines > known.MaxWordLines {
			break
		}
		h.Private(strings.TrimSpace(line))
	}
	return h.Values
}

// withoutEdges returns a block without its tags, as a reader sees it.
func withoutEdges(block string) string {
	var b strings.Builder
	at := 0
	for _, e := range edges(block) {
		b.WriteString(block[at:e.start])
		b.WriteByte('\n')
		at = e.end
	}
	b.WriteString(block[at:])
	seen, _ := asSeen(b.String())
	return seen
}

// detected returns the values that the detectors find; none if a detector panics.
func (p *passage) detected(text string) (values []string) {
	defer func() { _ = recover() }()
	spans, _ := p.g.detect(&node{field: scan.RulePrivate, text: text}, p.raw.Dir, p.g.reads)
	for _, s := range spans {
		if v := s.In(text); spreads(scan.RuleMemory, v, text) {
			values = append(values, v)
		}
	}
	return values
}
