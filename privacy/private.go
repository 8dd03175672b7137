package privacy

import (
	"regexp"
	"strings"
)

// declaration matches the word that keeps a session private, at the beginning of a
// prompt: also in bold, in quotation marks, quoted, in a list or as a heading.
var declaration = regexp.MustCompile(`(?i)\A[\s\p{Z}\p{C}>*_~"'` + "`" + `“”„‘’‚«»()\\[-]*#[ \t]?private(?:\z|[^\pL\pN_/-]|-(?:\s|\z))`)

// Declared reports whether a prompt begins with #private, as a reader sees it.
func Declared(prompt string) bool {
	seen, _ := asSeen(prompt)
	return declaration.MatchString(seen)
}

// stripTags takes out private blocks and reports whether nothing else was there.
// The values in them are known from then on.
func (p *passage) stripTags() (private bool) {
	var scan tagScan
	root, first, left := "", 0, false
	for i, l := range p.forest.leaves {
		if r, _, _ := strings.Cut(l.field, "."); r != root {
			root, first, scan = r, i, tagScan{}
		}
		open := scan.depth > 0
		private = p.strip(l, &scan) || private
		if !open && scan.depth > 0 {
			p.stripEnds(p.forest.leaves[first:i])
		}
	}
	for _, l := range p.forest.leaves {
		left = left || tagged(l) && carriesText(l)
	}
	return private && !left
}

// stripEnds takes out the end of a block that stands before its beginning: the
// members of an object come in the order of their names, not of what happened.
func (p *passage) stripEnds(leaves []*leaf) {
	for _, l := range leaves {
		end := tagScan{depth: 1, plain: true}
		if end.spans(l.text); end.depth == 0 {
			p.strip(l, &tagScan{depth: 1, plain: true})
		}
	}
}

// tagged reports whether blocks are looked for in a leaf.
func tagged(l *leaf) bool { return !l.done && l.field != "path" && l.parts == nil }

func (p *passage) strip(l *leaf, scan *tagScan) (private bool) {
	if !tagged(l) {
		return false
	}
	var blocks []string
	l.text, blocks = scan.strip(l.text)
	for _, b := range blocks {
		p.findings = append(p.findings, Finding{Rule: rulePrivate, Field: l.field, Bytes: len(b)})
		values := p.valuesOfBlock(b)
		p.withheld, p.dropped = append(p.withheld, values...), append(p.dropped, values...)
	}
	return len(blocks) > 0
}

// valuesOfBlock are the values in a private block: what would be one in a denied
// file, what the detectors find, and all of a short block.
func (p *passage) valuesOfBlock(block string) []string {
	text := withoutEdges(block)
	h := harvester{seen: map[string]bool{}}
	for _, v := range append(harvest(text), p.detected(text)...) {
		h.add(v)
	}
	lines := 0
	for line := range strings.Lines(text) {
		if lines++; lines > maxWordLines {
			break
		}
		h.private(strings.TrimSpace(line))
	}
	return h.values
}

// maxPrivateWords is how many words a line may have that is one value.
const maxPrivateWords = 4

// private takes the values of a line that was marked as private: somebody said that
// they are, so they need not look like it.
func (h *harvester) private(line string) {
	words := strings.Fields(line)
	if len(line) <= 128 && len(words) <= maxPrivateWords {
		h.addSecret(strings.Trim(line, "\"'`,;.:! "))
	}
	if at := strings.IndexAny(line, "=:"); at > 0 && nameBefore(line[:at]) != "" {
		if v := strings.Trim(line[at+1:], "\"'`=>,; "); !strings.ContainsAny(v, " \t") {
			h.addSecret(v)
		}
	}
	for _, w := range words {
		if w = strings.Trim(w, "\"'`.,;:!?()[]{}<>"); outstanding(w) {
			h.addSecret(w)
		}
	}
}

// outstanding reports whether a word among others is a value: it is no word of a language.
func outstanding(w string) bool {
	n := countKinds(w)
	letters := n.lower + n.upper
	switch {
	case handMade(w) || random(w) || looksRandom(w):
		return true
	case n.digits >= minSecret:
		return true
	case letters >= 10 && letters == len(w):
		return surprise(w) >= 5.5 && !camelWords(w)
	}
	return strings.Count(w, "-") > 2
}

// withoutEdges is a block without its tags, as a reader sees it.
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

// detected are the values that the detectors find; of a detector that panics
// nothing is learned.
func (p *passage) detected(text string) (values []string) {
	defer func() { _ = recover() }()
	spans, _ := p.g.detect(&leaf{field: rulePrivate, text: text}, p.raw.Dir)
	for _, s := range spans {
		if v := s.in(text); spreads(v) {
			values = append(values, v)
		}
	}
	return values
}
