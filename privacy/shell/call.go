package shell

import (
	"iter"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"keepmum/lazyregexp"
)

// call reads one simple command.
func (s *reader) call(c *syntax.CallExpr, redirected bool, at place) {
	for _, a := range c.Assigns {
		s.assignment(a, at)
	}
	if len(c.Args) == 0 {
		return
	}
	s.run(s.expandAll(c.Args, at), redirected, at)
}

func (s *reader) assignment(a *syntax.Assign, at place) {
	if a.Name == nil {
		return
	}
	if a.Value != nil {
		values := s.expand(a.Value, at)
		s.assign(a.Name.Value, values)
		if in("script-variables", a.Name.Value) {
			s.nested(values, at)
		}
	}
	if a.Array != nil {
		for _, e := range a.Array.Elems {
			s.assign(a.Name.Value, s.expand(e.Value, at))
		}
	}
}

// declare reads export, declare, local and readonly.
func (s *reader) declare(c *syntax.DeclClause, redirected bool, at place) {
	args := [][]string{{c.Variant.Value}}
	for _, a := range c.Args {
		s.assignment(a, at)
		switch {
		case a.Name != nil && a.Value != nil:
			args = append(args, []string{a.Name.Value + "=x"})
		case a.Name != nil:
			args = append(args, []string{a.Name.Value})
		default:
			args = append(args, s.expand(a.Value, at))
		}
	}
	s.taint(first(args), redirected, at)
}

// run reads a command whose words are already expanded.
func (s *reader) run(args [][]string, redirected bool, at place) {
	words := first(args)
	inner := unwrapped(words)
	name := program(words[inner])
	s.taint(words[inner:], redirected, at)
	s.repeats(name, words)
	s.fillsIn(name, words[inner:], redirected)
	switch name {
	case "cd", "pushd", "chdir", "set-location":
		for _, dir := range lastOperand(args[inner:]) {
			s.changeDir(dir)
		}
	case "set":
		s.traced = s.traced || slices.Contains(words, "-x") || slices.Contains(words, "xtrace")
	}
	if searches(words[inner:]) {
		s.Listing, s.Headings = true, s.Headings || anyOf(headings, words[inner:])
	}
	s.Loud = s.Loud || !quiet(words[inner:])
	s.terminal(name, words[inner+1:])
	s.operands(name, args[inner:], at)
	if !at.counted && !at.dropped {
		s.unnamed(words[inner:], at)
	}
	s.runs(words[inner:inner+1], "", at)
	if readsScripts(name) || oneOf("source|.", name) {
		s.runs(words[inner+1:], name, at)
	}
}

// first returns the first value of each word.
func first(args [][]string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		if len(a) > 0 {
			out[i] = a[0]
		}
	}
	return out
}

// lastOperand returns the values of the last word of a command, none if it is the name of the command.
func lastOperand(args [][]string) []string {
	if len(args) < 2 {
		return nil
	}
	return args[len(args)-1]
}

// command is a simple command, with the values that its words may have.
type command struct {
	name   string
	args   [][]string
	words  []string // the first value of each
	silent bool     // it prints nothing of the files that it names
}

// operands records every file that the words of a command could mean.
func (s *reader) operands(name string, args [][]string, at place) {
	c := command{name: name, args: args, words: first(args)}
	c.silent = silent(c.words, at)
	pattern := patternOperand(name, c.words)
	away := s.away
	defer s.elsewhere(name)()
	for i := range args { // including the first: it may be a file, or no command at all
		if pattern > 0 && i == pattern {
			if at.names && i == len(args)-1 {
				s.chosen(args[i])
			}
			continue
		}
		if i > 0 && isMessage(name, c.words, i) || leftOut(name, args, i) {
			continue
		}
		if how, file := handingOf(name, c.words, i, away); how != Shown && len(args[i]) == 1 {
			s.use(Use{Name: file, Handed: how})
			continue
		}
		for _, word := range args[i] {
			if s.exhausted() {
				return
			}
			s.argument(&c, i, word, at)
		}
	}
}

// argument reads a value of word i of a command: as the name of a file, as a script, or as both.
func (s *reader) argument(c *command, i int, word string, at place) {
	if i > 0 {
		word = uncommented(c.name, word)
	}
	if !isScriptOf(c, i) || !parses(word) {
		s.operand(c.name, word, c.silent, i == len(c.args)-1 && copiesTo(c.name))
	}
	if c.silent {
		return
	}
	if isScript(word) || i > 0 && isScriptOption(c.name, c.words[i-1]) {
		s.nested([]string{word}, at)
	}
}

// operand records the files that a word may name; target = the word may be where the command writes.
func (s *reader) operand(name, word string, silent, target bool) {
	if excludes(word) {
		return
	}
	for _, c := range candidates(word) {
		s.use(Use{Name: c, Silent: silent, Inert: silent && !copiesTo(name), Target: target})
	}
	if name == "tee" || name == "tar" || name == "zip" || name == "dd" {
		s.use(Use{Name: strings.TrimPrefix(word, "of="), Silent: silent, Target: true})
	}
}

// candidates returns the ways in which a word may contain a file name: itself, the value of an option, curl's @file,
// the path after a host or a revision.
func candidates(word string) []string {
	out := []string{word}
	if len(word) > 4096 {
		return nil
	}
	add := func(c string) {
		expression := strings.HasPrefix(c, ".*") // the middle of a regular expression
		if c != "" && !expression && !slices.Contains(out, c) && len(out) < 24 {
			out = append(out, c)
		}
	}
	if strings.HasPrefix(word, "-") && len(word) > 2 && word[1] != '-' {
		add(word[2:]) // -i.pem, -f.env
	}
	for piece := range fields(word, "=@,:;<>|&()'\"") {
		add(piece)
	}
	if _, after, ok := strings.Cut(word, "="); ok {
		add(after)
	}
	return out
}

// fields splits a text at each of the separators.
func fields(text, separators string) iter.Seq[string] {
	return strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(separators, r) })
}

// excludes reports whether an option names files to exclude.
func excludes(word string) bool {
	option := strings.TrimLeft(word, "-")
	return strings.HasPrefix(word, "!") || len(option) < len(word) && in("excluding", option)
}

// isScriptOption reports whether the word after a shell's option is a script.
func isScriptOption(name, option string) bool {
	if !readsScripts(name) && name != "cmd" {
		return false
	}
	option = strings.ToLower(option)
	return oneOf("/c|-command", option) || len(option) < 9 && oneOf("-*c", option)
}

func parses(text string) bool {
	_, ok := parse(text)
	return ok
}

// isScriptOf reports whether a word is the whole script that a shell is given: it is read as a script, not as a file.
func isScriptOf(c *command, i int) bool {
	return oneOf("sh|bash|zsh|dash", c.name) && i == 2 && len(c.words) == 3 && quiet(c.words) && isScript(c.words[i])
}

var (
	commentOpens = lazyregexp.New(`(^|[\s;{(,])/\*{1,2}(\s|$)`)
	commentShuts = lazyregexp.New(`(\s)\*/([\s;})]|$)`)
)

// uncommented removes comment marks from a word that is code, so that they are not read as a glob.
func uncommented(name, word string) string {
	if !strings.Contains(word, "*/") || !in("code-runners", name) || !commentOpens.MatchString(word) ||
		!commentShuts.MatchString(word) {
		return word
	}
	return commentShuts.ReplaceAllString(commentOpens.ReplaceAllString(word, "$1 $2"), "$1 $2")
}

// isScript reports whether a word could be a command line or code.
func isScript(word string) bool {
	return strings.ContainsAny(word, " \t\n;|&(<") || strings.HasPrefix(word, "process.env")
}

// nested reads words that are scripts themselves, in any language.
func (s *reader) nested(scripts []string, at place) {
	for _, text := range scripts {
		if at.depth++; at.depth > maxNesting {
			s.tokens(text)
			continue
		}
		s.script(text, at)
		s.code(text)
	}
}

var (
	codeString = lazyregexp.New(`"((?:[^"\\\n]|\\.){0,512})"|'((?:[^'\\\n]|\\.){0,512})'|` + "`([^`\\n]{0,512})`" +
		`|%[qQwW]?[({\[]([^)}\]\n]{0,512})[)}\]]`)
	codeGlue = lazyregexp.New(`^[\s+.,/]*(?:\+|,|/|\.|\.join\(|)[\s+.,/]*$`)
)

// code reads a word as a program in another language.
func (s *reader) code(text string) {
	s.literals(text)
	if len(text) <= maxScript && namesEnvironment(text) && printsEnvironment.MatchString(text) {
		s.Output = DropOutput
		s.Tainted = append(s.Tainted, s.group)
	} else if printsNamed(text) || printsVariable(text) || carriesSecret(text) && printsLiteral.MatchString(text) {
		s.Output = max(s.Output, DropFields)
		s.Tainted = append(s.Tainted, s.group)
	}
}

// printsLiteral matches code that prints a literal into which the shell has put secret output.
var printsLiteral = lazyregexp.New(
	`\b(?:print|printf|println|puts|say|write|log)\b[\s(]*[a-z]{0,2}["'][^"'\n]*` + secretMark,
)

// namesEnvironment reports whether text has one of the words without which [printsEnvironment] matches nothing.
func namesEnvironment(text string) bool {
	low := strings.ToLower(text)
	return strings.Contains(low, "env") || strings.Contains(low, "phpinfo") || strings.Contains(low, "_server")
}

// literals searches string literals of code for file names, including names built from pieces ("." + "env", "~",
// ".aws", "credentials").
func (s *reader) literals(code string) {
	if len(code) > maxScript {
		code = code[:maxScript]
	}
	var glued, joined string
	end := -1
	for _, m := range codeString.FindAllStringSubmatchIndex(code, -1) {
		text := literalText(code, m)
		if end < 0 || m[0]-end > 16 || !codeGlue.MatchString(code[end:m[0]]) || len(glued) > 256 {
			glued, joined = text, text
		} else {
			glued, joined = glued+text, joined+"/"+text
			s.use(Use{Name: glued})
			s.use(Use{Name: joined})
		}
		end = m[1]
		s.use(Use{Name: text})
	}
}

// tokens is the fallback for text that does not parse: it checks every run of characters that could be a file name.
func (s *reader) tokens(text string) {
	s.Loud = true
	text = strings.ReplaceAll(text, "(.*", "(") // part of an expression, not of a shell command
	for word := range fields(text, " \t\r\n;|&()<>{}[]'\"`=,") {
		if len(s.Uses) > maxUses {
			return
		}
		for _, c := range candidates(word) {
			s.use(Use{Name: c})
			if strings.Contains(c, `\`) {
				s.use(Use{Name: strings.ReplaceAll(c, `\`, "")})
			}
		}
	}
}

// exhausted reports whether the script names more than the limits allow to check.
func (s *reader) exhausted() bool {
	return len(s.Uses) > maxUses || s.words > maxWords || s.bytes > maxExpanded
}

// literalText returns the text between the quotes of a literal.
func literalText(text string, m []int) string {
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			return text[m[i]:m[i+1]]
		}
	}
	return ""
}

// searches reports whether a command prints lines of many files.
func searches(words []string) bool {
	name := program(words[0])
	return in("searches", name) || name == "git" && slices.Contains(words, "grep")
}

// headings are the options with which a search prints the name of a file above its lines.
const headings = "--group|--heading"

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
