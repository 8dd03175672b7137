package public

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// symbol reports whether a finding is the name of something in a program: a mangled name, or one in a list of names
// that a program exports.
func symbol(s *scan.Scanner, from, to int) bool {
	const most = 400 // bytes of the token around it
	start, end := from, to
	for start > 0 && from-start < most && symbolByte(s.Text[start-1]) {
		start--
	}
	for end < len(s.Text) && end-to < most && symbolByte(s.Text[end]) {
		end++
	}
	token := s.Text[start:end]
	return mangledName(token) || start == from && end == to && amongSymbols(s, from, to)
}

func symbolByte(c byte) bool { return value.WordByte(c) || c == '$' || c == '.' }

// mangledName reports whether most of a token is words preceded by their lengths, as C++ and Rust compilers write
// names: _ZN4llvm8ScopStmtE.
func mangledName(token string) bool {
	if strings.HasPrefix(token, "_Z") {
		return true
	}
	told, words := 0, ""
	for i := 0; i < len(token); i++ {
		if !value.Digit(token[i]) {
			continue
		}
		n, at := 0, i
		for at < len(token) && value.Digit(token[at]) && n < 100 {
			n, at = 10*n+int(token[at]-'0'), at+1
		}
		if n >= 4 && at+n <= len(token) && strings.Trim(token[at:at+n], value.Letters+"_") == "" {
			words += token[at : at+n]
			told, at = told+at+n-i, at+n
		}
		i = at - 1
	}
	const enough = 0.5 // share of the token
	return len(words) >= 10 && float64(told) >= enough*float64(len(token)) && value.CrossEntropy(words) < value.WordsSpoken
}

// codeWord reports whether a text can be a name in code.
func codeWord(v string) bool {
	return !value.Digit(v[0]) && strings.Trim(v, value.Letters+"0123456789_") == ""
}

// amongSymbols reports whether a value is alone on its line, like the values on the lines around it, and all of them
// are names in code of several words.
func amongSymbols(s *scan.Scanner, from, to int) bool {
	const around = 3 // lines on each side, all but one of which must be such names
	if from > 0 && s.Text[from-1] != '\n' || !assign.LineEnd(s, to) || !symbolLine(s.Text[from:to]) {
		return false
	}
	names, lines := 0, 0
	for at := from; at > 1 && lines < around; lines++ {
		above := value.LineStart(s.Text, at-1, 200)
		if symbolLine(strings.TrimRight(s.Text[above:at-1], "\r")) {
			names++
		}
		at = above
	}
	_, rest, more := strings.Cut(s.Text[to:], "\n")
	for n := 0; more && n < around; n++ {
		line := ""
		line, rest, more = strings.Cut(rest, "\n")
		if lines++; symbolLine(strings.TrimRight(line, "\r")) {
			names++
		}
	}
	return names >= around && names >= lines-2
}

// besideSymbol reports whether a value is alone on its line, and a name in code like the line above or below it.
func besideSymbol(s *scan.Scanner, from, to int) bool {
	if !symbolLine(s.Text[from:to]) || from == 0 || s.Text[from-1] != '\n' || !assign.LineEnd(s, to) {
		return false
	}
	below, _, _ := strings.Cut(strings.TrimLeft(s.Text[to:], "\r\n"), "\n")
	above := s.Text[value.LineStart(s.Text, from-1, 200) : from-1]
	return symbolLine(strings.TrimRight(above, "\r")) || symbolLine(strings.TrimRight(below, "\r"))
}

// symbolLine reports whether a line is one name in code: letters, with underscores or capitals inside.
func symbolLine(line string) bool {
	if len(line) < 6 || len(line) > 200 || !codeWord(line) {
		return false
	}
	return strings.IndexByte(strings.Trim(line, "_"), '_') > 0 ||
		strings.ToLower(line[1:]) != line[1:] && strings.ToUpper(line) != line
}
