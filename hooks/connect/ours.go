package connect

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"keepmum/hooks"
	"keepmum/lazyregexp"
)

var (
	ourURL = lazyregexp.New(`^http://(?:127\.0\.0\.1|localhost|\[::1\]):\d+/hooks/claude$`)
	// assignment is how a shell and env set a variable for one command.
	assignment = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*=`)
)

// isOurs reports whether a handler is ours, of any version and path. A handler of the user that runs mum among other
// things is not.
func isOurs(v *hujson.Value) bool {
	var h handler
	return decode(*v, &h) == nil && (ourProgram(h.words()) != "" || ourURL.MatchString(h.URL))
}

// words returns the program of a handler and its arguments.
func (h handler) words() []string {
	if len(h.Args) > 0 {
		return append([]string{h.Command}, h.Args...)
	}
	return words(h.Command)
}

// words splits a command line as the shells of all systems do. A backslash is part of a path of Windows, except before
// a quotation mark.
func words(line string) (all []string) {
	var word strings.Builder
	quote, inside := rune(0), false
	for i, r := range line {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\'') && !strings.HasSuffix(line[:i], `\`):
			quote, inside = r, true
		case quote == 0 && r == '\\' && strings.HasPrefix(line[i+1:], "'"):
		case quote == 0 && strings.ContainsRune(" \t\r\n", r):
			if inside {
				all = append(all, word.String())
			}
			word.Reset()
			inside = false
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if inside {
		all = append(all, word.String())
	}
	return all
}

// ourProgram returns the program of ours that a command runs for an agent; "" if it runs another one, or several.
func ourProgram(argv []string) string {
	if len(argv) > 0 && (argv[0] == "&" || program(argv[0]) == "env") { // "&" runs a quoted path in PowerShell
		argv = argv[1:]
	}
	for len(argv) > 0 && assignment.MatchString(argv[0]) {
		argv = argv[1:]
	}
	if len(argv) == 0 {
		return ""
	}
	args := slices.DeleteFunc(slices.Clone(argv[1:]), func(arg string) bool { return strings.HasPrefix(arg, "--home=") })
	switch program(argv[0]) {
	case "mum":
		if len(args) == 0 || args[0] != "hook" {
			return ""
		}
		args = args[1:]
	case "mum-hook", "mum-hook.sh":
	default:
		return ""
	}
	if len(args) != 1 || !slices.Contains(hooks.Agents(), args[0]) {
		return ""
	}
	return argv[0]
}

// program returns the name of a program, without its directory and the ending of Windows.
func program(path string) string {
	path = strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	return strings.TrimSuffix(path, ".exe")
}
