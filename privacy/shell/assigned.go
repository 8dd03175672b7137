package shell

import "strings"

// Assigned returns the values that a shell script assigns in a text.
func Assigned(text string) (out []string) {
	file, ok := parse(text)
	if !ok {
		return nil
	}
	s := newReader("", "")
	s.stmts(file.Stmts, place{})
	for _, values := range s.vars {
		for _, v := range values {
			if !strings.Contains(v, Unknown) {
				out = append(out, v)
			}
		}
	}
	return out
}
