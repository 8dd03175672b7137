package privacy

import (
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
	"keepmum/privacy/view"
)

// tagEdge matches the edge of a block that must never be stored: what the user marked as private, what we injected
// ourselves, and reminders that agents inject.
var tagEdge = lazyregexp.New(
	`(?i)\A<\s*(\\*/)?\s*(private|mum-context|system-reminder)(?:\s+[\w:-]+\s*=[^<>]{0,256})?\s*\\*>`,
)

// speltEdges also matches edges that are escaped for JSON or HTML, in square brackets, or self-closing.
var speltEdges = lazyregexp.New(
	`(?i)(?:<|\\+u003c|&lt;|\[)\s*(\\*/)?\s*(private|mum-context|system-reminder)(?:\s+[\w:-]+\s*=[^<>]{0,256}?)?\s*(?:\\*/?>|\\+u003e|&gt;|\])`,
)

// tag is the start or the end of a block.
type tag struct {
	start, end        int
	name              string
	closing, doubtful bool // doubtful: spelt in an unusual way
}

// edges returns the edges of blocks as a reader sees them: invisible characters do not hide one. A doubtful start
// counts only if an end follows it; otherwise somebody is writing about the tag, or it is something else.
func edges(text string) []tag {
	seen, from := asSeen(text)
	var out []tag
	if spelt(seen) {
		out = withEnd(edgesOf(seen, speltEdges.FindAllStringSubmatchIndex(seen, -1)))
	} else {
		out = edgesOf(seen, plainEdges(seen))
	}
	if from != nil {
		for i, e := range out {
			out[i].start, out[i].end = int(from[e.start]), int(from[e.end])
		}
	}
	return out
}

func edgesOf(text string, found [][]int) []tag {
	out := make([]tag, len(found))
	for i, m := range found {
		out[i] = tag{
			start:    m[0],
			end:      m[1],
			name:     value.LowerASCII(text[m[4]:m[5]]),
			closing:  m[2] >= 0,
			doubtful: !tagEdge.MatchString(text[m[0]:m[1]]),
		}
	}
	return out
}

// withEnd drops doubtful starts without an end.
func withEnd(in []tag) (out []tag) {
	last := -1
	for i, e := range in {
		if e.closing && e.name == scan.RulePrivate {
			last = i
		}
	}
	for i, e := range in {
		if i < last || e.closing || !e.doubtful {
			out = append(out, e)
		}
	}
	return out
}

// asSeen returns a text as a reader sees it, and the origin of each byte; nil if it reads as it is.
func asSeen(text string) (seen string, from []int32) {
	if !view.Conceals(text, value.ASCII(text)) {
		return text, nil
	}
	v := view.PlainView(text, scan.Stretch{From: 0, To: len(text)})
	return string(v.Text), append(v.From, int32(v.End))
}

// spelt reports whether a private block seems to start with an unusually spelt edge, and to end.
func spelt(text string) bool {
	last := lastClosing(text)
	if last < 0 {
		return false
	}
	low := value.LowerASCII(text[:last])
	for at := 0; ; at += len(scan.RulePrivate) {
		n := strings.Index(low[at:], scan.RulePrivate)
		if n < 0 {
			return false
		}
		at += n
		before, after := strings.TrimRight(low[:at], " \t"), low[at+len(scan.RulePrivate):]
		if strings.HasSuffix(before, "u003c") || strings.HasSuffix(before, "&lt;") || strings.HasSuffix(before, "[") ||
			strings.HasPrefix(strings.TrimLeft(after, " \t"), "/>") {
			return true
		}
	}
}

// lastClosing returns the position of the last "/private".
func lastClosing(text string) int {
	last := -1
	for at := 0; ; at++ { // searching forwards is faster
		n := strings.IndexByte(text[at:], '/')
		if n < 0 {
			return last
		}
		at += n
		for at+1 < len(text) && text[at+1] == '/' {
			at++ // part of a link or a remark
		}
		if value.BeginsFold(text[at+1:], scan.RulePrivate) {
			last = at
		}
	}
}

// plainEdges returns the edges that are written literally. Pages and programs contain many characters that look like an
// edge.
func plainEdges(text string) (out [][]int) {
	for at := 0; ; at++ {
		n := strings.IndexByte(text[at:], '<')
		if n < 0 {
			return out
		}
		if at += n; !opensEdge(text[at+1:]) {
			continue
		}
		if m := tagEdge.FindStringSubmatchIndex(text[at:]); m != nil {
			for i := range m {
				if m[i] >= 0 {
					m[i] += at
				}
			}
			out = append(out, m)
		}
	}
}

// opensEdge is a quick check of what follows a "<".
func opensEdge(s string) bool {
	for s != "" && (value.IsSpace(s[0]) || s[0] == '\\' || s[0] == '/') {
		s = s[1:]
	}
	for _, name := range []string{scan.RulePrivate, "mum-context", "system-reminder"} {
		if value.BeginsFold(s, name) {
			return true
		}
	}
	return false
}

// tagScan follows private blocks through the strings of one value, because a block may start in one string and end in
// another.
type tagScan struct {
	depth int
	plain bool // the current block started with an unmistakable tag, so only such a tag ends it
}

// mayHold is a quick check for the edge of a block.
func mayHold(text string) bool {
	return strings.Contains(text, "<") || strings.Contains(text, "\uFF1C") || lastClosing(text) >= 0
}

// spans returns the parts of text inside private or injected blocks.
func (t *tagScan) spans(text string) []scan.Span {
	if t.depth == 0 && !mayHold(text) {
		return nil
	}
	var out []scan.Span
	private, injected := 0, -1 // start of the current block
	block := ""
	for _, e := range edges(text) {
		switch {
		case e.name == scan.RulePrivate:
			if t.follow(e, &private) {
				out = append(out, scan.Span{Start: private, End: e.end, Rule: scan.RulePrivate})
			}
		case !e.closing && injected < 0:
			injected, block = e.start, e.name
		case e.closing && injected >= 0 && e.name == block:
			out = append(out, scan.Span{Start: injected, End: e.end, Rule: scan.RulePrivate, Quiet: true})
			injected = -1
		}
	}
	if t.depth > 0 {
		out = append(out, scan.Span{Start: private, End: len(text), Rule: scan.RulePrivate})
	}
	return scan.Merge(out)
}

// follow goes into a private block or out of it, and reports whether it left the outermost one, which begins at start.
func (t *tagScan) follow(e tag, start *int) (left bool) {
	switch {
	case t.depth > 0 && t.plain && e.doubtful:
	case !e.closing:
		if t.depth == 0 {
			*start, t.plain = e.start, !e.doubtful
		}
		t.depth++
	case t.depth > 0:
		t.depth--
		return t.depth == 0
	}
	return false
}

// strip removes private and injected blocks from a text, and returns the private ones.
func (t *tagScan) strip(text string) (kept string, private []string) {
	spans := t.spans(text)
	if len(spans) == 0 {
		return text, nil
	}
	return scan.Replace(text, spans, func(s scan.Span) string {
		if !s.Quiet {
			private = append(private, text[s.Start:s.End])
			return scan.PrivateMark
		}
		// A gap keeps the two sides apart: joined, they could form a tag or a token that was not there.
		if s.Start > 0 && s.End < len(text) {
			return " "
		}
		return ""
	}), private
}
