package pair

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// maxDefinition is how far above its rows the definition of a table is searched, and how long it may be, in bytes.
const maxDefinition = 16 << 10

// definedColumns returns what [secretColumns] does for rows without a list of columns, from the definition of their
// table above: CREATE TABLE users (…); INSERT INTO users VALUES (…).
func definedColumns(s *scan.Scanner, at int) (columns []insertColumn, count int) {
	words := strings.Fields(s.Text[max(0, at-maxKey*2):at])
	if len(words) < 2 || !strings.EqualFold(words[len(words)-2], "into") {
		return nil, 0
	}
	name := strings.Trim(words[len(words)-1], sqlQuotes)
	name = strings.Trim(name[strings.LastIndexByte(name, '.')+1:], sqlQuotes)
	if name != s.Created.Name || name == "" {
		s.Created = scan.Definition{Name: name, At: definition(s, at, name)}
	}
	if s.Created.At == 0 {
		return nil, 0
	}
	start := s.Created.At
	inBrackets(s.Text[start:min(len(s.Text), start+maxDefinition)], func(from, to int) {
		s.RowBytes += to - from
		column := pastComments(s.Text[start+from : start+to])
		from = to - len(column)
		if n := strings.IndexAny(column, " \t\r\n"); n > 0 {
			column = column[:n]
		}
		if value.InList(value.LowerASCII(column), constraints) {
			return
		}
		if n := columnName(s, start+from, column); n != nil {
			columns = append(columns, nthColumn(s, n, count))
		}
		count++
	})
	return columns, count
}

const (
	sqlQuotes = "\"`'[]"
	sqlBlanks = " \t\r\n"
)

// pastComments returns what is behind the blanks and comments at the start of a text.
func pastComments(text string) string {
	for {
		text = strings.TrimLeft(text, sqlBlanks)
		n := comment(text)
		if n == 0 {
			return text
		}
		text = text[n:]
	}
}

// comment returns the length of the comment that a text starts with, 0 if there is none.
func comment(text string) int {
	end := ""
	switch {
	case strings.HasPrefix(text, "--"):
		end = "\n"
	case strings.HasPrefix(text, "/*"):
		end = "*/"
	default:
		return 0
	}
	before, _, _ := strings.Cut(text, end)
	return min(len(text), len(before)+len(end))
}

// constraints begin what is not a column in the definition of a table.
const constraints = " primary key unique constraint index foreign check fulltext spatial exclude period like "

// definition returns the offset of what is in the brackets of the nearest CREATE TABLE of a name above an offset, 0 if
// there is none.
func definition(s *scan.Scanner, at int, name string) int {
	const longest = 64 // create temporary table if not exists schema.
	from := max(0, at-maxDefinition)
	s.RowBytes += at - from
	for to := at; name != ""; {
		n := strings.LastIndex(s.Text[from:to], name)
		if n < 0 {
			return 0
		}
		to = from + n
		rest := strings.TrimLeft(s.Text[to+len(name):at], sqlQuotes+sqlBlanks)
		if strings.HasPrefix(rest, "(") && defines(value.LowerASCII(s.Text[max(from, to-longest):to])) {
			return at - len(rest) + 1
		}
	}
	return 0
}

// defines reports whether what is directly before the name of a table says that its definition follows:
// create temporary table if not exists schema.
func defines(before string) bool {
	before = strings.TrimRight(before, sqlQuotes)
	if schema, ok := strings.CutSuffix(before, "."); ok {
		before = strings.TrimRight(schema, sqlQuotes)
		for before != "" && value.WordByte(before[len(before)-1]) {
			before = before[:len(before)-1]
		}
		before = strings.TrimRight(before, sqlQuotes)
	}
	words := strings.TrimRight(before, sqlBlanks)
	if words == before {
		return false // a part of a longer name
	}
	words = strings.TrimRight(strings.TrimSuffix(words, "if not exists"), sqlBlanks)
	return value.EndsWithAny(words, "create table", "temporary table", "temp table", "unlogged table")
}

// inBrackets calls back with the bounds of the parts between commas, up to the bracket that closes them.
func inBrackets(text string, part func(from, to int)) {
	from, depth := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '-' || c == '/':
			i += max(0, comment(text[i:])-1)
		case c == '\'':
			i += max(0, strings.IndexByte(text[i+1:], '\'')+1)
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case (c == ',' || c == ')') && depth == 0:
			if part(from, i); c == ')' {
				return
			}
			from = i + 1
		}
	}
}
