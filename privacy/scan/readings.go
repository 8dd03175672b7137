package scan

import (
	"strings"

	"keepmum/privacy/value"
)

// A gutter is what a program prints before each line of a text: the line number, the file name, the marks of a diff, of
// a quotation, of a frame. Code that reads lines must see the text without it.
type Gutter uint8

const (
	NoGutter Gutter = iota
	Counted         // "   12→", "   12<tab>": all line numbers of a file
	Searched        // "12:", "file.go:12:", "dir/file.go:"
	Changed         // "+", "-", " ", "@@" of a diff
	Cited           // "> "
	Framed          // "│ ", "12 │ ", "web-1  | "
)

// Belongs reports whether a line without a mark of its own continues a diff.
func (g Gutter) Belongs(line string) bool {
	return g == Changed && line != "" && strings.IndexByte(" -@\\", line[0]) >= 0
}

// Ruled is a set of lines with the same sort of gutter.
type Ruled struct {
	Kind     Gutter
	From, To int
}

func gutterByte(c byte) bool {
	return TokenByte(c) || c == ' ' || c == '\t' || c >= 0x80 || strings.IndexByte("./@:|+>", c) >= 0
}

// Continues reports whether a line is the rest of a token that was broken by a hard wrap: one word that no sentence,
// list or program would contain.
func Continues(rest string) bool {
	end := 0
	for end < len(rest) && end < 512 && rest[end] > ' ' {
		end++
	}
	line := rest[:end]
	if end < 4 || end < len(rest) && rest[end] != '\n' && rest[end] != '\r' {
		return false
	}
	for i := range len(line) {
		if c := line[i]; c == '=' && i < len(line)-2 || strings.IndexByte(":\"'({<[$", c) >= 0 || c >= 0x80 {
			return false
		}
	}
	n := value.CountKinds(line)
	if n.Digits == 0 {
		return len(line) >= 12 && n.Upper > 1 && n.Lower > 1 && value.CrossEntropy(line) > value.DrawnLine
	}
	return n.Lower+n.Upper > 0 && (n.Runs > 1 || value.CrossEntropy(line) > value.DrawnPiece) && line[0] != '-' &&
		line[0] != '#'
}

// Stretch is the part of a text that is read in another way.
type Stretch struct{ From, To int }
