package shell

import (
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

const (
	maxScript   = 64 << 10 // a longer command is not parsed, only searched for paths
	maxNesting  = 6        // bash -c in bash -c …
	maxUses     = 2048     // files checked in one command
	maxChoices  = 32       // values that one word may have
	maxWords    = 8192
	maxWord     = 8 << 10 // bytes of an expanded word
	maxExpanded = 4 << 20 // bytes of all expanded words
	maxDirs     = 64      // directories in which a relative path may start
)

// ManyDirs is the number of directories from which on a [Use] may lack some of those in which the shell may be.
const ManyDirs = 8

// Use is a file that a command names.
type Use struct {
	Name   string // as the shell would pass it on; unknown parts are [Unknown]
	Dirs   []string
	Silent bool // the command certainly prints none of the contents
	Inert  bool // nor do the contents go anywhere else
	Target bool // it may be written
	Handed Handing
	Away   bool // on another machine
	Group  int  // files of one pipeline, between which contents flow
}

// Unknown represents what only the running shell would know.
const Unknown = "\x00"

// Secret is an [Unknown] with the output of a command that prints secrets.
const Secret = Unknown + secretMark

const secretMark = "\x01"

// Reading is what a command line does, found without running it.
type Reading struct {
	Uses     []Use
	Output   Policy
	Tainted  []int  // pipelines that carry secret output
	Listing  bool   // the output may be lines of many files
	Headings bool   // and the name of a file is above its lines
	Loud     bool   // a command may print the value of a variable
	Types    string // the program into whose terminal a command types
	Shows    string // the program whose terminal a command prints
	Unread   bool   // it names more than the limits allow to check: the rest must not pass
}

// reader reads a command line: which files it uses, and whether its output is secret.
type reader struct {
	Reading
	home   string
	vars   map[string][]string
	dirs   []string // where a relative path may start, latest last
	group  int
	sifted int                 // 1 + the pipeline whose lines name a secret
	files  map[string][]string // what the script itself writes, by the names of the files
	words  int
	bytes  int  // of all expanded words
	traced bool // set -x: substituted values are printed
	away   bool // what is read now runs on another machine
}

// place is where in the script a command is.
type place struct {
	piped    bool // its output goes somewhere other than the terminal
	captured bool // its output is substituted into a word
	names    bool // its output is names of files that are then read
	unnamed  bool // and whose lines are printed without these names
	counted  bool // its output is only counted
	dropped  bool // its output goes to /dev/null
	depth    int
}

// Read analyses a script. Text that does not parse is searched word by word.
func Read(script, dir, home string) *Reading {
	s := newReader(dir, home)
	s.script(script, place{})
	if printsVariable(script) {
		s.Output = max(s.Output, DropFields)
	}
	return s.result()
}

// ReadWords analyses a command given as a list of words.
func ReadWords(words []string, dir, home string) *Reading {
	args := make([][]string, len(words))
	for n, w := range words {
		args[n] = []string{w}
	}
	s := newReader(dir, home)
	s.run(args, false, place{})
	return s.result()
}

func newReader(dir, home string) *reader {
	return &reader{home: home, vars: map[string][]string{}, files: map[string][]string{}, dirs: []string{dir}}
}

func (s *reader) result() *Reading {
	s.Unread = s.Unread || s.exhausted()
	s.Loud = s.Loud || s.traced
	return &s.Reading
}

func (s *reader) script(text string, at place) {
	if at.depth > maxNesting || len(s.Uses) > maxUses {
		s.tokens(text)
		return
	}
	file, ok := parse(text)
	if !ok {
		s.tokens(text)
		s.taintByTokens(text)
		return
	}
	at.depth++
	at.counted = false
	s.stmts(file.Stmts, at)
}

// parse never panics: the parser is third-party code and its input is hostile.
func parse(text string) (file *syntax.File, ok bool) {
	if len(text) > maxScript || deeplyNested(text) {
		return nil, false
	}
	defer func() {
		if recover() != nil {
			file, ok = nil, false
		}
	}()
	parser := parsers.Get().(*syntax.Parser)
	file, err := parser.Parse(strings.NewReader(text), "")
	parsers.Put(parser) // not after a panic
	return file, err == nil
}

// parsers are used again, because a new one takes as much memory as a hundred commands.
var parsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// deeplyNested rejects input that would only exhaust the stack of the recursive parser.
func deeplyNested(text string) bool {
	opened := 0
	for _, c := range []byte(text) {
		if c == '(' || c == '{' || c == '`' {
			opened++
		}
	}
	return opened > 2000
}

func (s *reader) stmts(list []*syntax.Stmt, at place) {
	for _, st := range list {
		s.group++
		s.stmt(st, at)
	}
}

func (s *reader) stmt(st *syntax.Stmt, at place) {
	if st == nil || s.exhausted() {
		return
	}
	for _, r := range st.Redirs {
		s.redirect(r, st, at)
	}
	switch c := st.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		at.dropped = discards(st)
		s.call(c, redirectsOutput(st), at)
		s.keepsScript(st, c, at)
	case *syntax.BinaryCmd:
		s.binary(c, at)
	case *syntax.DeclClause:
		s.declare(c, redirectsOutput(st), at)
	case *syntax.ForClause:
		s.forLoop(c, at)
	default:
		s.within(c, at)
	}
}

// within reads the commands in a part of a script, also those in words.
func (s *reader) within(part syntax.Node, at place) {
	syntax.Walk(part, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			s.group++
			s.stmt(n, at)
			return false
		case *syntax.Word:
			s.expand(n, at)
			return false
		}
		return true
	})
}

func (s *reader) binary(c *syntax.BinaryCmd, at place) {
	switch c.Op {
	case syntax.Pipe, syntax.PipeAll:
		left := at
		left.piped = !harmlessFilter(c.Y)
		left.counted = c.Op == syntax.Pipe && countsOnly(c.X, c.Y)
		left.names = at.names || readsNamed(c.Y)
		left.unnamed = at.unnamed || hidesNames(c.Y)
		s.stmt(c.X, left)
		s.stmt(c.Y, at)
	default:
		s.stmt(c.X, at)
		s.group++
		s.stmt(c.Y, at)
	}
}

func (s *reader) forLoop(c *syntax.ForClause, at place) {
	if loop, ok := c.Loop.(*syntax.WordIter); ok && loop.Name != nil {
		items := at
		items.names = true
		for _, w := range loop.Items {
			s.assign(loop.Name.Value, s.expand(w, items))
		}
	}
	s.stmts(c.Do, at)
}

func (s *reader) redirect(r *syntax.Redirect, st *syntax.Stmt, at place) {
	if r.Hdoc != nil {
		s.heredoc(r, st, at)
		return
	}
	values := s.expand(r.Word, at)
	if r.Op == syntax.RdrIn && readsScripts(commandName(st)) {
		s.runs(values, commandName(st), at)
	}
	if r.Op == syntax.WordHdoc || r.Op == syntax.DplIn || r.Op == syntax.DplOut {
		s.repeats("cat", values)
		if readsScripts(commandName(st)) {
			defer s.elsewhere(commandName(st))()
			s.nested(values, at)
		}
		return
	}
	for _, v := range values {
		u := Use{Name: v, Target: r.Op != syntax.RdrIn}
		if (r.Op == syntax.RdrOut || r.Op == syntax.AppOut) && !s.away && len(values) == 1 {
			u.Handed = AsWritten
		}
		s.use(u)
		if isNoise(v) && r.Op == syntax.RdrIn {
			s.taint([]string{"cat", v}, redirectsOutput(st), at)
		}
	}
}

// redirectsOutput reports whether what a command prints goes into a file. Errors may go anywhere.
func redirectsOutput(st *syntax.Stmt) bool {
	return slices.ContainsFunc(st.Redirs, func(r *syntax.Redirect) bool {
		if r.Word != nil && (in("terminals", r.Word.Lit()) || isProcess(r.Word)) {
			return false
		}
		switch r.Op {
		case syntax.RdrAll, syntax.AppAll:
			return true
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob:
			return r.N == nil || r.N.Value == "1"
		}
		return false
	})
}

// heredoc reads a here-document that a shell or an interpreter will run.
func (s *reader) heredoc(r *syntax.Redirect, st *syntax.Stmt, at place) {
	text := s.document(r, at)
	name := commandName(st)
	if !redirectsOutput(st) && !at.captured {
		s.repeats(name, text)
	}
	defer s.elsewhere(name)()
	if readsScripts(name) {
		s.nested(text, at)
	}
	if in("databases", name) {
		s.taint(append([]string{name}, text...), redirectsOutput(st), at)
	}
}

// written returns the words of a simple command as they are written, "" for those that the shell fills in.
func written(st *syntax.Stmt) (words []string) {
	if call, ok := st.Cmd.(*syntax.CallExpr); ok {
		for _, a := range call.Args {
			words = append(words, a.Lit())
		}
	}
	return words
}

// commandName returns the literal name of a statement's command, without its directory.
func commandName(st *syntax.Stmt) string {
	if words := written(st); len(words) > 0 {
		return program(words[0])
	}
	return ""
}

// program returns the name of a program as the tables list it.
func program(word string) string {
	word = Slashes(strings.ToLower(word))
	return strings.TrimSuffix(word[strings.LastIndexByte(word, '/')+1:], ".exe")
}

func (s *reader) use(u Use) {
	if len(s.Uses) > maxUses || u.Name == "" || len(u.Name) > 4096 {
		return
	}
	u.Group, u.Dirs, u.Away = s.group, s.dirs, s.away
	s.Uses = append(s.Uses, u)
}

func (s *reader) assign(name string, values []string) {
	known := s.vars[name]
	for _, v := range values {
		if len(known) < maxChoices && !slices.Contains(known, v) {
			known = append(known, v)
		}
	}
	s.vars[name] = known
}

// changeDir lets later relative paths start there too; the actual directory of the shell is then uncertain (a subshell,
// a failed cd). A script that changes it often is followed only as if every cd succeeded.
func (s *reader) changeDir(to string) {
	if to == "" || to == "-" {
		return
	}
	n := len(s.dirs)
	if n >= maxDirs {
		s.Unread = true
		return
	}
	from := s.dirs
	if n >= ManyDirs {
		from = from[n-1:]
	}
	next := make([]string, 0, 2*len(s.dirs))
	for _, d := range from {
		next = append(next, Path(d, to, s.home))
	}
	s.dirs = append(slices.Clone(s.dirs), next...)
}
