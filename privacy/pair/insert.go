package pair

import (
	"slices"
	"strings"
	"sync"

	"keepmum/privacy/assign"
	"keepmum/privacy/public"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Inserted judges what the rows behind VALUES, which ends at an offset, have in columns with the name of a secret:
// (login, password) VALUES ('ann', '…'), ('bob', '…').
func Inserted(s *scan.Scanner, end int) {
	at := nextRow(s.Text, end)
	if at >= len(s.Text) || s.Text[at] != '(' || manyRows(s) {
		return
	}
	columns, names := secretColumns(s, end-len("values"))
	if names == 0 {
		columns, names = definedColumns(s, end-len("values"))
	}
	// In a program, the first row may hold only placeholders, (?, ?), and the brackets behind it the values.
	eachListRow(s, at, len(s.Text), names, func(cells []scan.Span) {
		for _, c := range columns {
			if cells[c.nth].Start > 0 {
				listCell(s, c.Called, cells[c.nth], c.literal)
			}
		}
	})
}

// Copied judges the lines below FROM stdin, which ends at an offset, as Inserted does the rows behind VALUES.
func Copied(s *scan.Scanner, end int) {
	columns, names := secretColumns(s, end-len("from stdin"))
	for at := assign.EndOfLine(s.Text, end) + 1; columns != nil && at < len(s.Text) && !manyRows(s); {
		row := s.Text[at:assign.EndOfLine(s.Text, at)]
		s.RowBytes += len(row) + 1
		if separators(row, "\t") != names-1 {
			return
		}
		for _, c := range columns {
			from, v := nthCell(at, row, "\t", c.nth)
			listCell(s, c.Called, scan.Span{Start: from, End: from + len(strings.TrimRight(v, "\r"))}, c.literal)
		}
		at += len(row) + 1
	}
}

// secretColumns returns those columns of the list that ends at an offset that have the name of a secret, and how many
// names are in the list.
func secretColumns(s *scan.Scanner, at int) (columns []insertColumn, count int) {
	from := max(0, at-maxRow)
	before := strings.TrimRight(s.Text[from:at], " \t\r\n\\")
	open := strings.LastIndexByte(before, '(')
	if open < 0 || !strings.HasSuffix(before, ")") {
		return nil, 0
	}
	into := value.LowerASCII(before[:open])
	if !strings.Contains(before[open:], ",") && !strings.Contains(into, "into ") && !strings.Contains(into, "copy ") {
		return nil, 0 // a word in brackets
	}
	names := strings.Split(before[open+1:len(before)-1], ",")
	for i, start := 0, from+open+1; i < len(names); i++ {
		if n := columnName(s, start, names[i]); n != nil {
			columns = append(columns, nthColumn(s, n, i))
		}
		start += len(names[i]) + 1
	}
	return columns, len(names)
}

// insertColumn is a column of an INSERT with the name of a secret.
type insertColumn struct {
	*scan.Called
	nth     int
	literal bool // any literal in it is a secret
}

// nthColumn returns the column with this name and number.
func nthColumn(s *scan.Scanner, n *scan.Called, nth int) insertColumn {
	return insertColumn{n, nth, !slices.Contains(otherWords(), value.LowerASCII(s.Text[n.From:n.To]))}
}

// otherWords are words for a password that can be another thing, too, as "clave" is a key: the judge has to confirm
// what is in such a column.
var otherWords = sync.OnceValue(OtherLanguageWords)

// columnName returns the name of a column of an INSERT, nil if its values are no secrets.
func columnName(s *scan.Scanner, at int, name string) *scan.Called {
	const quotes = " \t\r\n\"'`[]\\"
	name = unescaped.Replace(name)
	at += len(name) - len(strings.TrimLeft(name, quotes))
	if name = strings.Trim(name, quotes); name == "" {
		return nil
	}
	n := *called(s, at, at+len(name))                     // a copy: the scanner keeps one name only
	n.Strength = max(n.Strength, value.KeyStrength(name)) // that of a word in another alphabet
	if n.Strength < value.TokenKey || public.Name(n.Words) {
		return nil
	}
	n.Words = nil // of the name that the scanner keeps
	return &n
}

// unescaped has blanks for those that are escaped in a string.
var unescaped = strings.NewReplacer(`\n`, "  ", `\r`, "  ", `\t`, "  ")

// nextRow skips the blanks before the first row, also those that are escaped in a string.
func nextRow(text string, at int) int {
	rest := unescaped.Replace(text[at:min(len(text), at+gap)])
	return at + len(rest) - len(strings.TrimLeft(rest, " \t\r\n\\"))
}
