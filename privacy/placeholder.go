package privacy

import (
	"fmt"
	"strings"

	"keepmum/privacy/scan"
)

// ownMarks finds the gate's own placeholders in a text. The rule of each must exist, so that nobody can hide a value in
// a fake placeholder.
func (g *Gate) ownMarks(text string) [][2]int {
	if !scan.MayHaveMarks(text) {
		return nil
	}
	var out [][2]int
	for at := 0; at < len(text); at++ {
		i := strings.IndexByte(text[at:], '[')
		if i < 0 {
			break
		}
		at += i
		n := scan.PlaceholderLength(text[at:])
		if n == 0 {
			continue
		}
		if rule, tagged := scan.MarkRule(text[at : at+n]); !tagged || g.knowsRule(rule) {
			out = append(out, [2]int{at, at + n})
		}
		at += n - 1
	}
	return out
}

// marked returns the placeholder for a span of a text.
func (g *Gate) marked(s scan.Span, text string) string {
	mark := fmt.Sprintf("[REDACTED:%s#%s]", s.Rule, g.macs.Hex(s.In(text))[:4])
	if s.Quoted {
		return `"` + mark + `"`
	}
	return mark
}
