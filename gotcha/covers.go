package gotcha

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
)

// OnlyLooks reports whether a command only reads what is on this machine: that it fails may only mean that nothing was
// found. What asks another one, as curl or git fetch, may fail for a reason.
func OnlyLooks(command string) bool {
	calls := parse(command)
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(c call) bool { return !c.reads() })
}

func (c call) reads() bool {
	program, name := c.program(), c.name()
	switch {
	case !c.looks(), program == "curl", name == "git fetch":
		return false
	case program == "git":
		return slices.Contains(looking, name)
	}
	return slices.Contains(dressing, program) || slices.Contains(looking, program)
}

// Covers reports whether a command that passed shows that one that failed would pass now, too: it is the same, the same
// words with another package manager (pnpm install for npm install), or a wider run of a check (go test ./... for
// go test ./a). Both must be in the same directory. A pipe or a second command may hide that it failed.
func Covers(passed, failed string) bool {
	all, others := parse(passed), parse(failed)
	after, before := meant(all), meant(others)
	hidden := strings.ContainsAny(passed, "|;\n") || strings.HasSuffix(passed, "&")
	if hidden || len(after) == 0 || len(before) == 0 || !slices.Equal(directories(all), directories(others)) {
		return false
	}
	return !slices.ContainsFunc(before, func(f call) bool {
		return !slices.ContainsFunc(after, func(p call) bool { return p.covers(f) })
	})
}

// directories returns the places to which a command line changes.
func directories(calls []call) (out []string) {
	for _, c := range calls {
		if p := c.program(); p == "cd" || p == "pushd" || p == "popd" {
			out = append(out, strings.Join(c, " "))
		}
	}
	return out
}

// covers reports it for one call. A wider run has only words of the narrower one, or what these are below, and lacks
// only what chooses some of its checks: another option may make it another run.
func (c call) covers(failed call) bool {
	switch {
	case c.program() != failed.program():
		return sameManager(c, failed) && replaces(failed, c)
	case c.sub() != failed.sub():
		return false
	}
	for _, w := range c[1:] {
		if !slices.ContainsFunc(failed[1:], func(f string) bool { return within(f, w) }) {
			return false
		}
	}
	return !slices.ContainsFunc(failed[1:], func(f string) bool {
		return !failed.chooses(f) && !slices.ContainsFunc(c[1:], func(w string) bool { return within(f, w) })
	})
}

// managers lists programs that do the same with the same words.
var managers = [][]string{{"npm", "pnpm", "yarn", "bun"}, {"npx", "bunx"}, {"pip", "pip3", "uv"}, {"python", "python3"}}

func sameManager(a, b call) bool {
	return slices.ContainsFunc(managers, func(m []string) bool {
		return slices.Contains(m, a.program()) && slices.Contains(m, b.program())
	})
}

// choosing matches options that choose some of the tests, stop at the first failure, or change what is printed.
var choosing = lazyregexp.New(`^-(?:run|k|t|v+|q+|x|s)$`)

// chooses reports whether a word of a check says which of its parts run: a file, a test. Without a path go tests only
// the directory it is in.
func (c call) chooses(word string) bool {
	if !checking.MatchString(c.name()) || strings.Contains(word, "=") {
		return false
	}
	if strings.HasPrefix(word, "-") {
		return choosing.MatchString(word)
	}
	return c.program() != "go" || !strings.HasPrefix(word, ".") && !strings.Contains(word, "/")
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
