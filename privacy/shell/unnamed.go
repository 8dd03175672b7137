package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"keepmum/privacy/keyname"
)

// unnamed records the folders all of whose files a command prints, without naming the file of a line: nobody can tell
// later which lines belong to a denied file.
func (s *reader) unnamed(words []string, at place) {
	name, rest := canonical(words)
	var dirs []string
	switch {
	case in("finders", name):
		inner, many := executed(rest)
		if (at.unnamed || printsUnnamed(inner, many)) && findsAny(rest) {
			dirs = findFolders(rest)
		}
	case at.unnamed && says("lists-hidden", name, rest):
		dirs = listedFolders(words)
	case searchesUnnamed(name, rest) && !silent(words, place{}):
		dirs = searchFolders(name, words)
	}
	for _, glob := range everythingIn(dirs) {
		s.use(Use{Name: glob})
	}
}

// everythingIn returns globs for all files in folders.
func everythingIn(dirs []string) (globs []string) {
	for _, dir := range dirs {
		if !strings.Contains(dir, "*.") { // it names files, which are judged
			globs = append(globs, strings.TrimRight(dir, "/")+"/**/*")
		}
	}
	return globs
}

// executed returns the command that find runs for the files that it finds, and whether it runs it for many at once.
func executed(rest []string) (inner []string, many bool) {
	from := slices.IndexFunc(rest, func(w string) bool { return in("find-commands", w) })
	if from < 0 {
		return nil, false
	}
	inner = rest[from+1:]
	to := slices.IndexFunc(inner, func(w string) bool { return w == ";" || w == "+" })
	if to < 0 {
		return inner, false
	}
	return inner[:to], inner[to] == "+"
}

// printsUnnamed reports whether a command prints lines of the files that it is given without their names; many = it is
// given many at once.
func printsUnnamed(words []string, many bool) bool {
	if len(words) == 0 || silent(words, place{}) {
		return false
	}
	name, rest := canonical(words)
	if name == "sed" {
		return !anyOf("-i*|--in-place*", rest)
	}
	search, ok := unnamedSearchOf(name)
	return !ok || search.hidesNames(rest) || !many && !hasOption(rest, "H", "--with-filename")
}

// searchesUnnamed reports whether a command searches folders and prints lines without the names of their files.
func searchesUnnamed(name string, rest []string) bool {
	search, ok := unnamedSearchOf(name)
	return ok && search.readsAll(rest) && search.hidesNames(rest) && !restricts(rest)
}

// unnamedSearch is the line of a search in the table "unnamed": options, each as letters and as words.
type unnamedSearch struct{ allLetters, allWords, hideLetters, hideWords string }

func unnamedSearchOf(name string) (s unnamedSearch, ok bool) {
	words := strings.Fields(row("unnamed", name))
	if len(words) < 4 {
		return s, false
	}
	return unnamedSearch{words[0], words[1], words[2], words[3]}, true
}

// readsAll reports whether the search reads all files of a folder.
func (s unnamedSearch) readsAll(rest []string) bool { return hasOption(rest, s.allLetters, s.allWords) }

// hidesNames reports whether the search prints no names of files.
func (s unnamedSearch) hidesNames(rest []string) bool {
	return hasOption(rest, s.hideLetters, s.hideWords)
}

// hasOption reports whether a command has an option: one of the letters, alone or among others, or one of the words.
func hasOption(rest []string, letters, long string) bool {
	return slices.ContainsFunc(rest, func(w string) bool {
		return oneOf(long, w) || slices.ContainsFunc([]byte(letters), func(l byte) bool { return hasLetter(w, string(l)) })
	})
}

// restricts reports whether an option of a search restricts it to files whose names it gives: these are judged.
func restricts(rest []string) bool {
	for i, w := range rest {
		if in("restricting", w) && !strings.Contains(w, "!") && !(i+1 < len(rest) && strings.HasPrefix(rest[i+1], "!")) {
			return true
		}
	}
	return false
}

// searchFolders returns the operands of a search without its pattern.
func searchFolders(name string, words []string) (dirs []string) {
	pattern := patternOperand(name, words)
	for i := 1; i < len(words); i++ {
		switch {
		case i == pattern || !isOperand(words[i]):
		case in("pattern-values", words[i-1]) || in("pattern-options", words[i-1]):
		default:
			dirs = append(dirs, words[i])
		}
	}
	if len(dirs) == 0 {
		return []string{"."}
	}
	return dirs
}

// findFolders returns the folders that find searches.
func findFolders(rest []string) []string {
	rest = slices.DeleteFunc(slices.Clone(rest), func(w string) bool { return oneOf("-H|-L|-P", w) })
	to := slices.IndexFunc(rest, func(w string) bool { return !isOperand(w) || w == "(" || w == "!" })
	switch {
	case to < 0 && len(rest) > 0:
		return rest
	case to > 0:
		return rest[:to]
	}
	return []string{"."}
}

// findsAny reports whether find finds files of any name: names that it is given are judged.
func findsAny(rest []string) bool {
	for i := len(rest) - 1; i >= 0; i-- {
		switch {
		case rest[i] == "-prune": // what is before it names what is left out
			return true
		case rest[i] == "-type" && i+1 < len(rest) && rest[i+1] == "d" && !anyOf("f|l", rest):
			return false // a link may lead to any file
		case in("find-names", rest[i]) && (i == 0 || !oneOf("!|-not", rest[i-1])):
			return false
		}
	}
	return true
}

// hidesNames reports whether a statement prints the lines of files whose names it is given, without these names.
func hidesNames(st *syntax.Stmt) bool {
	words := written(st)
	if len(words) == 0 || !oneOf("xargs|parallel", program(words[0])) {
		return false
	}
	i := 1
	for ; i < len(words) && words[i] != "" && !isOperand(words[i]); i++ {
		if in("xargs-values", words[i]) {
			i++
		}
	}
	if i >= len(words) {
		return false // it prints the names
	}
	return printsUnnamed(words[i:], !anyOf("-n*|-L*|-I*", words[1:i]))
}

// listed returns the names of files that a substitution takes from a list: those that a pattern selects, or else all in
// a folder.
func (s *reader) listed(st *syntax.Stmt, at place) []string {
	stages := pipeline(st)
	list, ok := stages[0].Cmd.(*syntax.CallExpr)
	if !ok || !listsFiles(written(stages[0])) {
		return nil
	}
	for _, stage := range stages[1:] {
		call, ok := stage.Cmd.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			return nil
		}
		args := s.expandAll(call.Args, at)
		words, last := first(args), len(args)-1
		name := program(words[0])
		switch {
		case name == "wc", in("patterns", name) && countsMatches(words[1:]):
			return nil
		case last > 0 && patternOperand(name, words) == last && !hasOption(words[1:], "v", "--invert-match"):
			return selects(args[last])
		case in("patterns", name) && !in("finders", commandName(stages[0])):
			return nil
		}
	}
	return everythingIn(listedFolders(first(s.expandAll(list.Args, at))))
}

// listsFiles reports whether a command prints names of files.
func listsFiles(words []string) bool {
	if len(words) == 0 {
		return false
	}
	name, rest := canonical(words)
	return in("lists-files", name) || says("lists-names", name, rest)
}

// listedFolders returns the folders of which a command prints the names of all files.
func listedFolders(words []string) []string {
	switch name, rest := canonical(words); {
	case in("finders", name) && findsAny(rest):
		return findFolders(rest)
	case !says("lists-hidden", name, rest):
		return nil
	case name != "ls" || !slices.ContainsFunc(rest, isOperand):
		return []string{"."}
	default:
		return slices.DeleteFunc(slices.Clone(rest), func(w string) bool { return !isOperand(w) })
	}
}

// pipeline returns the commands of a pipeline.
func pipeline(st *syntax.Stmt) []*syntax.Stmt {
	if c, ok := st.Cmd.(*syntax.BinaryCmd); ok && (c.Op == syntax.Pipe || c.Op == syntax.PipeAll) {
		return append(pipeline(c.X), pipeline(c.Y)...)
	}
	return []*syntax.Stmt{st}
}

// chosen records the file whose name a pattern selects for a command that reads it (ls -a | grep env | xargs cat).
func (s *reader) chosen(patterns []string) {
	for _, name := range selects(patterns) {
		s.use(Use{Name: name})
	}
}

// selects returns the names of files that patterns select.
func selects(patterns []string) (names []string) {
	for _, p := range patterns {
		name := strings.Trim(strings.ReplaceAll(p, `\`, ""), "^$.*")
		if name == "" || strings.Contains(name, Unknown) {
			continue
		}
		names = append(names, name)
		if keyname.Of(name) == keyname.NotSecret { // token may mean .token, but more often means token.go
			names = append(names, "."+name)
		}
	}
	return names
}
