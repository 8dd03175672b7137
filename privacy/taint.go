package privacy

import (
	"strings"

	"keepmum/privacy/known"
	"keepmum/privacy/scan"
)

// Known takes out of a cleaned text what was judged a secret of its session since.
func (g *Gate) Known(session string, text *Clean) (out []Finding) {
	if g.mode == ModeNone {
		return nil
	}
	spans, err := g.memory.Spans(session, text.s)
	if err != nil {
		text.s = scan.Withheld(reason(err))
		return nil
	}
	spans = scan.Subtract(scan.Merge(spans), g.ownMarks(text.s))
	for _, s := range spans {
		out = append(out, Finding{Rule: s.Rule, Field: "text", Bytes: s.End - s.Start, MAC: g.macs.Hex(s.In(text.s))})
	}
	if len(spans) > 0 {
		text.s = scan.Replace(text.s, spans, func(s scan.Span) string { return g.marked(s, text.s) })
	}
	return out
}

// namesOnly keeps the names of an environment and drops every value, and
// every line that has no name.
func (w *withholding) namesOnly(text string) string {
	w.secrets = append(w.secrets, known.Harvest(text)...)
	var out []string
	dropped := 0
	for line := range strings.SplitSeq(text, "\n") {
		kept, lost := known.NameOnly(line)
		dropped += lost
		if kept == known.ExcludedOutput && len(out) > 0 && out[len(out)-1] == kept {
			continue
		}
		out = append(out, kept)
	}
	if dropped == 0 {
		return text
	}
	w.findings = append(w.findings, Finding{Rule: known.RuleExcluded, Field: w.field, Bytes: dropped})
	return strings.Join(out, "\n")
}
