package memory

import (
	"fmt"
	"slices"
	"strings"
)

// Secrets returns the lines of a file, from 1, in which the gate would remove something, and its rules. As in a scrub,
// the ids of sessions and memories are judged on their own, not by the words next to them.
func (t *Tree) Secrets(text string) (lines []int, rules []string) {
	masked := t.masked(text)
	clean, found := t.text(masked)
	if len(found) == 0 {
		return nil, nil
	}
	for _, f := range found {
		if !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	kept := strings.Split(clean, "\n")
	for i, line := range strings.Split(masked, "\n") {
		if !slices.Contains(kept, line) {
			lines = append(lines, i+1)
		}
	}
	return lines, rules
}

// masked returns a file with a placeholder for each id in its frontmatter; its lines stay where they are.
func (t *Tree) masked(text string) string {
	doc, err := parseDocument([]byte(text))
	if err != nil {
		masked, _ := t.maskedLines(text)
		return masked
	}
	lines := strings.Split(text, "\n")
	for i, n := range append(sessionIDs(doc.head), memoryIDs(doc.head)...) {
		if n.Value == "" || n.Line < 1 || n.Line > len(lines) || !t.isPlain(n.Value) {
			continue
		}
		line := lines[n.Line-1]
		from := min(max(n.Column-1, 0), len(line)) // in front of the value, also if there are longer letters before it
		if at := strings.Index(line[from:], n.Value); at >= 0 {
			at += from
			lines[n.Line-1] = line[:at] + fmt.Sprintf("mum-id-%d-", i) + line[at+len(n.Value):]
		}
	}
	return strings.Join(lines, "\n")
}

// isPlain reports whether the gate keeps an id as it is.
func (t *Tree) isPlain(id string) bool {
	c, _ := t.gate.Text(id)
	return c.String() == id
}
