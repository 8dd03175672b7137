package gotcha

import (
	"slices"
	"strings"
)

// OnlyLooks reports whether a command changes and checks nothing: that it fails may only mean that nothing was found.
func OnlyLooks(command string) bool {
	calls := parse(command)
	return len(calls) > 0 && looks(calls)
}

// Covers reports whether a command that passed shows that one that failed would pass now, too: it is the same, the same
// words with another program (pnpm install for npm install), or a wider run of it (go test ./... for go test ./a). A
// pipe or a second command may hide that it failed.
func Covers(passed, failed string) bool {
	after, before := meant(parse(passed)), meant(parse(failed))
	if len(after) == 0 || len(before) == 0 || strings.ContainsAny(passed, "|;\n") {
		return false
	}
	return !slices.ContainsFunc(before, func(f call) bool {
		return !slices.ContainsFunc(after, func(p call) bool { return p.covers(f) })
	})
}

// covers reports it for one call. A wider run has only words of the narrower one, or what these are below.
func (c call) covers(failed call) bool {
	if c.program() != failed.program() {
		return replaces(failed, c)
	}
	for _, w := range c[1:] {
		if !slices.ContainsFunc(failed[1:], func(f string) bool { return within(f, w) }) {
			return false
		}
	}
	return c.sub() == failed.sub()
}

// replaces reports whether a call of another program has all words of one that failed.
func replaces(failed, other call) bool {
	return failed.program() != other.program() && len(failed) > 1 &&
		!slices.ContainsFunc(failed[1:], func(w string) bool { return !slices.Contains(other, w) })
}

// sub returns the words up to the verb of a program that has verbs.
func (c call) sub() string {
	if !slices.Contains(verbs, c.program()) {
		return c.program()
	}
	return c.name()
}

// within reports whether a word of a command is the same as another one, or a place below it: ./a/b and ./a/... , a.py
// and the directory of it, a.py::test and a.py.
func within(word, other string) bool {
	if word == other {
		return true
	}
	place, all := strings.CutSuffix(other, "...")
	place = strings.TrimSuffix(place, "/")
	if place == "." && all {
		return !strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "..")
	}
	rest, below := strings.CutPrefix(word, place)
	return below && place != "" && (rest == "" || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "::"))
}
