package privacy

import (
	"strings"
)

// assignedValues returns the values that a shell gives to the names in a text.
func assignedValues(text string) (out []string) {
	file, ok := parseShell(text)
	if !ok {
		return nil
	}
	s := newReader("", "")
	s.stmts(file.Stmts, place{})
	for _, values := range s.vars {
		for _, v := range values {
			if !strings.Contains(v, unknownPart) {
				out = append(out, v)
			}
		}
	}
	return out
}
