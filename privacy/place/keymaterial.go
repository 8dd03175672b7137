package place

import (
	"encoding/base64"
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/pair"
	"keepmum/privacy/public"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

const maxWalletKeys = 40 // keys in one list

// PrintedKey redacts the numbers of a private key as openssl prints them: lines of hex bytes with colons below
// "privateExponent:".
func PrintedKey(s *scan.Scanner, end int) {
	at := end
	if n := strings.IndexByte(s.Text[at:min(len(s.Text), at+80)], '\n'); n >= 0 &&
		strings.Trim(s.Text[at:at+n], " (0123456789bitsx)\r") == "" {
		at += n + 1
	} else {
		return
	}
	from := at
	for at < len(s.Text) && at-from < pair.MaxKeyed {
		line, _, _ := strings.Cut(s.Text[at:min(len(s.Text), at+200)], "\n")
		digits := strings.TrimSpace(line)
		if len(digits) < 2 || strings.Trim(digits, "0123456789abcdefABCDEF:") != "" || !strings.Contains(digits, ":") {
			break
		}
		at += len(line) + 1
	}
	if at = min(at, len(s.Text)); at-from > 40 {
		scan.Add(s, from, at, RulePEM)
	}
}

// AppliedSecret redacts the data of a Kubernetes Secret in one line of JSON, as in the last-applied annotation, where
// its quotes are escaped if the Secret is printed as JSON.
func AppliedSecret(s *scan.Scanner, end int) {
	if s.Marks++; s.Marks > assign.MaxMarks {
		return
	}
	from, escapes := max(0, end-4_000), strings.Count(s.Text[end-len(`\": {`):end], `\`)
	for _, member := range []string{`"data":{`, `"stringData":{`, `"data": {`, `"stringData": {`} {
		if escapes > 0 {
			member = strings.ReplaceAll(member, `"`, `\"`)
		}
		i := strings.LastIndex(s.Text[from:end], member)
		at := from + i
		if i < 0 {
			if i = strings.Index(s.Text[end:min(len(s.Text), end+4_000)], member); i < 0 {
				continue
			}
			at = end + i
		}
		at += len(member)
		shut := strings.IndexByte(s.Text[at:min(len(s.Text), at+scan.MaxValue)], '}')
		if shut < 0 {
			return
		}
		for n, l := range quoted(s, at, at+shut, escapes) {
			if v := s.Text[l.Start:l.End]; n%2 == 1 && len(v) >= 4 && !value.Placeholder(v) {
				scan.Add(s, l.Start, l.End, scan.RuleSecret)
			}
		}
		return
	}
}

// quoted returns the literals between two offsets, whose quotes may be escaped.
func quoted(s *scan.Scanner, from, to, escapes int) (out []scan.Span) {
	for at := from; at < to && len(out) < 4*maxWalletKeys; at++ {
		if s.Text[at] == '"' {
			end := assign.ClosingQuote(s.Text, at+1, '"', escapes, to-at)
			out = append(out, scan.Span{Start: at + 1, End: end})
			at = end + escapes
		}
	}
	return out
}

// BasicPair redacts "Basic" and the base64 of NAME:PASSWORD.
func BasicPair(s *scan.Scanner, end int) {
	to := end
	for to < len(s.Text) && to-end < 256 && (value.IsBase64(s.Text[to]) || s.Text[to] == '=') {
		to++
	}
	plain, err := base64.StdEncoding.DecodeString(s.Text[end:to])
	if err == nil && assign.AccountName(string(plain)) > 0 && value.Readable(string(plain)) &&
		!public.ExampleBasic(s.Text[end:to]) {
		scan.Add(s, end, to, RuleHTTP)
	}
}
