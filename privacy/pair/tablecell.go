package pair

import (
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// alternatives reports whether a line is a literal in code, usually of a pattern.
func alternatives(line string) bool {
	line = strings.TrimRight(strings.TrimLeft(line, " \tr"), " ,)\r")
	if len(line) < 2 || line[0] != '\'' && line[0] != '"' || line[len(line)-1] != line[0] {
		return false
	}
	return strings.IndexByte(line[1:len(line)-1], line[0]) < 0
}

// cell judges one cell of a row.
func cell(s *scan.Scanner, at int, row, delimiter string, nth int, k value.Strength) {
	at, row = nthCell(at, row, delimiter, nth)
	singleWord(s, at, row, k)
}

// below judges the only word on the line below a name.
func below(s *scan.Scanner, from, eol int, k value.Strength) {
	if eol-value.LineStart(s.Text, from, 200) > 140 {
		return
	}
	at, line := lineBelow(s, eol)
	n := skipSpeaker(line)
	if digestNamed(line[:n]) || nextMember(s, from, line, n) || judge.InSortedList(s, from, eol) {
		return
	}
	singleWord(s, at+n, line[n:], k)
}

// lineBelow returns the line below an offset, without the headers of a part of a form and the start of a code block.
func lineBelow(s *scan.Scanner, eol int) (at int, line string) {
	at = eol
	for at < len(s.Text) && at < eol+4 && (s.Text[at] == '\r' || s.Text[at] == '\n') {
		at++
	}
	line = s.Text[at:min(len(s.Text), at+judge.MaxJudged)]
	for n := 0; n < 2 && strings.HasPrefix(line, "Content-"); n++ {
		next := strings.IndexByte(line, '\n') + 1
		at, line = at+next, strings.TrimPrefix(line[next:], "\r")
		if strings.HasPrefix(line, "\n") {
			at, line = at+1, line[1:]
		}
	}
	if strings.HasPrefix(line, "```") {
		n := strings.IndexByte(line, '\n') + 1
		at, line = at+n, line[n:]
	}
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	return at, line
}

// nextMember reports whether a line is the next member of what a name is a value in; its key ends at n.
func nextMember(s *scan.Scanner, from int, line string, n int) bool {
	if n < 2 || line[n-2] != ':' || line[0] != ' ' && !strings.HasPrefix(line[n:], "  ") {
		return false
	}
	before := s.Text[value.LineStart(s.Text, from, 80):from]
	return strings.HasSuffix(before, " ") && strings.HasSuffix(strings.TrimRight(before, " "), ":")
}

// digestNamed reports whether what is before a value calls it a digest.
func digestNamed(name string) bool {
	low := value.LowerASCII(name)
	return strings.Contains(low, "md5")
}

// skipSpeaker returns the length of what names the author of a line: "> ", "A: ", "[09:13] bob: ", "- ".
func skipSpeaker(line string) int {
	n := len(line) - len(strings.TrimLeft(line, " \t"))
	if i := strings.Index(line[n:], "] "); i > 0 && line[n] == '[' {
		n += i + 2
	}
	rest := line[n:]
	switch i := strings.Index(rest, ": "); {
	case strings.HasPrefix(rest, "> "), strings.HasPrefix(rest, "- "):
		n += 2
	case i > 0 && i < 24 && judge.WordLike(rest[:i]):
		n += i + 2
	}
	return n
}

// singleWord redacts a single word, if it looks like a secret of its name.
func singleWord(s *scan.Scanner, at int, text string, k value.Strength) {
	const around = " \t\r\"'`*"
	v := strings.TrimLeft(text, around)
	at += len(text) - len(v)
	v = strings.TrimRight(v, around)
	if strings.ContainsAny(v, " \t") || judge.TypeName(v) || value.LabelWord(v) || strings.Contains(v, "://") {
		return
	}
	if symbol := strings.HasPrefix(v, ":") && value.Identifier(v[1:]); symbol || versioned(v) {
		return
	}
	if secretWord(v, k) {
		scan.Add(s, at, at+len(v), judge.RuleOf(k))
	}
}

// versioned reports whether a word is a name with a version: #%PAM-1.0, 4.17.12-Debian.
func versioned(v string) bool {
	i := strings.LastIndexByte(v, '-')
	return i > 0 && (value.VersionLike(v[i+1:]) || value.VersionLike(v[:i]))
}

// secretWord reports whether a word looks like a secret of a name of this strength.
func secretWord(v string, k value.Strength) bool {
	switch {
	case value.SymbolPassword(v):
		return true
	case k == value.TokenKey:
		return len(v) >= 20 && value.Random(v) || value.LettersAndDigits(v) && !judge.HostLike(v)
	case k == value.PasswordKey:
		return value.AlnumPassword(v) || value.Random(v) || value.RandomLetters(v)
	}
	return false
}

// alignedColumn redacts the cells under the name of a column, where columns are
// aligned by blanks: NAME      PASSWORD.
func alignedColumn(s *scan.Scanner, name *scan.Called) {
	from, to := name.From, name.To
	if !setApart(s.Text, from, to) {
		return
	}
	start := value.LineStart(s.Text, from, 200)
	if strings.TrimSpace(s.Text[start:from]) == "" && judge.LineEnd(s, to) {
		return // it is not a row of names
	}
	if cellAbove(s.Text, start, from-start) {
		return // it is in a row of the table
	}
	if i := strings.Index(s.Text[start:from], ":  "); i > 0 && strings.IndexByte(s.Text[start:start+i], ' ') < 0 {
		return // it is a value
	}
	n := strings.IndexByte(s.Text[to:min(len(s.Text), to+200)], '\n')
	if n < 0 || s.Marks > judge.MaxMarks {
		return
	}
	s.Marks++
	column := from - start

	for at, rows := to+n+1, 0; at < len(s.Text) && rows < judge.MaxRows; rows++ {
		row, _, _ := strings.Cut(s.Text[at:min(len(s.Text), at+400)], "\n")
		if len(row) <= column || row[column] == ' ' || column > 0 && row[column-1] != ' ' {
			return
		}
		cell, _, _ := strings.Cut(row[column:], " ")
		cell = strings.TrimRight(cell, "\r")
		singleWord(s, at+column, cell, name.Strength)
		at += len(row) + 1
	}
}

// cellAbove reports whether a cell starts in the line above, at the same column as a name, not a line that is
// drawn.
func cellAbove(text string, start, column int) bool {
	if start == 0 {
		return false
	}
	above := text[value.LineStart(text, start-1, 400) : start-1]
	if len(above) <= column || column > 0 && above[column-1] != ' ' {
		return false
	}
	return strings.IndexByte(" -=+", above[column]) < 0
}

// setApart reports whether two blanks, or an end of the line, are on both sides of a name.
func setApart(text string, from, to int) bool {
	left := from < 2 || text[from-1] == '\n' || text[from-2:from] == "  "
	right := to == len(text) || strings.HasPrefix(text[to:], "  ") || strings.IndexByte("\r\n", text[to]) >= 0
	return left && right
}
