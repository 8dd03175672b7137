package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// unwrapped returns the index of the command that a chain of wrappers (sudo, time, env A=b) runs.
func unwrapped(words []string) int {
	i := 0
	for i < len(words)-1 && in("wrappers", program(words[i])) {
		next := i + 1
		for next < len(words) && ofWrapper(words[next]) {
			if in("wrapper-values", words[next]) {
				next++
			}
			next++
		}
		if next >= len(words) {
			return i
		}
		i = next
	}
	return i
}

// ofWrapper reports whether a word belongs to the wrapper before it: an option, a variable, a duration.
func ofWrapper(word string) bool {
	return strings.HasPrefix(word, "-") || strings.Contains(word, "=") || isDuration(word)
}

// isDuration reports whether a word is a number, with a letter for its unit.
func isDuration(word string) bool {
	const digits = "0123456789."
	unit := strings.TrimLeft(word, digits)
	return word != "" && word[0] >= '0' && word[0] <= '9' && len(unit) <= 1 && strings.Trim(word, digits) == unit
}

// silent reports whether a command certainly prints nothing of the files it names. Unknown commands, and commands whose
// output continues to another, may print.
func (s *reader) silent(name string, words []string, at place) bool {
	switch {
	case at.piped:
		return false
	case showsNothing(name, words[1:], at.dropped):
		return true
	case in("file-tools", name):
		return !slices.ContainsFunc(words, isDevice)
	case in("finders", name):
		return !anyIn("runs-per-file", words)
	case name == "git":
		return gitPrintsNoContent(words[1:])
	}
	return name == "echo" || name == "printf" // their words are not files
}

// isDevice reports whether a file is the terminal: copying to it prints.
func isDevice(word string) bool {
	return strings.HasPrefix(word, "/dev/") || strings.HasPrefix(word, "/proc/")
}

func gitPrintsNoContent(rest []string) bool {
	verb := slices.IndexFunc(rest, isOperand)
	switch {
	case verb < 0 || anyIn("git-contents", rest[:verb]):
		return false
	case rest[verb] == "log":
		return !slices.ContainsFunc(rest, func(w string) bool { return !isOperand(w) && !in("git-log", w) })
	}
	return in("git-silent", rest[verb])
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

// searches reports whether a command prints lines of many files.
func searches(words []string) bool {
	name := program(words[0])
	return in("searches", name) || name == "git" && slices.Contains(words, "grep")
}

// patternOperand returns the index of the operand that is an expression, not a file; 0 = none.
func patternOperand(name string, words []string) int {
	if !in("patterns", name) {
		return 0
	}
	for i := 1; i < len(words); i++ {
		switch {
		case words[i] == "--" && i+1 < len(words):
			return i + 1
		case in("pattern-options", words[i]):
			return 0
		case in("pattern-values", words[i]):
			i++
		case isOperand(words[i]):
			return i
		}
	}
	return 0
}

// isMessage reports whether a word is prose that a person wrote.
func isMessage(name string, words []string, i int) bool {
	return in("writes-messages", name) && (in("messages", words[i-1]) || in("inline-messages", words[i]))
}

// copiesTo reports whether a command's last word is a destination.
func copiesTo(name string) bool { return in("copiers", name) }

// readsScripts reports whether a command runs its input as a script.
func readsScripts(name string) bool { return in("runs-scripts", name) }

// HarmlessVariable reports whether an environment variable never contains a secret: paths, display settings.
func HarmlessVariable(name string) bool { return in("harmless-variables", name) }
