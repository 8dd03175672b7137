package privacy

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"keepmum/privacy/denylist"
	"keepmum/privacy/known"
	"keepmum/privacy/pair"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
	"keepmum/privacy/verdict"
)

const (
	maxEvent  = 10 << 20 // bytes of text in one event
	maxRounds = 6        // maximum number of passes; usually it ends when one finds nothing more

	maxRestless = 64 // values that may still be found in one text from the third pass on; more means a flood
)

// passage is one event on its way through the gate.
type passage struct {
	g        *Gate
	raw      Raw
	verdict  denylist.Verdict
	doc      document
	values   map[string]string // secret → rule, found so far in this event
	findings []Finding
	withheld []string // secrets in what the denylist dropped
	dropped  []string // those of withheld that were in this event
	answers  bool     // the user's text answers the agent's question for a secret
	typed    string   // member of the input that was typed at a password prompt
}

// run cleans the event.
func (p *passage) run() Cleaned {
	fields := make(map[string]*node, len(p.raw.Fields))
	tool := p.doc.add(node{field: "tool", text: p.raw.Tool})
	input, output := p.trees()
	for _, name := range slices.Sorted(maps.Keys(p.raw.Fields)) {
		text := p.raw.Fields[name]
		fields[name] = p.doc.add(node{field: name, text: text, asked: name == "text" && p.answers && pair.Reply(text)})
	}
	var paths []*node
	for _, path := range p.verdict.Paths {
		paths = append(paths, p.doc.add(node{field: "path", text: path}))
	}
	denied := p.doc.add(node{field: "path", text: p.verdict.Denied})

	p.limit()
	private := p.stripTags()
	p.clean()

	out := Cleaned{Tool: Clean{tool.text}, Input: Tree{built(input)}, Output: Tree{built(output)},
		Fields: make(map[string]Clean, len(fields)), Findings: p.findings, Excluded: Clean{denied.text}, Private: private}
	for name, l := range fields {
		out.Fields[name] = Clean{l.text}
	}
	for _, l := range paths {
		if c := (Clean{l.text}); !slices.Contains(out.Paths, c) && p.stands(l.text) {
			out.Paths = append(out.Paths, c)
		}
	}
	out.Findings = append(out.Findings, p.valuesWithheld()...)
	return out
}

// maxWithheld limits how many values of one event's withheld content are recorded.
const maxWithheld = 256

// valuesWithheld returns findings, with keyed hashes, for known values in withheld content, so that a user can later
// ask whether one of them ever passed.
func (p *passage) valuesWithheld() (out []Finding) {
	told := map[string]bool{}
	for _, v := range p.dropped {
		if !told[v] && len(told) < maxWithheld {
			told[v] = true
			out = append(out, Finding{Rule: known.RuleExcludedValue, Field: "withheld", Bytes: len(v), MAC: p.g.macs.Hex(v)})
		}
	}
	return out
}

// stands reports whether a path can be kept. What was redacted in a command may have contained slashes, so that its
// pieces look like paths. In a denied event, only denied paths were kept in the first place.
func (p *passage) stands(path string) bool {
	if len(p.findings) == 0 || p.verdict.Denied != "" {
		return true
	}
	return slices.ContainsFunc(p.doc.nodes, func(l *node) bool {
		return l.field != "path" && strings.Contains(l.text, path)
	})
}

// trees returns the input and the output of the tool.
func (p *passage) trees() (input, output any) {
	f, raw := &p.doc, p.raw
	if keeps(raw.Input) {
		f.prior = typedPrior
	}
	f.given = given(raw.Tool)
	input = f.take(raw.Input, "input", "", 0)
	f.given = noPrior
	if p.typed != "" {
		p.typedIn()
	}
	f.columns, f.asked = selected(raw.Input), pair.AsksUser(raw.Input)
	output = f.take(raw.Output, "output", "", 0)
	f.columns, f.asked = nil, false
	return input, output
}

// typedIn marks what was typed at a password prompt as a password.
func (p *passage) typedIn() {
	for _, l := range p.doc.nodes {
		v := strings.TrimSpace(l.text)
		if l.field == "input."+p.typed && !l.isKey && (value.Mixed(v) || !strings.Contains(v, " ")) {
			l.prior = certainPrior
		}
	}
}

// limit applies the size cap to each string and to the event.
func (p *passage) limit() {
	left := maxEvent
	for _, l := range p.doc.nodes {
		if l.lines {
			continue
		}
		if left -= len(l.text); left < 0 {
			p.replaceAll(l, scan.Withheld("size"))
			continue
		}
		l.text = capped(l.text, p.g.maxField)
	}
}

// replaceAll replaces the whole text of a node, or of the lines that it was put together from.
func (p *passage) replaceAll(l *node, mark string) {
	if l.lines {
		for _, part := range l.parts {
			p.replaceAll(part, mark)
		}
	}
	if l.parts == nil {
		kind, _, _ := strings.Cut(mark, ":")
		rule := strings.ToLower(strings.Trim(kind, "["))
		p.findings = append(p.findings, Finding{Rule: rule, Field: l.field, Bytes: len(l.text)})
	}
	l.text, l.number, l.done, l.spans = mark, false, true, nil
}

// carriesText reports whether a node is content that remains without the private parts.
func carriesText(l *node) bool {
	root, _, _ := strings.Cut(l.field, ".")
	if l.isKey || !contentField(root) {
		return false
	}
	return strings.TrimSpace(strings.ReplaceAll(l.text, scan.PrivateMark, "")) != ""
}

// contentField reports whether a field is content rather than metadata.
func contentField(root string) bool {
	switch root {
	case "input", "output", "text", "prompt", "error":
		return true
	}
	return false
}

// clean looks for secrets until a pass finds nothing more. Removing a value can join two others, and what one string
// reveals is removed from all of them. A text that still changes after the last pass is withheld.
func (p *passage) clean() {
	p.values = map[string]string{}
	for _, v := range p.withheld {
		if !p.g.verdicts.Public(v) {
			p.values[v] = scan.RuleMemory
		}
	}
	p.joinLines()
	for round := range maxRounds {
		for _, l := range p.doc.nodes {
			p.judge(l)
			if round >= 2 && len(l.spans) > maxRestless {
				p.replaceAll(l, scan.Withheld("unstable"))
			}
		}
		p.propagate()
		if !p.apply() {
			break
		}
	}
	for _, l := range p.doc.nodes {
		if !l.done {
			p.replaceAll(l, scan.Withheld("unstable"))
		}
	}
	p.g.memory.Learn(p.raw.Session, slices.Collect(maps.Keys(p.values)))
}

// judge finds the spans of one node; if a detector panics, the text is withheld.
func (p *passage) judge(l *node) {
	if l.done || l.text == "" {
		return
	}
	defer func() {
		if recover() != nil {
			p.replaceAll(l, scan.Withheld("panic"))
		}
	}()
	spans, err := p.g.detect(l, p.raw.Dir, p.g.reads)
	if err != nil {
		p.replaceAll(l, scan.Withheld(reason(err)))
		return
	}
	seen, err := p.g.memory.Spans(p.raw.Session, l.text)
	if err != nil {
		p.replaceAll(l, scan.Withheld(reason(err)))
		return
	}
	spans = p.g.allowed(l.text, append(spans, seen...))
	if len(spans) == 0 {
		return
	}
	l.spans = scan.Merge(scan.Subtract(scan.Merge(spans), p.g.ownMarks(l.text)))
	if l.lines {
		l.divide()
		return
	}
	l.together()
	for _, s := range l.spans {
		if v := s.In(l.text); spreads(s.Rule, v, l.text) {
			p.values[v] = s.Rule
			for _, same := range otherwise(v) {
				if !p.g.verdicts.Public(same) {
					p.values[same] = s.Rule
				}
			}
		}
	}
}

// reason returns the name of the reason why a text is withheld.
func reason(err error) string {
	if errors.Is(err, errPatternTimeout) {
		return "pattern-timeout"
	}
	if errors.Is(err, verdict.ErrUnread) {
		return "verdicts"
	}
	return "too-many-candidates"
}

// apply replaces the spans found in this pass and reports whether there were any.
func (p *passage) apply() (changed bool) {
	for _, l := range p.doc.nodes {
		if len(l.spans) == 0 || l.lines {
			l.done = true
			continue
		}
		l.text = p.redacted(l)
		l.spans, l.done, changed = nil, false, true
	}
	p.joinLines()
	return changed
}

// joinLines puts the texts of lines together again; a text that changed is judged again.
func (p *passage) joinLines() {
	for _, l := range p.doc.nodes {
		if l.lines && l.join() {
			l.spans, l.done = nil, false
		}
	}
}

// redacted returns the text of a node with its spans replaced. A text that is JSON stays JSON.
func (p *passage) redacted(l *node) string {
	text := scan.Replace(l.text, l.spans, func(s scan.Span) string { return p.g.marked(s, l.text) })
	if isJSON(l.text) && !json.Valid([]byte(text)) {
		l.spans = fitJSON(l.text, l.spans)
		text = scan.Replace(l.text, l.spans, func(s scan.Span) string { return p.g.marked(s, l.text) })
	}
	if l.parts != nil {
		return text // the same values are found in the strings of the event, and recorded there
	}
	for _, s := range l.spans {
		mac := p.g.macs.Hex(s.In(l.text))
		p.findings = append(p.findings, Finding{Rule: s.Rule, Field: l.field, Bytes: s.End - s.Start, MAC: mac})
	}
	return text
}
