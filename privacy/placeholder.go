package privacy

import (
	"fmt"
	"strings"

	"keepmum/privacy/scan"
)

// ownMarks finds the placeholders in a text that the gate put there: the rule
// of each must be one that exists, so that nobody can hide a value in it.
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

// marked is the placeholder of a span of a text.
func (g *Gate) marked(s scan.Span, text string) string {
	mark := fmt.Sprintf("[REDACTED:%s#%s]", s.Rule, g.macs.Hex(s.In(text))[:4])
	if s.Quoted {
		return `"` + mark + `"`
	}
	return mark
}
