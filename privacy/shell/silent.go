package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"keepmum/lazyregexp"
)

// silent reports whether a command certainly prints nothing of the files it names: at most a fact about them, as how
// many lines match or when a certificate expires. Unknown commands, and commands whose output continues to another, may
// print.
func silent(words []string, at place) bool {
	switch name, rest := canonical(words); {
	case at.piped:
		return false
	case oneOf("grep|egrep|fgrep", name):
		return at.dropped || countsMatches(rest)
	case oneOf("diff|cmp", name):
		return at.dropped
	default:
		return says("shows-nothing", name, rest)
	}
}

// harmlessFilter reports whether a statement only filters its input lines: file names go in, file names come out.
func harmlessFilter(st *syntax.Stmt) bool {
	return len(st.Redirs) == 0 && in("filters", commandName(st))
}

// readsNamed reports whether a statement reads the files whose names it is given.
func readsNamed(st *syntax.Stmt) bool {
	name := commandName(st)
	_, loop := st.Cmd.(*syntax.WhileClause)
	return loop || name == "xargs" || name == "parallel"
}

var countOption = lazyregexp.New(`^-[aHhinrRsvwxEFGP]*[cqlL][aHhinrRsvwxEFGPcqlL]*$`)

// countsMatches reports whether grep prints a number, a name or nothing.
func countsMatches(rest []string) bool {
	for i, w := range rest {
		if i > 0 && (in("pattern-values", rest[i-1]) || in("count-values", rest[i-1])) {
			continue
		}
		if w == "--" {
			return false
		}
		if in("counts", w) || countOption.MatchString(w) {
			return true
		}
	}
	return false
}

// countsOnly reports whether the output of a simple command goes into one that prints only an amount.
func countsOnly(from, into *syntax.Stmt) bool {
	_, simple := from.Cmd.(*syntax.CallExpr)
	_, declares := from.Cmd.(*syntax.DeclClause)
	words := written(into)
	if !simple && !declares || len(from.Redirs)+len(into.Redirs) > 0 || len(words) == 0 {
		return false
	}
	switch words[0] {
	case "wc":
		return len(words) <= 2
	case "grep":
		return !slices.Contains(words, "") && countsMatches(words[1:])
	}
	return false
}

// discards reports whether all output of a statement goes to /dev/null.
func discards(st *syntax.Stmt) bool {
	dropped := false
	for _, r := range st.Redirs {
		first := r.N == nil || r.N.Value == "1"
		switch r.Op {
		case syntax.RdrIn, syntax.Hdoc, syntax.WordHdoc:
		case syntax.DplOut:
			if first {
				return false
			}
		case syntax.RdrOut, syntax.RdrAll, syntax.AppOut:
			if r.Word == nil || r.Word.Lit() != "/dev/null" {
				return false
			}
			dropped = dropped || first
		default:
			return false
		}
	}
	return dropped
}
