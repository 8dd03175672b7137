package privacy

import (
	"encoding/json"
	"strings"

	"keepmum/privacy/scan"
)

// isJSON reports whether a text is a JSON object or array.
func isJSON(text string) bool {
	t := strings.TrimLeft(text, " \t\r\n")
	return t != "" && (t[0] == '{' || t[0] == '[') && json.Valid([]byte(text))
}

// fitJSON limits spans to the literals of a JSON text, so that it is still JSON after the replacement: within a string
// without splitting an escape; numbers and words as a whole, including quotes.
func fitJSON(text string, spans []scan.Span) []scan.Span {
	var out []scan.Span
	for i := 0; i < len(text); {
		from, to, isString := literalAt(text, i)
		if from == to {
			break
		}
		for _, s := range spans {
			if s.End <= from || s.Start >= to {
				continue
			}
			if !isString {
				out = append(out, scan.Span{Start: from, End: to, Rule: s.Rule, Value: s.Value, Quoted: true})
				break
			}
			start, end := escapeBounds(text, from, max(s.Start, from), min(s.End, to))
			if start < end {
				if s.Start != start || s.End != end {
					s.Start, s.End, s.Value = start, end, ""
				}
				out = append(out, s)
			}
		}
		i = to + 1
	}
	return scan.Merge(out)
}

// literalAt returns the next literal at or after i: the inside of a string, or a number or word.
func literalAt(text string, i int) (from, to int, isString bool) {
	for i < len(text) && strings.IndexByte(" \t\r\n{}[]:,", text[i]) >= 0 {
		i++
	}
	if i >= len(text) {
		return i, i, false
	}
	if text[i] != '"' {
		for from = i; i < len(text) && strings.IndexByte(" \t\r\n{}[]:,", text[i]) < 0; i++ {
		}
		return from, i, false
	}
	i++
	for from = i; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	if from == i { // skip an empty string
		return literalAt(text, i+1)
	}
	return from, min(i, len(text)), true
}

// escapeBounds widens [start, end) so that it does not split an escape of the string that starts at from.
func escapeBounds(text string, from, start, end int) (int, int) {
	outStart, outEnd := start, end
	for i := from; i < end; {
		n := 1
		if text[i] == '\\' && i+1 < len(text) {
			n = 2
			if text[i+1] == 'u' {
				n = min(6, len(text)-i)
			}
		}
		if i < start && start < i+n {
			outStart = i
		}
		if i < end && end < i+n {
			outEnd = i + n
		}
		i += n
	}
	return outStart, outEnd
}
