package shell

import "strings"

// terminal records what a command does with the terminals that a program keeps.
func (s *reader) terminal(name string, words []string) {
	types, shows, ok := strings.Cut(row("terminals", name), " ")
	if ok && anyOf(types, words) {
		s.Types = name
	}
	if ok && anyOf(shows, words) {
		s.Shows = name
	}
}
