package pair

import (
	"slices"
	"strings"
	"sync"

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
	from := max(0, end-len("values")-maxRow)
	before := strings.TrimRight(s.Text[from:end-len("values")], " \t\r\n\\")
	open := strings.LastIndexByte(before, '(')
	if open < 0 || !strings.HasSuffix(before, ")") {
		return
	}
	if !strings.Contains(before[open:], ",") && !strings.Contains(value.LowerASCII(before[:open]), "into ") {
		return // a word in brackets
	}
	head, columns, nth, some := before[open+1:len(before)-1], []*scan.Called(nil), from+open+1, false
	for name := range strings.SplitSeq(head, ",") {
		n := columnName(s, nth, name)
		columns, nth, some = append(columns, n), nth+len(name)+1, some || n != nil
	}
	if some {
		insertedRows(s, at, columns)
	}
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

// insertedRows judges the cells of the rows in brackets that start at an offset, and of those that a program gives for
// the marks in them.
func insertedRows(s *scan.Scanner, at int, columns []*scan.Called) {
	for !manyRows(s) {
		next := strings.IndexAny(s.Text[at:min(len(s.Text), at+gap)], "([)};")
		if next < 0 || s.Text[at+next] != '(' && s.Text[at+next] != '[' {
			return
		}
		for at += next; at < len(s.Text) && strings.IndexByte("([ \t\r\n", s.Text[at]) >= 0; at++ { // that of a list, too
		}
		cells, end := rowCells(s.Text, at)
		s.RowBytes += end - at
		if len(cells) != len(columns) {
			return
		}
		for i, n := range columns {
			if n != nil && cells[i].Start > 0 {
				listCell(s, n, cells[i], !slices.Contains(otherWords(), value.LowerASCII(s.Text[n.From:n.To])))
			}
		}
		at = end
	}
}

// unescaped has blanks for those that are escaped in a string.
var unescaped = strings.NewReplacer(`\n`, "  ", `\r`, "  ", `\t`, "  ")

// nextRow skips the blanks before the first row, also those that are escaped in a string.
func nextRow(text string, at int) int {
	rest := unescaped.Replace(text[at:min(len(text), at+gap)])
	return at + len(rest) - len(strings.TrimLeft(rest, " \t\r\n\\"))
}
