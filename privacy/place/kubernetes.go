package place

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Manifest redacts the values of a Kubernetes Secret, whatever their keys are: the data of the YAML document that
// contains "kind: Secret".
func Manifest(s *scan.Scanner, end int) {
	if end < s.Reached[scan.ByManifest] || end < len(s.Text) && scan.TokenByte(s.Text[end]) {
		return
	}
	from := max(0, end-4096)
	if i := strings.LastIndex(s.Text[from:end], "\n---"); i >= 0 {
		from += i + 1
	}
	to := min(len(s.Text), end+32<<10)
	if i := strings.Index(s.Text[end:to], "\n---"); i >= 0 {
		to = end + i
	}
	s.Reached[scan.ByManifest] = to
	indent := -1 // indentation of the current data block
	for at := from; at < to; {
		stop := to
		if i := strings.IndexByte(s.Text[at:to], '\n'); i >= 0 {
			stop = at + i
		}
		line := s.Text[at:stop]
		depth := len(line) - len(strings.TrimLeft(line, " \t"))
		body := strings.TrimRight(line[depth:], " \r")
		switch {
		case body == "" || body[0] == '#':
		case body == "data:" || body == "stringData:":
			indent = depth
		case indent >= 0 && depth <= indent:
			indent = -1
		case indent >= 0:
			entry(s, at+depth, at+depth+len(body))
		}
		at = stop + 1
	}
}

// certificateLine reports whether a line is the edge of a certificate, or stands for a key whose body was left out:
// <client private key>.
func certificateLine(s *scan.Scanner, from int, line string) bool {
	if !strings.HasPrefix(line, "-----BEGIN ") && !strings.HasPrefix(line, "-----END ") {
		return false
	}
	if strings.Contains(line, "CERTIFICATE") {
		return true
	}
	around := s.Text[max(0, from-80):min(len(s.Text), from+len(line)+80)]
	return strings.ContainsAny(around, "<>") || strings.Contains(around, "...")
}

// entry redacts the value of one line of a data block: "key: value", or a line
// of a longer value.
func entry(s *scan.Scanner, from, to int) {
	line := s.Text[from:to]
	if i := strings.Index(line, ": "); i >= 0 && i < 128 && scan.Solid(line[:i]) {
		from += i + 2
	} else if strings.HasSuffix(line, ":") {
		return
	}
	v := strings.TrimLeft(s.Text[from:to], " \"'")
	from = to - len(v)
	v = strings.TrimRight(v, "\"'")
	if v != "" && certificateLine(s, from, v) {
		return
	}
	if len(v) >= 8 && !value.Placeholder(v) && strings.Trim(v, "|>+-") != "" {
		scan.Add(s, from, from+len(v), scan.RuleSecret)
	}
}
