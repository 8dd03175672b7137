package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// unwrapped returns the index of the command that a chain of wrappers (sudo,
// time, env A=b) runs.
func unwrapped(words []string) int {
	i := 0
	for i < len(words)-1 && wrapper(program(words[i])) {
		next := i + 1
		for next < len(words) && (strings.HasPrefix(words[next], "-") || strings.Contains(words[next], "=") || isDuration(words[next])) {
			if wrapperOptionTakesValue(words[next]) {
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

func wrapper(name string) bool {
	switch name {
	case "sudo", "doas", "env", "time", "nice", "nohup", "command", "builtin", "exec", "stdbuf", "setsid", "timeout", "ionice", "unbuffer", "caffeinate", "\\command":
		return true
	}
	return false
}

func wrapperOptionTakesValue(word string) bool {
	switch word {
	case "-u", "-g", "-n", "-C", "-k", "-s", "--user", "--group", "--signal", "--chdir", "--unset":
		return true
	}
	return false
}

func isDuration(word string) bool {
	return word != "" && strings.Trim(word, "0123456789.") == strings.TrimLeft(word, "0123456789.") && len(strings.TrimLeft(word, "0123456789.")) <= 1 && word[0] >= '0' && word[0] <= '9'
}

// silent reports whether a command certainly prints nothing of the files it names. Unknown commands, and commands whose
// output continues to another, may print.
func (s *reader) silent(name string, args [][]string, at place) bool {
	words := first(args)
	if !at.piped && showsNothing(name, words, at.dropped) {
		return true
	}
	switch name {
	case "echo", "printf": // their words are not files
		return !at.piped
	case "ls", "rm", "mv", "cp", "chmod", "chown", "chgrp", "touch", "mkdir", "rmdir", "stat", "test", "[", "du", "ln", "unlink", "file",
		"realpath", "readlink", "basename", "dirname", "cd", "pushd", "popd", "which", "shred", "exa", "eza", "tree", "wc",
		"remove-item", "test-path", "get-childitem", "dir", "copy-item", "move-item", "del":
		return !at.piped && !slices.ContainsFunc(words, isDevice)
	case "find", "fd", "fdfind":
		return !at.piped && !slices.ContainsFunc(words, runsPerFile)
	case "git":
		return !at.piped && gitPrintsNoContent(words)
	}
	return false
}

// isDevice reports whether a file is the terminal: copying to it prints.
func isDevice(word string) bool {
	return strings.HasPrefix(word, "/dev/") || strings.HasPrefix(word, "/proc/")
}

func runsPerFile(word string) bool {
	return strings.HasPrefix(word, "-exec") || strings.HasPrefix(word, "-ok") || strings.HasPrefix(word, "--exec") || strings.HasPrefix(word, "-fprint") || word == "-x" || word == "-X"
}

// logOptions are options with which git log prints no contents.
const logOptions = "--|--oneline|--stat|--shortstat|--numstat|--name-only|--name-status|--all|--follow|--graph|--decorate*|--no-merges|--merges|-n|-1|-2|-3|-5|-10|-20|--since*|--until*|--author*|--date*|--format*|--pretty*|--abbrev-commit|--reverse|--max-count*|--no-pager"

func gitPrintsNoContent(words []string) bool {
	for _, w := range words[1:] {
		if strings.HasPrefix(w, "-") {
			if w == "-c" || w == "-p" || w == "-v" || w == "-i" || w == "--patch" || w == "--verbose" {
				return false
			}
			continue
		}
		switch w {
		case "log":
			return !slices.ContainsFunc(words[1:], func(w string) bool { return strings.HasPrefix(w, "-") && !oneOf(logOptions, w) })
		case "add", "rm", "mv", "status", "check-ignore", "ls-files", "update-index", "restore", "reset", "checkout", "clean":
			return true
		}
		return false
	}
	return false
}

// harmlessFilter reports whether a statement only filters its input lines: file names go in, file names come out.
func harmlessFilter(st *syntax.Stmt) bool {
	call, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || len(st.Redirs) > 0 {
		return false
	}
	switch program(call.Args[0].Lit()) {
	case "head", "tail", "sort", "uniq", "wc", "grep", "cat", "less", "more", "column":
		return true
	}
	return false
}

// readsNamed reports whether a statement reads the files whose names it is given.
func readsNamed(st *syntax.Stmt) bool {
	name := commandName(st)
	_, loop := st.Cmd.(*syntax.WhileClause)
	return loop || name == "xargs" || name == "parallel"
}

// searches reports whether a command prints lines of many files.
func searches(words []string) bool {
	switch program(words[0]) {
	case "grep", "egrep", "fgrep", "rg", "ag", "ack", "zgrep", "findstr", "select-string", "sls", "ugrep", "find", "xargs", "fd":
		return true
	case "git":
		return slices.Contains(words, "grep")
	}
	return false
}

// patternOperand returns the index of the operand that is an expression, not a file; 0 = none.
func patternOperand(name string, args [][]string) int {
	switch name {
	case "grep", "egrep", "fgrep", "rg", "ag", "ack", "zgrep", "ugrep", "jq", "yq", "select-string", "findstr":
	default:
		return 0
	}
	for i := 1; i < len(args); i++ {
		w := ""
		if len(args[i]) > 0 {
			w = args[i][0]
		}
		switch {
		case w == "-e" || w == "-f" || strings.HasPrefix(w, "--regexp") || strings.HasPrefix(w, "--file") || w == "--files":
			return 0
		case grepOptionTakesValue(w):
			i++
		case !strings.HasPrefix(w, "-"):
			return i
		}
	}
	return 0
}

func grepOptionTakesValue(w string) bool {
	switch w {
	case "-A", "-B", "-C", "-m", "-g", "-t", "-T", "--glob", "--type", "--include", "--exclude", "--exclude-dir", "--max-count", "--arg", "--argjson":
		return true
	}
	return false
}

// isMessage reports whether a word is prose that a person wrote.
func isMessage(name string, args [][]string, i int) bool {
	if name != "git" && name != "gh" && name != "glab" && name != "hg" {
		return false
	}
	before := ""
	if len(args[i-1]) > 0 {
		before = args[i-1][0]
	}
	switch before {
	case "-m", "-am", "--message", "--title", "--body", "-t", "-b", "--notes", "--grep":
		return true
	}
	word := ""
	if len(args[i]) > 0 {
		word = args[i][0]
	}
	return strings.HasPrefix(word, "--message=") || strings.HasPrefix(word, "--title=") || strings.HasPrefix(word, "--body=")
}

// copiesTo reports whether a command's last word is a destination.
func copiesTo(name string) bool {
	switch name {
	case "cp", "mv", "ln", "install", "rsync", "scp", "copy-item", "move-item", "copy", "gunzip", "openssl":
		return true
	}
	return false
}

// readsScripts reports whether a command runs its input as a script.
func readsScripts(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "ssh", "xargs", "parallel", "docker", "podman", "kubectl", "su", "sudo", "powershell", "pwsh",
		"node", "deno", "bun", "ruby", "perl", "php", "irb", "lua", "osascript", "r", "rscript", "ipython", "uv", "npx", "env":
		return true
	}
	return strings.HasPrefix(name, "python")
}
