package pair

import (
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/rules"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Entered redacts what a script types into a password field: page.fill('#password', '…'),
// getByLabel("Password").type("…").
func Entered(s *scan.Scanner, end int) {
	before := strings.ToLower(s.Text[max(0, end-96):end])
	if line := before[strings.LastIndexByte(before, '\n')+1:]; asksForName(line) {
		before = line // the lines above ask for something that has been filled in
	}
	literals := Literals(s, end)
	if len(literals) == 0 {
		return
	}
	last := literals[len(literals)-1]
	for _, l := range literals[:len(literals)-1] {
		before += value.LowerASCII(s.Text[l.Start:l.End])
	}
	v := s.Text[last.Start:last.End]
	if i := strings.IndexByte(v, '{'); i > 0 && v[len(v)-1] == '}' {
		v = v[:i] // the key that is pressed then
	}
	if asksFor(before) && (TypedPassword(v) || value.PunctuatedPassword(v) ||
		quotedPassword(v, judge.LeadVerb, true) && !value.LabelWord(v)) {
		scan.Add(s, last.Start, last.Start+len(v), scan.RulePassword)
	}
}

// asksForName reports whether a line finds an account field: getByLabel('Username').
func asksForName(line string) bool {
	return strings.Contains(line, "user") || strings.Contains(line, "email")
}

// asksFor reports whether a form field is for a secret.
func asksFor(field string) bool {
	for _, words := range [][]string{{"passw", "secret", "token", "apikey", "api_key", "api-key", "api key", "passcode",
		"#pw", "'pw", "\"pw", "kennwort", "senha", "wachtwoord"}, rules.Languages()["password"]} {
		for _, w := range words {
			if strings.Contains(field, w) {
				return true
			}
		}
	}
	return false
}

// Literals returns the literals of a call up to its end.
func Literals(s *scan.Scanner, at int) (out []scan.Span) {
	call := at
	for limit := min(len(s.Text), at+400); at < limit && len(out) < 8; at++ {
		switch c := s.Text[at]; {
		case c == '"' || c == '\'' || c == '`':
			to := judge.ClosingQuote(s.Text, at+1, c, 0, 256)
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
