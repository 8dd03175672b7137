package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"keepmum/lazyregexp"
)

const (
	maxLines = 16   // commands of one script that are read with variables filled in
	maxTurns = 4    // values of a variable that are tried in a command
	maxAloud = 4096 // bytes of a script, and of one of its lines
)

// aloud is a reader that also knows how to mark a password that a program is given.
type aloud struct {
	reader
	asked func(text string) []string
}

// Aloud returns what only the shell would see in a script: commands that use one of the script's own variables, with
// its value filled in ("P=…; curl -u me:$P"), and what is passed to a program that asks for a password: asked returns
// the lines for that.
func Aloud(script string, asked func(text string) []string) (lines []string) {
	if len(script) > maxAloud || !setsVariable(script) && !handsIn(script) {
		return nil
	}
	file, ok := parse(script)
	if !ok {
		return nil
	}
	defer func() { // as in [parse]
		if recover() != nil {
			lines = nil
		}
	}()
	s := &aloud{reader: reader{vars: map[string][]string{}}, asked: asked}
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); !ok || len(lines) < maxLines && slices.ContainsFunc(c.Args, s.filledIn) {
			lines = append(lines, s.read(n)...)
		}
		return true
	})
	return lines[:min(len(lines), maxLines)]
}

// read returns what a part of a script adds.
func (s *aloud) read(n syntax.Node) []string {
	switch n := n.(type) {
	case *syntax.BinaryCmd:
		if n.Op == syntax.Pipe && asksPassword(n.Y) {
			return s.printed(n.X)
		}
	case *syntax.Stmt:
		if asksPassword(n) {
			return s.fed(n)
		}
	case *syntax.Assign:
		if s.assignment(n, place{}); n.Name != nil && n.Value != nil && s.filledIn(n.Value) {
			return []string{n.Name.Value + "=" + s.word(n.Value, 0)}
		}
	case *syntax.WordIter:
		for _, w := range n.Items[:min(len(n.Items), maxTurns)] {
			if n.Name != nil {
				s.assign(n.Name.Value, s.expand(w, place{}))
			}
		}
	case *syntax.CallExpr:
		return s.lines(n)
	}
	return nil
}

// setsVariable is a quick check whether a script may fill in a variable that it sets.
func setsVariable(script string) bool {
	return strings.Contains(script, "$") && (strings.Contains(script, "=") || strings.Contains(script, "for "))
}

// handsIn is a quick check whether a script may pass a password to a program that asks for one.
func handsIn(script string) bool {
	return (strings.Contains(script, "|") || strings.Contains(script, "<<")) && asks.MatchString(script)
}

var asks = lazyregexp.New(`passwd|kinit|pdbedit|su `) // in the names of the list askers

// asksPassword reports whether a command reads a password from standard input.
func asksPassword(st *syntax.Stmt) bool {
	words := written(st)
	return len(words) > 0 && in("askers", program(words[unwrapped(words)]))
}

// printed returns the words that echo or printf prints, as passwords.
func (s *aloud) printed(st *syntax.Stmt) (lines []string) {
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) < 2 || !oneOf("echo|printf|print", program(c.Args[0].Lit())) {
		return nil
	}
	for _, w := range c.Args[1:] {
		lines = append(lines, s.asked(s.word(w, 0))...)
	}
	return lines
}

// fed returns the contents of a here-document or here-string, as passwords.
func (s *aloud) fed(st *syntax.Stmt) (lines []string) {
	for _, r := range st.Redirs {
		switch {
		case r.Hdoc != nil:
			lines = append(lines, s.asked(s.word(r.Hdoc, 0))...)
		case r.Op == syntax.WordHdoc:
			lines = append(lines, s.asked(s.word(r.Word, 0))...)
		}
	}
	return lines
}

// lines returns a command once for each value of its variables.
func (s *aloud) lines(c *syntax.CallExpr) (out []string) {
	for turn := range maxTurns {
		words := make([]string, len(c.Args))
		for i, w := range c.Args {
			words[i] = Quoted(s.word(w, turn))
		}
		line := strings.Join(words, " ")
		if line = line[:min(len(line), maxAloud)]; !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}

// word returns the nth value of a word, or the last if it has fewer.
func (s *aloud) word(w *syntax.Word, n int) string {
	values := s.expand(w, place{})
	if len(values) == 0 {
		return ""
	}
	return strings.NewReplacer(Secret, "…", Unknown, "…").Replace(values[min(n, len(values)-1)])
}

// filledIn reports whether a word contains a variable that the script has set.
func (s *aloud) filledIn(w *syntax.Word) bool { return s.known(w.Parts) }

func (s *aloud) known(parts []syntax.WordPart) bool {
	return slices.ContainsFunc(parts, func(p syntax.WordPart) bool {
		switch p := p.(type) {
		case *syntax.ParamExp:
			return p.Param != nil && len(s.vars[p.Param.Value]) > 0
		case *syntax.DblQuoted:
			return s.known(p.Parts)
		}
		return false
	})
}

// Quoted returns a word as a user would type it; for a script it only says that there is one.
func Quoted(word string) string {
	switch {
	case strings.Contains(word, "\n"):
		return "SCRIPT"
	case strings.Contains(word, " ") && !strings.Contains(word, "'"):
		return "'" + word + "'"
	}
	return word
}

// Assigned returns the values that a shell script assigns in a text.
func Assigned(text string) (out []string) {
	file, ok := parse(text)
	if !ok {
		return nil
	}
	s := newReader("", "")
	s.stmts(file.Stmts, place{})
	for _, values := range s.vars {
		for _, v := range values {
			if !strings.Contains(v, Unknown) {
				out = append(out, v)
			}
		}
	}
	return out
}
