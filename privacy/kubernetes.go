package privacy

import "strings"

// manifest redacts the values of a Kubernetes Secret, whatever their keys: the
// data of the YAML document that a "kind: Secret" stands in.
func (s *scanner) manifest(end int) {
	if end < s.manifestEnd || end < len(s.text) && tokenByte(s.text[end]) {
		return
	}
	from := max(0, end-4096)
	if i := strings.LastIndex(s.text[from:end], "\n---"); i >= 0 {
		from += i + 1
	}
	to := min(len(s.text), end+32<<10)
	if i := strings.Index(s.text[end:to], "\n---"); i >= 0 {
		to = end + i
	}
	s.manifestEnd = to
	indent := -1 // of the data block we are in
	for at := from; at < to; {
		stop := to
		if i := strings.IndexByte(s.text[at:to], '\n'); i >= 0 {
			stop = at + i
		}
		line := s.text[at:stop]
		depth := len(line) - len(strings.TrimLeft(line, " \t"))
		body := strings.TrimRight(line[depth:], " \r")
		switch {
		case body == "" || body[0] == '#':
		case body == "data:" || body == "stringData:":
			indent = depth
		case indent >= 0 && depth <= indent:
			indent = -1
		case indent >= 0:
			s.entry(at+depth, at+depth+len(body))
		}
		at = stop + 1
	}
}

// entry redacts the value of one line of a data block: "key: value", or a line
// of a longer value.
func (s *scanner) entry(from, to int) {
	line := s.text[from:to]
	if i := strings.Index(line, ": "); i >= 0 && i < 128 && solid(line[:i]) {
		from += i + 2
	} else if strings.HasSuffix(line, ":") {
		return
	}
	for from < to && (s.text[from] == ' ' || s.text[from] == '"' || s.text[from] == '\'') {
		from++
	}
	for to > from && (s.text[to-1] == '"' || s.text[to-1] == '\'') {
		to--
	}
	v := s.text[from:to]
	if len(v) >= 8 && !dummy(v) && strings.Trim(v, "|>+-") != "" {
		s.add(from, to, ruleSecret)
	}
}
