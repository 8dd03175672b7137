package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"keepmum/lazyregexp"
	"keepmum/privacy/keyname"
	"keepmum/privacy/wordlist"
)

// expand returns the values a word may have once quotes, braces and known variables are resolved. It also reads the
// commands inside the word.
func (s *reader) expand(w *syntax.Word, at place) []string {
	if w == nil {
		return nil
	}
	if s.words++; s.exhausted() {
		return []string{Unknown}
	}
	syntax.SplitBraces(w)
	return s.parts(w.Parts, false, at)
}

func (s *reader) expandAll(words []*syntax.Word, at place) [][]string {
	out := make([][]string, len(words))
	for i, w := range words {
		out[i] = s.expand(w, at)
	}
	return out
}

func (s *reader) parts(parts []syntax.WordPart, quoted bool, at place) []string {
	out := []string{""}
	var tail strings.Builder // parts of one value, appended to everything in out
	for _, p := range parts {
		values := s.part(p, quoted, at)
		if len(values) == 1 && tail.Len() < maxWord {
			tail.WriteString(values[0])
			continue
		}
		out = s.product(s.product(out, []string{tail.String()}), values)
		tail.Reset()
	}
	return s.product(out, []string{tail.String()})
}

// product appends each of more to each of heads.
func (s *reader) product(heads, more []string) []string {
	if len(more) == 1 && more[0] == "" {
		return heads
	}
	var out []string
	for _, h := range heads {
		for _, m := range more {
			if len(out) < maxChoices && !s.exhausted() {
				s.bytes += len(h) + len(m)
				out = append(out, bounded(h+m))
			}
		}
	}
	return out
}

// bounded limits the growth of repeated expansion (a=$a$a).
func bounded(v string) string {
	if len(v) > maxWord {
		return v[:maxWord]
	}
	return v
}

func (s *reader) part(p syntax.WordPart, quoted bool, at place) []string {
	switch p := p.(type) {
	case *syntax.Lit:
		return literal(p.Value, quoted)
	case *syntax.SglQuoted:
		if p.Dollar {
			return []string{ansiC(p.Value)}
		}
		return []string{p.Value}
	case *syntax.DblQuoted:
		return s.parts(p.Parts, true, at)
	case *syntax.ParamExp:
		return s.param(p, at)
	case *syntax.CmdSubst:
		return s.substitution(p.Stmts, at)
	case *syntax.ProcSubst:
		s.process(p, at)
	case *syntax.BraceExp:
		return s.brace(p, at)
	case *syntax.ArithmExp:
		s.within(p, at)
	}
	s.Loud = true
	return []string{Unknown}
}

func (s *reader) brace(b *syntax.BraceExp, at place) []string {
	if b.Sequence {
		return []string{Unknown}
	}
	var out []string
	for _, e := range b.Elems {
		if len(out) < maxChoices {
			out = append(out, s.parts(e.Parts, false, at)...)
		}
	}
	return out
}

// literal resolves backslashes. Windows paths contain backslashes too, so the word is also returned with them as
// separators.
func literal(text string, quoted bool) []string {
	if !strings.Contains(text, `\`) {
		return []string{text}
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (!quoted || strings.IndexByte("$`\"\\\n", text[i+1]) >= 0) {
			if i++; text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return []string{b.String(), Slashes(text)}
}

// ansiEscape matches an escape of $'…': a number, or any character.
var ansiEscape = lazyregexp.New(
	`(?s)\\(?:x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|.)`)

// ansiC resolves the escapes of $'…'.
func ansiC(text string) string {
	return ansiEscape.Get().ReplaceAllStringFunc(text, func(escape string) string {
		digits, base := escape[2:], 16
		if escape[1] >= '0' && escape[1] <= '7' {
			digits, base = escape[1:], 8
		}
		n, err := strconv.ParseUint(digits, base, 32)
		switch {
		case err != nil || strings.IndexByte("xuU01234567", escape[1]) < 0:
			return escape[1:]
		case escape[1]|0x20 == 'u':
			return string(rune(n))
		}
		return string([]byte{byte(n)})
	})
}

// param returns the possible values of a variable.
func (s *reader) param(p *syntax.ParamExp, at place) []string {
	var out []string
	s.Loud = s.Loud || expandsVariable(p)
	if p.Param != nil && !p.Length && !p.Excl {
		out = append(out, s.variable(p.Param.Value)...)
	}
	if p.Exp != nil && p.Exp.Word != nil {
		out = append(out, s.expand(p.Exp.Word, at)...)
	}
	s.around(p, at)
	if altered := p.Repl != nil || p.Slice != nil || p.Exp != nil && p.Exp.Word != nil; altered || len(out) == 0 {
		out = append(out, s.altered(p, at)...)
		out = append(out, Unknown)
	}
	return out
}

// around reads the commands in the parts of ${…} that give no value: index, slice, replacement.
func (s *reader) around(p *syntax.ParamExp, at place) {
	syntax.Walk(p, func(n syntax.Node) bool {
		w, word := n.(*syntax.Word)
		if word && (p.Exp == nil || w != p.Exp.Word) {
			s.expand(w, at)
		}
		return !word
	})
}

func (s *reader) variable(name string) []string {
	switch name {
	case "HOME", "USERPROFILE":
		if s.home != "" && len(s.vars[name]) == 0 {
			return []string{s.home}
		}
	case "PWD":
		return []string{"."}
	}
	if file := row("file-variables", name); file != "" && len(s.vars[name]) == 0 {
		return []string{file}
	}
	if len(s.vars[name]) == 0 && len(name) > 3 && keyname.Of(name) >= keyname.Token {
		return []string{Secret} // the value that the environment has for such a name
	}
	return s.vars[name]
}

// substitution reads $(…). Its value is known only for echo and printf.
func (s *reader) substitution(list []*syntax.Stmt, at place) []string {
	at.captured, at.piped, at.counted = true, true, false
	if at.depth++; at.depth > 4*maxNesting {
		s.Unread = true
		return []string{Unknown}
	}
	secrets := len(s.Tainted)
	s.stmts(list, at)
	if len(s.Tainted) > secrets {
		return []string{Secret}
	}
	if len(list) != 1 || len(list[0].Redirs) > 0 {
		return []string{Unknown}
	}
	if names := s.listed(list[0], at); len(names) > 0 {
		return append(names, Unknown)
	}
	call, ok := list[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 || len(call.Args) > 8 {
		return []string{Unknown}
	}
	if name := call.Args[0].Lit(); name != "echo" && name != "printf" {
		return []string{Unknown}
	}
	out := s.expand(call.Args[1], at)
	for _, w := range call.Args[2:] {
		words, end := s.expand(w, at), []string{""}
		if head, tail, ok := strings.Cut(strings.Join(out, "\n"), "%s"); ok && len(out) == 1 {
			out, end = []string{head}, []string{tail}
		} else {
			out = s.product(out, []string{" "})
		}
		out = s.product(s.product(out, words), end)
	}
	return out
}

// process reads <(…), whose output goes to the command as through a pipe, and >(…), whose output goes where that of the
// command goes.
func (s *reader) process(p *syntax.ProcSubst, at place) {
	if at.depth++; at.depth > 4*maxNesting {
		s.Unread = true
		return
	}
	if p.Op == syntax.CmdIn {
		at.piped, at.counted = true, false
	}
	for i, st := range p.Stmts {
		if i > 0 {
			s.group++
		}
		s.stmt(st, at)
	}
}

// isProcess reports whether a word is >(…).
func isProcess(w *syntax.Word) bool {
	_, ok := w.Parts[0].(*syntax.ProcSubst)
	return ok
}

// expandsVariable reports whether an expansion is that of a variable that a settings file may have set.
func expandsVariable(p *syntax.ParamExp) bool {
	if p.Param == nil {
		return true
	}
	return !strings.Contains("0123456789?$!#@*-_", p.Param.Value) &&
		!wordlist.In(p.Param.Value, " HOME PWD OLDPWD PATH USER SHELL TMPDIR ")
}
