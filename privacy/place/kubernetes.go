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
	d := secretData{s: s, indent: -1, key: -1}
	for at := from; at < to; {
		stop := value.LineEnd(s.Text, at, to)
		d.line(at, stop)
		at = stop + 1
	}
	d.finish()
}

// secretData reads the lines of a Secret.
type secretData struct {
	s           *scan.Scanner
	indent      int       // of the current data block, -1 = none
	key         int       // indentation of the key whose value is the lines below it, -1 = none
	value       scan.Span // what is secret of that value
	certificate bool      // these lines are those of a certificate
}

func (d *secretData) line(at, stop int) {
	line := d.s.Text[at:stop]
	depth := len(line) - len(strings.TrimLeft(line, " \t"))
	body := strings.TrimRight(line[depth:], " \r")
	if body == "" || body[0] == '#' {
		return
	}
	if d.key >= 0 && depth <= d.key {
		d.finish()
	}
	switch {
	case body == "data:" || body == "stringData:":
		d.indent = depth
	case d.indent >= 0 && depth <= d.indent:
		d.indent = -1
	case d.indent >= 0:
		d.entry(at+depth, at+depth+len(body), depth)
	}
}

// entry reads one line of a data block.
func (d *secretData) entry(from, to, depth int) {
	line := d.s.Text[from:to]
	if strings.Contains(line, "CERTIFICATE-----") {
		d.certificate = strings.HasPrefix(line, "-----BEGIN ")
		return
	}
	if d.key < 0 && startsBlock(line) {
		d.key = depth
		return
	}
	from, to = entryValue(d.s, from, to)
	switch {
	case from == to || d.certificate && d.key >= 0:
	case d.key < 0:
		scan.Add(d.s, from, to, scan.RuleSecret)
	case d.value.End == 0:
		d.value = scan.Span{Start: from, End: to}
	default:
		d.value.End = to
	}
}

// finish redacts a value of several lines.
func (d *secretData) finish() {
	scan.Add(d.s, d.value.Start, d.value.End, scan.RuleSecret)
	d.key, d.value, d.certificate = -1, scan.Span{}, false
}

// startsBlock reports whether the lines below "key: |" are its value.
func startsBlock(line string) bool {
	i := strings.Index(line, ": ")
	return i > 0 && strings.Trim(line[i:], ": |>+-") == ""
}

// keyLine reports whether a line is the edge of a key whose body was left out: <client private key>.
func keyLine(s *scan.Scanner, from int, line string) bool {
	if !strings.HasPrefix(line, "-----BEGIN ") && !strings.HasPrefix(line, "-----END ") {
		return false
	}
	around := s.Text[max(0, from-80):min(len(s.Text), from+len(line)+80)]
	return strings.ContainsAny(around, "<>") || strings.Contains(around, "...")
}

// entryValue returns what is secret in one line of a data block: of "key: value" the value, or a line of a longer
// value.
func entryValue(s *scan.Scanner, from, to int) (start, end int) {
	line := s.Text[from:to]
	if i := strings.Index(line, ": "); i >= 0 && i < 128 && scan.Solid(line[:i]) {
		from += i + 2
	} else if strings.HasSuffix(line, ":") {
		return 0, 0
	}
	v := strings.TrimLeft(s.Text[from:to], " \"'")
	from = to - len(v)
	v = strings.TrimRight(v, "\"'")
	if len(v) < 8 || value.Placeholder(v) || strings.Trim(v, "|>+-") == "" || strings.HasPrefix(v, "ENC[AES") ||
		keyLine(s, from, v) {
		return 0, 0
	}
	return from, from + len(v)
}
