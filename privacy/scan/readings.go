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

// Ruled are consecutive lines with the same sort of gutter.
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
	line := firstWord(rest)
	after := rest[len(line):]
	if len(line) < 4 || after != "" && after[0] != '\n' && after[0] != '\r' || punctuated(line) {
		return false
	}
	n := value.CountKinds(line)
	if n.Digits == 0 {
		return len(line) >= 12 && n.Upper > 1 && n.Lower > 1 && value.CrossEntropy(line) > value.DrawnLine
	}
	return n.Lower+n.Upper > 0 && (n.Runs > 1 || value.CrossEntropy(line) > value.DrawnPiece) && line[0] != '-' &&
		line[0] != '#'
}

// firstWord returns what of a text is before the first blank.
func firstWord(text string) string {
	const longest = 512
	end := 0
	for end < len(text) && end < longest && text[end] > ' ' {
		end++
	}
	return text[:end]
}

// punctuated reports whether a word has bytes that are in sentences, lists and programs, and not in tokens.
func punctuated(word string) bool {
	const padding = 2 // signs of equality at the end of base64
	for i := range len(word) {
		c := word[i]
		if c >= 0x80 || c == '=' && i < len(word)-padding || strings.IndexByte(":\"'({<[$", c) >= 0 {
			return true
		}
	}
	return false
}

// Stretch is a part of a text.
type Stretch struct{ From, To int }
