package shell

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// keepsScript remembers what a command writes into a file: a later command of the same script may run that file.
func (s *reader) keepsScript(st *syntax.Stmt, c *syntax.CallExpr, at place) {
	name := commandName(st)
	if !in("writers", name) {
		return
	}
	var texts, files []string
	for _, r := range st.Redirs {
		switch {
		case r.Hdoc != nil:
			texts = append(texts, s.document(r, at)...)
		case r.Op == syntax.WordHdoc:
			texts = append(texts, s.expand(r.Word, at)...)
		case r.Op == syntax.RdrOut || r.Op == syntax.AppOut || r.Op == syntax.RdrClob || r.Op == syntax.RdrAll:
			files = append(files, s.expand(r.Word, at)...)
		}
	}
	if name != "tee" && len(files) == 0 {
		return
	}
	words := first(s.expandAll(c.Args[1:], at))
	switch name {
	case "tee":
		files = append(files, words...)
	case "echo", "printf":
		texts = append(texts, strings.Join(words, " "))
	}
	for _, f := range files {
		s.files[fileKey(f)] = append(s.files[fileKey(f)], texts...)
	}
}

// document returns the text of a here-document, in which braces mean nothing: as it is if its delimiter is quoted.
func (s *reader) document(r *syntax.Redirect, at place) []string {
	if text := r.Hdoc.Lit(); text != "" && r.Word.Lit() == "" {
		return []string{text}
	}
	if s.words++; s.exhausted() {
		return []string{Unknown}
	}
	return s.parts(r.Hdoc.Parts, true, at)
}

// fileKey returns the name of a file without its folder: the script may have changed to another one.
func fileKey(file string) string { return path.Base(Slashes(file)) }

// runs reads those of the files that the script itself wrote, as what the program that runs them would see; "" = the
// file itself is the program.
func (s *reader) runs(files []string, by string, at place) {
	for _, f := range files {
		key := fileKey(f)
		texts := s.files[key]
		delete(s.files, key) // a file that runs itself is read once
		for _, text := range texts {
			if in("shells", by) || by == "" && isShellScript(text) {
				s.nested([]string{text}, at)
			} else {
				s.code(text)
			}
		}
		if len(texts) > 0 {
			s.files[key] = texts
		}
	}
}

// isShellScript reports whether a shell runs a file with this text.
func isShellScript(text string) bool {
	first, ok := strings.CutPrefix(text, "#!")
	first, _, _ = strings.Cut(first, "\n")
	return !ok || strings.Contains(first, "sh")
}
