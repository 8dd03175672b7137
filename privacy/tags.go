package privacy

import (
	"strings"

	"keepmum/lazyregexp"
)

const rulePrivate = "private"

// tagEdge reads the edge of a block that never belongs into a memory: what the
// user marked as private, what we injected ourselves, and what agents inject
// as reminders.
var tagEdge = lazyregexp.New(`(?i)\A<(/?)(private|mum-context|system-reminder)(?:\s+[\w:-]+\s*=[^<>]{0,256})?\s*>`)

// escapedEdges finds those that JSON or HTML escaped, too.
var escapedEdges = lazyregexp.New(`(?i)(?:<|\\+u003c|&lt;)(\\*/)?(private|mum-context|system-reminder)(?:\s+[\w:-]+\s*=[^<>]{0,256}?)?\s*(?:>|\\+u003e|&gt;)`)

// edges returns the edges of blocks. An escaped one counts where a private block
// ends, too: else somebody writes about the tag.
func edges(text string) [][]int {
	if strings.Contains(text, `\u003`) || strings.Contains(text, "&lt;") {
		if last := lastClosing(text); last > 0 {
			low := lowerASCII(text[:last])
			if strings.Contains(low, "u003cprivate") || strings.Contains(low, "&lt;private") {
				return escapedEdges.FindAllStringSubmatchIndex(text, -1)
			}
		}
	}
	return plainEdges(text)
}

// lastClosing returns where the last "/private" begins.
func lastClosing(text string) int {
	at := strings.LastIndexByte(text, '/')
	for at >= 0 && !beginsFold(text[at+1:], rulePrivate) {
		at = strings.LastIndexByte(text[:at], '/')
	}
	return at
}

// plainEdges returns the edges that are written as they are: pages and programs
// are full of signs that begin none.
func plainEdges(text string) (out [][]int) {
	for at := 0; ; at++ {
		n := strings.IndexByte(text[at:], '<')
		if n < 0 {
			return out
		}
		if at += n; !opensEdge(strings.TrimPrefix(text[at+1:], "/")) {
			continue
		}
		if e := tagEdge.FindStringSubmatchIndex(text[at:]); e != nil {
			for i := range e {
				e[i] += at
			}
			out = append(out, e)
		}
	}
}

// opensEdge is a quick look at what stands behind a "<".
func opensEdge(s string) bool {
	for _, name := range []string{rulePrivate, "mum-context", "system-reminder"} {
		if beginsFold(s, name) {
			return true
		}
	}
	return false
}

// tagScan follows private blocks through the strings of one value, because a
// block may begin in one string and end in another.
type tagScan struct{ depth int }

// spans returns the parts of text inside private or injected blocks.
func (t *tagScan) spans(text string) []span {
	if t.depth == 0 && !strings.Contains(text, "<") && !strings.Contains(text, `\u003`) && !strings.Contains(text, "&lt;") {
		return nil
	}
	var out []span
	private, injected := 0, -1 // where the block we are in began
	block := ""
	for _, e := range edges(text) {
		closing, name := e[2] < e[3], strings.ToLower(text[e[4]:e[5]])
		switch {
		case name == rulePrivate && !closing:
			if t.depth == 0 {
				private = e[0]
			}
			t.depth++
		case name == rulePrivate:
			if t.depth > 0 {
				t.depth--
				if t.depth == 0 {
					out = append(out, span{start: private, end: e[1], rule: rulePrivate})
				}
			}
		case !closing && injected < 0:
			injected, block = e[0], name
		case closing && injected >= 0 && name == block:
			out = append(out, span{start: injected, end: e[1], rule: rulePrivate, quiet: true})
			injected = -1
		}
	}
	if t.depth > 0 {
		out = append(out, span{start: private, end: len(text), rule: rulePrivate})
	}
	return merge(out)
}

// strip takes private and injected blocks out of a text.
func (t *tagScan) strip(text string) (string, []Finding) {
	spans := t.spans(text)
	if len(spans) == 0 {
		return text, nil
	}
	var found []Finding
	return replace(text, spans, func(s span) string {
		if !s.quiet {
			found = append(found, Finding{Rule: rulePrivate, Bytes: s.end - s.start})
			return privateMark
		}
		// A gap keeps the two sides from becoming one word: what is left must
		// not form a tag or a token that was not there.
		if s.start > 0 && s.end < len(text) {
			return " "
		}
		return ""
	}), found
}
