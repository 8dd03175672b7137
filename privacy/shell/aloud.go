package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"keepmum/privacy/wordlist"
)

const (
	maxLines = 16   // commands of one script that are read with their variables filled in
	maxTurns = 4    // values of a variable with which a command is read
	maxAloud = 4096 // bytes of a script, and of a line of it
)

// aloud is a reader with the words for what a program is told that asks for a password.
type aloud struct {
	reader
	asked func(text string) []string
}

// Aloud returns what a script says only to who runs it: the commands that
// have a variable of its own in them, with what it stands for ("P=…; curl -u
// me:$P"), and what is handed to a program that asks for a password: asked
// returns the lines for that.
func Aloud(script string, asked func(text string) []string) (lines []string) {
	if len(script) > maxAloud || !(strings.Contains(script, "$") && (strings.Contains(script, "=") || strings.Contains(script, "for ")) || handsIn(script)) {
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
		switch n := n.(type) {
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe && asksPassword(n.Y) {
				lines = append(lines, s.printed(n.X)...)
			}
		case *syntax.Stmt:
			if asksPassword(n) {
				lines = append(lines, s.fed(n)...)
			}
		case *syntax.Assign:
			if s.assignment(n, place{}); n.Name != nil && n.Value != nil && s.filledIn(n.Value) {
				lines = append(lines, n.Name.Value+"="+s.word(n.Value, 0))
			}
		case *syntax.WordIter:
			if n.Name == nil {
				break
			}
			for _, w := range n.Items[:min(len(n.Items), maxTurns)] {
				s.assign(n.Name.Value, s.expand(w, place{}))
			}
		case *syntax.CallExpr:
			if len(lines) < maxLines && slices.ContainsFunc(n.Args, s.filledIn) {
				lines = append(lines, s.lines(n)...)
			}
		}
		return true
	})
	return lines[:min(len(lines), maxLines)]
}

// askers are programs that read a password from their standard input.
const askers = " passwd smbpasswd chpasswd kinit vncpasswd pdbedit su ldappasswd "

// handsIn reports whether a script may hand a password to one of them.
func handsIn(script string) bool {
	if !strings.Contains(script, "|") && !strings.Contains(script, "<<") {
		return false
	}
	return strings.Contains(script, "passwd") || strings.Contains(script, "kinit") || strings.Contains(script, "pdbedit") || strings.Contains(script, "su ")
}

// asksPassword reports whether a command is one of them.
func asksPassword(st *syntax.Stmt) bool {
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return false
	}
	words := make([]string, len(c.Args))
	for i, w := range c.Args {
		words[i] = w.Lit()
	}
	return wordlist.In(program(words[unwrapped(words)]), askers)
}

// printed returns what the words of echo or printf are, as passwords.
func (s *aloud) printed(st *syntax.Stmt) (lines []string) {
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) < 2 || !wordlist.In(program(c.Args[0].Lit()), " echo printf print ") {
		return nil
	}
	for _, w := range c.Args[1:] {
		lines = append(lines, s.asked(s.word(w, 0))...)
	}
	return lines
}

// fed returns what a here-document or here-string says, as passwords.
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

// lines are a command with each value that its variables may have.
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

// word is one of the values of a word, the last when it has not so many.
func (s *aloud) word(w *syntax.Word, n int) string {
	values := s.expand(w, place{})
	if len(values) == 0 {
		return ""
	}
	return strings.NewReplacer(Secret, "…", Unknown, "…").Replace(values[min(n, len(values)-1)])
}

// filledIn reports whether a word has a variable that the script has set.
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

// Quoted is a word as one would type it; of a script only that there is one.
func Quoted(word string) string {
	switch {
	case strings.ContainsAny(word, "\n"):
		return "SCRIPT"
	case strings.Contains(word, " ") && !strings.Contains(word, "'"):
		return "'" + word + "'"
	}
	return word
}
