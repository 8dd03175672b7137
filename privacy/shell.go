package privacy

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	maxScript     = 64 << 10 // a longer command is not parsed but searched for paths
	maxNesting    = 6        // bash -c in bash -c …
	maxUses       = 2048     // files looked at in one command
	maxChoices    = 32       // values one word may have
	maxShellWords = 8192
	maxWord       = 8 << 10 // bytes of a word once it is expanded
	maxExpanded   = 4 << 20 // bytes of all of them
)

// fileUse is a file that a command names.
type fileUse struct {
	name   string // as the shell would hand it on; unknown parts are [unknownPart]
	dirs   []string
	silent bool // the command is known to print nothing of the content
	inert  bool // nor does the content go anywhere else
	target bool // it may be written to
	handed handing
	away   bool // on another machine
	group  int  // files of one pipeline, between which content flows
}

// unknownPart stands for what only the running shell would know.
const unknownPart = "\x00"

// secretPart is an [unknownPart] that holds the output of a command whose
// output is secret.
const secretPart = unknownPart + "\x01"

// reading is what a command line does, read as a shell would without running it.
type reading struct {
	uses    []fileUse
	output  policy
	tainted []int // pipelines that carry secret output
	listing bool  // the output may be lines of many files
	loud    bool  // a command may be made to print what a variable holds
	unread  bool  // it names more than is looked at: what is left must not pass
}

// shell reads a command line: which files it touches, and whether its output is
// secret by nature.
type shell struct {
	reading
	home   string
	vars   map[string][]string
	dirs   []string // where a relative path may start, the latest last
	group  int
	sifted int // 1 + the pipeline whose lines name a secret
	words  int
	bytes  int  // of all expanded words
	traced bool // set -x: what is substituted is printed
	away   bool // what is read now runs on another machine
}

// place says where in the script a command stands.
type place struct {
	piped    bool // its output goes into something else than the terminal
	captured bool // its output is substituted into a word
	names    bool // its output is names of files that are read
	counted  bool // its output is only counted
	dropped  bool // its output goes to /dev/null
	depth    int
}

// readShell analyses a script. What does not parse is searched word by word.
func readShell(script, dir, home string) *reading {
	s := newReader(dir, home)
	s.script(script, place{})
	if printsVariable(script) {
		s.output = max(s.output, dropFields)
	}
	return s.result()
}

// readWords analyses a command given as a list of words.
func readWords(words []string, dir, home string) *reading {
	args := make([][]string, len(words))
	for n, w := range words {
		args[n] = []string{w}
	}
	s := newReader(dir, home)
	s.run(args, false, place{})
	return s.result()
}

func newReader(dir, home string) *shell {
	return &shell{home: home, vars: map[string][]string{}, dirs: []string{dir}}
}

func (s *shell) result() *reading {
	s.unread = s.exhausted()
	s.loud = s.loud || s.traced
	return &s.reading
}

func (s *shell) script(text string, at place) {
	if at.depth > maxNesting || len(s.uses) > maxUses {
		s.tokens(text)
		return
	}
	file, ok := parseShell(text)
	if !ok {
		s.tokens(text)
		s.taintByTokens(text)
		return
	}
	at.depth++
	at.counted = false
	s.stmts(file.Stmts, at)
}

// parseShell never panics: the parser is not ours and its input is hostile.
func parseShell(text string) (file *syntax.File, ok bool) {
	if len(text) > maxScript || deeplyNested(text) {
		return nil, false
	}
	defer func() {
		if recover() != nil {
			file, ok = nil, false
		}
	}()
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	file, err := parser.Parse(strings.NewReader(text), "")
	return file, err == nil
}

// deeplyNested keeps the recursive parser away from what would only exhaust
// its stack.
func deeplyNested(text string) bool {
	opened := 0
	for _, c := range []byte(text) {
		if c == '(' || c == '{' || c == '`' {
			opened++
		}
	}
	return opened > 2000
}

func (s *shell) stmts(list []*syntax.Stmt, at place) {
	for _, st := range list {
		s.group++
		s.stmt(st, at)
	}
}

func (s *shell) stmt(st *syntax.Stmt, at place) {
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
	case *syntax.BinaryCmd:
		s.binary(c, at)
	case *syntax.DeclClause:
		s.declare(c, redirectsOutput(st), at)
	case *syntax.ForClause:
		s.forLoop(c, at)
	default:
		s.compound(c, at)
	}
}

// compound reads the commands that only group others.
func (s *shell) compound(c syntax.Command, at place) {
	switch c := c.(type) {
	case *syntax.Subshell:
		s.stmts(c.Stmts, at)
	case *syntax.Block:
		s.stmts(c.Stmts, at)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			s.stmts(c.Cond, at)
			s.stmts(c.Then, at)
		}
	case *syntax.WhileClause:
		s.stmts(c.Cond, at)
		s.stmts(c.Do, at)
	case *syntax.CaseClause:
		s.expand(c.Word, at)
		for _, item := range c.Items {
			s.stmts(item.Stmts, at)
		}
	case *syntax.FuncDecl:
		s.stmt(c.Body, at)
	case *syntax.TimeClause:
		s.stmt(c.Stmt, at)
	case *syntax.CoprocClause:
		s.stmt(c.Stmt, at)
	default:
		s.substitutions(c, at)
	}
}

func (s *shell) binary(c *syntax.BinaryCmd, at place) {
	switch c.Op {
	case syntax.Pipe, syntax.PipeAll:
		left := at
		left.piped = !harmlessFilter(c.Y)
		left.counted = c.Op == syntax.Pipe && countsOnly(c.X, c.Y)
		left.names = at.names || readsNamed(c.Y)
		s.stmt(c.X, left)
		s.stmt(c.Y, at)
	default:
		s.stmt(c.X, at)
		s.group++
		s.stmt(c.Y, at)
	}
}

func (s *shell) forLoop(c *syntax.ForClause, at place) {
	if loop, ok := c.Loop.(*syntax.WordIter); ok && loop.Name != nil {
		items := at
		items.names = true
		for _, w := range loop.Items {
			s.assign(loop.Name.Value, s.expand(w, items))
		}
	}
	s.stmts(c.Do, at)
}

// substitutions reads the commands inside the words of a node.
func (s *shell) substitutions(n syntax.Node, at place) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if w, ok := n.(*syntax.Word); ok {
			s.expand(w, at)
			return false
		}
		return true
	})
}

func (s *shell) redirect(r *syntax.Redirect, st *syntax.Stmt, at place) {
	if r.Hdoc != nil {
		s.heredoc(r.Hdoc, st, at)
		return
	}
	values := s.expand(r.Word, at)
	if r.Op == syntax.WordHdoc || r.Op == syntax.DplIn || r.Op == syntax.DplOut {
		s.repeats("cat", values)
		if readsScripts(commandName(st)) {
			defer s.elsewhere(commandName(st))()
			s.nested(values, at)
		}
		return
	}
	for _, v := range values {
		u := fileUse{name: v, target: r.Op != syntax.RdrIn}
		if (r.Op == syntax.RdrOut || r.Op == syntax.AppOut) && !s.away && len(values) == 1 {
			u.handed = asWritten
		}
		s.use(u)
		if isNoise(v) && r.Op == syntax.RdrIn {
			s.taint([]string{"cat", v}, redirectsOutput(st), at)
		}
	}
}

func redirectsOutput(st *syntax.Stmt) bool {
	return slices.ContainsFunc(st.Redirs, func(r *syntax.Redirect) bool {
		switch r.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrAll, syntax.AppAll, syntax.RdrClob:
			return true
		}
		return false
	})
}

// heredoc reads a here-document that a shell or an interpreter will run.
func (s *shell) heredoc(body *syntax.Word, st *syntax.Stmt, at place) {
	text := s.expand(body, at)
	name := commandName(st)
	defer s.elsewhere(name)()
	if readsScripts(name) {
		s.nested(text, at)
	}
	if asksDatabase(name) {
		s.taint(append([]string{name}, text...), redirectsOutput(st), at)
	}
}

// commandName is the literal name of a statement's command, without its directory.
func commandName(st *syntax.Stmt) string {
	if call, ok := st.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 {
		return program(call.Args[0].Lit())
	}
	return ""
}

// program is the name of a program as the tables know it.
func program(word string) string {
	word = slashes(lower(word))
	return strings.TrimSuffix(word[strings.LastIndexByte(word, '/')+1:], ".exe")
}

func (s *shell) use(u fileUse) {
	if len(s.uses) > maxUses || u.name == "" || len(u.name) > 4096 {
		return
	}
	u.group, u.dirs, u.away = s.group, s.dirs, s.away
	s.uses = append(s.uses, u)
}

func (s *shell) assign(name string, values []string) {
	known := s.vars[name]
	for _, v := range values {
		if len(known) < maxChoices && !slices.Contains(known, v) {
			known = append(known, v)
		}
	}
	s.vars[name] = known
}

// changeDir makes later relative paths start there as well; where the shell
// really is then is not known for sure (a subshell, a failed cd).
func (s *shell) changeDir(to string) {
	if len(s.dirs) >= 8 || to == "" || to == "-" {
		return
	}
	next := make([]string, 0, 2*len(s.dirs))
	for _, d := range s.dirs {
		next = append(next, joinPath(d, to, s.home))
	}
	s.dirs = append(slices.Clone(s.dirs), next...)
}
