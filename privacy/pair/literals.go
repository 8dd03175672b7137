package pair

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
)

// Literals returns the literals of a call up to its end.
func Literals(s *scan.Scanner, at int) (out []scan.Span) {
	call := at
	for limit := min(len(s.Text), at+maxCall); at < limit && len(out) < 8; at++ {
		switch c := s.Text[at]; {
		case c == '"' || c == '\'' || c == '`':
			to := assign.ClosingQuote(s.Text, at+1, c, 0, 256)
			out = append(out, scan.Span{Start: at + 1, End: to})
			at = to
		case c == '(' && at+1 < limit && s.Text[at+1] == ')':
			at++ // an argument such as url.String()
		case c == ')', c == ';', c == '\n' && !continued(s.Text[call:at]):
			return out
		}
	}
	return out
}

// continued reports whether a call continues on the next line.
func continued(args string) bool {
	args = strings.TrimRight(args, " \t\r")
	return args == "" || args[len(args)-1] == ','
}
