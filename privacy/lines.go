package privacy

import (
	"strings"

	"keepmum/privacy/place"
	"keepmum/privacy/scan"
)

// maxJoined is from how many bytes on no more lines are read together. A longer list is read in pieces.
const maxJoined = 256 << 10

// keyLines is how many lines two pieces have in common: a private key of 8192 bits has 100 lines.
const keyLines = 110

// lines lets the strings of a list be read together, as the lines of one text. An editor's patch or a notebook has a
// string for each line of a private key, and no line alone shows what it is part of.
func (f *document) lines(list []any) {
	var plain []*node
	members := map[string][]*node{}
	for _, e := range list {
		switch e := e.(type) {
		case *node:
			if !e.number {
				plain = append(plain, e)
			}
		case []member:
			for _, m := range e {
				if text, ok := m.value.(*node); ok && !text.number {
					members[m.key.text] = append(members[m.key.text], text)
				}
			}
		}
	}
	f.joined(plain)
	for _, column := range members {
		f.joined(column)
	}
}

// joined adds the text that strings are the lines of, or several texts if there are many lines.
func (f *document) joined(parts []*node) {
	for len(parts) > 1 {
		n, size := 0, 0
		for n < len(parts) && size < maxJoined {
			size += len(parts[n].text) + 1
			n++
		}
		l := f.add(node{field: parts[0].field, parts: parts[:n:n], lines: true})
		l.join()
		if n == len(parts) {
			return
		}
		parts = parts[max(n-keyLines, 1):]
	}
}

// join sets the text of a node to its parts, each as a line, and reports whether that changed it.
func (l *node) join() bool {
	var b strings.Builder
	l.starts = l.starts[:0]
	for _, part := range l.parts {
		l.starts = append(l.starts, b.Len())
		b.WriteString(part.text)
		if !strings.HasSuffix(part.text, "\n") {
			b.WriteByte('\n')
		}
	}
	before := l.text
	l.text = b.String()
	return l.text != before
}

// divide marks in each line its share of what was found in the lines together. What lies within one line is left out:
// if it is a secret by itself, it is found there. Only the last line of a private key is not.
func (l *node) divide() {
	for _, s := range l.spans {
		if s.Rule != place.RulePEM && !strings.Contains(strings.TrimSpace(s.In(l.text)), "\n") {
			continue
		}
		for i, part := range l.parts {
			from, to := max(s.Start-l.starts[i], 0), min(s.End-l.starts[i], len(part.text))
			if from >= to {
				continue
			}
			mine := s
			mine.Start, mine.End = from, to
			part.spans = scan.Merge(append(part.spans, mine))
			part.together()
		}
	}
}
