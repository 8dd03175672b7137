package view

import (
	"strconv"
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
)

// CommentedLiterals are how a literal begins that a comment holds.
var CommentedLiterals = []string{`# "`, `// "`, `-- "`, `; "`}

// maxLiteral bounds the bytes of a literal that is read as what it stands for: a
// manifest that was quoted into a comment is that long.
const maxLiteral = 64 << 10

// Literal notes a literal with escapes that a comment ends with: # "name = \"value\"\n".
func Literal(s *scan.Scanner, from int) {
	if last := len(s.Literals) - 1; last >= 0 && from < s.Literals[last].To {
		return
	}
	to := judge.Closing(s.Text, from, '"', 0, maxLiteral)
	if to >= len(s.Text) || s.Text[to] != '"' || !judge.LineEnd(s, to+1) {
		return
	}
	if strings.IndexByte(s.Text[from:to], '\\') >= 0 {
		s.Literals = append(s.Literals, scan.Stretch{From: from, To: to})
	}
}

// unquotedView is what a literal stands for.
func unquotedView(text string, part scan.Stretch) *viewAt {
	v := newView(part.To - part.From)
	rest := text[part.From:part.To]
	for at := part.From; rest != ""; {
		c, wide, tail, err := strconv.UnquoteChar(rest, '"')
		if err != nil { // an escape of another language
			c, wide, tail = rune(rest[0]), false, rest[1:]
		}
		bytes := []byte{byte(c)}
		if wide {
			bytes = []byte(string(c))
		}
		for _, b := range bytes {
			v.put(b, at)
		}
		at += len(rest) - len(tail)
		rest, v.End = tail, at
	}
	return v
}
