package view

import (
	"strconv"
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
)

// CommentedLiterals are the starts of literals in comments.
var CommentedLiterals = []string{`# "`, `// "`, `-- "`, `; "`}

// maxLiteral limits the length of a literal that is decoded; a manifest quoted in a comment is that long.
const maxLiteral = 64 << 10

// Literal records a literal with escapes at the end of a comment: # "name = \"value\"\n".
func Literal(s *scan.Scanner, from int) {
	if last := len(s.Literals) - 1; last >= 0 && from < s.Literals[last].To {
		return
	}
	to := assign.ClosingQuote(s.Text, from, '"', 0, maxLiteral)
	if to >= len(s.Text) || s.Text[to] != '"' || !assign.LineEnd(s, to+1) {
		return
	}
	if strings.IndexByte(s.Text[from:to], '\\') >= 0 {
		s.Literals = append(s.Literals, scan.Stretch{From: from, To: to})
	}
}

// unquotedView returns the value of a literal.
func unquotedView(text string, part scan.Stretch) *viewAt {
	v := newView(part.To - part.From)
	rest := text[part.From:part.To]
	for at := part.From; rest != ""; {
		c, wide, tail, err := strconv.UnquoteChar(rest, '"')
		if err != nil { // an escape from another language
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
