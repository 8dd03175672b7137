package shell

import (
	"slices"
	"strings"
)

// Handing is how a command uses a file that it names.
type Handing int

const (
	Shown         Handing = iota // it may print the contents
	AsKey                        // it authenticates with the file
	AsValues                     // its output may contain values from the file
	AsEnvironment                // so may the output of everything that the script runs
	AsWritten                    // it changes the file: the command contains the new contents
)

// handedOption is an option of a program that is followed by a file: a line of the table "handed".
type handedOption struct {
	how   Handing
	flags string // "-i|--identity"
	never string // with one of these words the program prints the file
}

func handedOptionOf(name string) (o handedOption, ok bool) {
	words := append(strings.Fields(row("handed", name)), "", "", "")
	o = handedOption{flags: words[1], never: words[2]}
	switch words[0] {
	case "key":
		o.how = AsKey
	case "values":
		o.how = AsValues
	case "environment":
		o.how = AsEnvironment
	}
	return o, o.how != Shown
}

// handingOf returns how a command uses the file that word i names, and which file that is. Files of a command that runs
// on another machine cannot be checked.
func handingOf(name string, words []string, i int, away bool) (how Handing, file string) {
	switch {
	case i == 0 || away:
		return Shown, ""
	case name == "source" || name == ".":
		return AsEnvironment, words[i]
	case name == "sed" && i == len(words)-1 && editsInPlace(words[1:i]):
		return AsWritten, words[i]
	}
	if tool := launched(words); tool > 0 && i > tool {
		name, words, i = program(words[tool]), words[tool:], i-tool
	}
	o, known := handedOptionOf(name)
	if !known || o.never != "" && anyOf(o.never, words[1:]) {
		return Shown, ""
	}
	if file = o.file(words[i-1], words[i]); file == "" {
		return Shown, ""
	}
	return o.how, file
}

// file returns the file that a word gives to the option, "" if there is none.
func (o handedOption) file(before, word string) (file string) {
	switch flag, value, ok := strings.Cut(word, "="); {
	case oneOf(o.flags, before):
		file = word
	case ok && oneOf(o.flags, flag):
		file = value
	case o.flags == "-i" && strings.HasPrefix(word, "-i"):
		file = word[2:]
	}
	if !strings.Contains(file, ",") {
		return file
	}
	parts := strings.Split(file, ",") // id=env,src=.env
	at := slices.IndexFunc(parts, func(p string) bool { return oneOf("src=*|source=*", p) })
	_, file, _ = strings.Cut(parts[max(at, 0)], "=")
	return file
}

// editsInPlace reports whether sed changes the files that follow and prints nothing.
func editsInPlace(words []string) bool {
	return len(words) == 2 && oneOf("-i|-i.bak|-i''|--in-place", words[0]) && !strings.Contains(words[1], "/dev/") &&
		isOperand(words[1])
}

// leftOut reports whether a word names files that a command is told to exclude.
func leftOut(name string, args [][]string, i int) bool {
	return i > 0 && in("archivers", name) && len(args[i-1]) == 1 && oneOf("--exclude|--exclude-dir", args[i-1][0])
}

// elsewhere treats what follows as running on another machine, until the returned function is called.
func (s *reader) elsewhere(name string) (back func()) {
	before := s.away
	s.away = before || in("elsewhere", name)
	return func() { s.away = before }
}

// launched returns the index of the tool that npx and similar programs run; 0 = none.
func launched(words []string) int {
	if name := program(words[0]); !in("launchers", name) && !in("package-managers", name) {
		return 0
	}
	return 1 + slices.IndexFunc(words[1:], func(w string) bool { return isOperand(w) && w != "exec" && w != "dlx" })
}

// quiet reports whether a command certainly does not print the environment or a part of it. A variable in its words may
// be printed where it is expanded.
func quiet(words []string) bool {
	if len(words) == 0 {
		return true
	}
	name, rest := canonical(words)
	if oneOf("grep|egrep|rg", name) {
		return !slices.ContainsFunc(rest, printsOnlyMatch)
	}
	return says("quiet", name, rest)
}
