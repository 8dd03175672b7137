package pair

import (
	"strings"

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
	from := max(0, end-len("values")-maxHead)
	before := strings.TrimRight(s.Text[from:end-len("values")], " \t\r\n")
	open := strings.LastIndexByte(before, '(')
	if open < 0 || !strings.HasSuffix(before, ")") {
		return
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

// columnName returns the name of a column of an INSERT, nil if its values are no secrets.
func columnName(s *scan.Scanner, at int, name string) *scan.Called {
	const quotes = " \t\r\n\"'`[]\\"
	at += len(name) - len(strings.TrimLeft(name, quotes))
	if name = strings.Trim(name, quotes); name == "" {
		return nil
	}
	n := called(s, at, at+len(name))
	n.Strength = max(n.Strength, value.KeyStrength(name)) // that of a word in another alphabet
	if n.Strength < value.TokenKey || public.Name(n.Words) {
		return nil
	}
	return &scan.Called{From: n.From, To: n.To, Strength: n.Strength} // the scanner keeps one name only
}

// insertedRows judges the cells of the rows in brackets that start at an offset.
func insertedRows(s *scan.Scanner, at int, columns []*scan.Called) {
	for at < len(s.Text) && s.Text[at] == '(' && !manyRows(s) {
		cells, end := rowCells(s.Text, at+1)
		s.RowBytes += end - at
		if len(cells) != len(columns) {
			return
		}
		for i, n := range columns {
			if n != nil && cells[i].Start > 0 {
				listCell(s, n, cells[i], true)
			}
		}
		if at = nextRow(s.Text, end); at >= len(s.Text) || s.Text[at] != ',' {
			return
		}
		at = nextRow(s.Text, at+1)
	}
}

// nextRow skips the blanks between rows, also those that are escaped in a string.
func nextRow(text string, at int) int {
	rest := text[at:min(len(text), at+gap)]
	for _, escaped := range []string{`\n`, `\r`, `\t`} {
		rest = strings.ReplaceAll(rest, escaped, "  ")
	}
	return at + len(rest) - len(strings.TrimLeft(rest, " \t\r\n\\"))
}
