package layout

import (
	"bytes"
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Signature is a line of a file that declares something.
type Signature struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Limits of an outline; a longer one would be no shorter than the file.
const (
	maxSignatures = 200
	maxSignature  = 160 // bytes of one signature
)

// Outline returns what a file declares. It reads Go with Go's own scanner. For other languages it returns the lines
// that start an indented block, without a grammar of the language.
func Outline(name string, src []byte) []Signature {
	if path.Ext(name) == ".go" {
		return goOutline(src)
	}
	return blocks(strings.Split(string(src), "\n"))
}

// goReader extracts the declarations from a Go file.
type goReader struct {
	file  *token.File
	src   []byte
	from  token.Pos // start of the current declaration
	depth int       // depth of brackets
	out   []Signature
}

// goOutline returns the declarations of a Go file, each up to the brace of its body.
func goOutline(src []byte) []Signature {
	r := goReader{file: token.NewFileSet().AddFile("", -1, len(src)), src: src}
	var s scanner.Scanner
	s.Init(r.file, src, func(token.Position, string) {}, 0)
	last := token.EOF
	for len(r.out) < maxSignatures {
		pos, tok, _ := s.Scan()
		if tok == token.EOF {
			break
		}
		r.read(pos, tok, last)
		last = tok
	}
	return r.out
}

func (r *goReader) read(pos token.Pos, tok, last token.Token) {
	switch tok {
	case token.FUNC, token.TYPE:
		if r.depth == 0 && r.from == token.NoPos {
			r.from = pos
		}
	case token.LPAREN, token.LBRACE, token.LBRACK:
		if tok == token.LBRACE && last != token.INTERFACE {
			r.end(pos)
		}
		r.depth++
	case token.RPAREN, token.RBRACE, token.RBRACK:
		r.depth = max(0, r.depth-1)
	case token.SEMICOLON:
		r.end(pos)
	}
}

// end adds the declaration that ends here.
func (r *goReader) end(pos token.Pos) {
	if r.depth > 0 || r.from == token.NoPos {
		return
	}
	text := bytes.Join(bytes.Fields(r.src[r.file.Offset(r.from):r.file.Offset(pos)]), []byte(" "))
	r.out = append(r.out, Signature{r.file.Line(r.from), cut(string(text))})
	r.from = token.NoPos
}

func cut(s string) string {
	if len(s) > maxSignature {
		return strings.ToValidUTF8(s[:maxSignature], "") + "…"
	}
	return s
}

// block is a line with deeper lines below it.
type block struct {
	at    int  // its indentation
	holds bool // a class or similar: declarations inside it count, too
}

// blocks returns the lines that are followed by deeper ones.
func blocks(lines []string) (out []Signature) {
	var open []block
	head := 0 // a brace on its own line belongs to the line before it
	for i, line := range lines {
		text := strings.TrimSpace(line)
		if text == "" || len(out) == maxSignatures {
			continue
		}
		at := indent(line)
		for len(open) > 0 && open[len(open)-1].at >= at {
			open = open[:len(open)-1]
		}
		no := i
		if text == "{" && indent(lines[head]) == at {
			no = head
		}
		head = i
		if nextLine(lines[i+1:]) <= at {
			continue
		}
		text = strings.TrimRight(strings.TrimSpace(lines[no]), " {:")
		if declares(text) && !slices.ContainsFunc(open, func(b block) bool { return !b.holds }) {
			out = append(out, Signature{no + 1, cut(strings.Repeat("  ", len(open)) + text)})
		}
		open = append(open, block{at, holds(text)})
	}
	return out
}

// holds reports whether a line starts something that contains declarations.
func holds(text string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		switch word {
		case "class", "struct", "interface", "impl", "trait", "module", "namespace", "enum", "object", "protocol",
			"extension", "mod", "contract", "defmodule":
			return true
		}
		return false
	})
}

func indent(line string) (n int) {
	for _, r := range line {
		switch r {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// nextLine returns the indentation of the first non-empty line, or -1 if there is none.
func nextLine(lines []string) int {
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			return indent(l)
		}
	}
	return -1
}

// declares reports whether a line that starts a block can be a declaration: it starts with a word that is not a
// control-flow keyword.
func declares(text string) bool {
	word := text
	if i := strings.IndexFunc(text, func(r rune) bool { return !wordRune(r) }); i >= 0 {
		word = text[:i]
	}
	switch word {
	case "", "if", "else", "elif", "elsif", "for", "foreach", "while", "until", "unless", "do", "switch", "case",
		"when", "match", "try", "catch", "except", "finally", "rescue", "ensure", "begin", "with", "using", "loop", "select",
		"return", "import", "from", "use", "await", "yield", "throw", "raise":
		return strings.HasPrefix(text, "@") || strings.HasPrefix(text, "#[")
	}
	return true
}

func wordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
