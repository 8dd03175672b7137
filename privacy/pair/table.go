package pair

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

const (
	maxTable = 8 << 10 // bytes of a table that are read for one name
	maxHead  = 512     // bytes of the header row
	maxHeads = 4       // names of secrets in the header of one table
)

// heads returns the separator of the cells of a column that a name may head, "" if it heads none.
func heads(s *scan.Scanner, from, to int) string {
	if to-from > 40 || s.Text[to-1] == '-' || from < s.Grid.End && value.LineStart(s.Text, from, 512) != s.Grid.Head {
		return ""
	}
	i := assign.SkipBlanks(s.Text, assign.SkipClosers(s.Text, to))
	if i < len(s.Text) && s.Text[i] == ':' {
		i = assign.SkipBlanks(s.Text, i+1)
	}
	return cellDelimiter(s, from, to, i)
}

// behindTab reports whether a cell is before an offset, and not only the mark of a comment.
func behindTab(s *scan.Scanner, from int) bool {
	if from == 0 || s.Text[from-1] != '\t' {
		return false
	}
	line := s.Text[value.LineStart(s.Text, from, 200):from]
	return strings.TrimLeft(line, " \t") == "" || strings.Trim(line, "/#*;- \t") != ""
}

// cellDelimiter returns what separates the cells if a name is one of them.
func cellDelimiter(s *scan.Scanner, from, to, next int) string {
	if to < len(s.Text) && s.Text[to] == '\t' || assign.LineEnd(s, to) && behindTab(s, from) {
		return "\t"
	}
	if from > 0 && strings.IndexByte("(.&", s.Text[from-1]) >= 0 {
		return "" // code
	}
	if d := cellEnd(s.Text[next:]); d != "" {
		return d
	}
	_, i := value.Trimmed(s.Text, 0, from, "", " \"'")
	if assign.LineEnd(s, next) && i > 0 && strings.IndexByte(",;|", s.Text[i-1]) >= 0 {
		return s.Text[i-1 : i]
	}
	return ""
}

// boxLine separates the cells of a drawn table.
const boxLine = "│"

// cellEnd returns the cell separator at the start of a text, if there is one.
func cellEnd(text string) string {
	switch {
	case text == "":
	case strings.IndexByte(",;|", text[0]) >= 0:
		return text[:1]
	case text[0] == boxLine[0] && strings.HasPrefix(text, boxLine):
		return boxLine
	}
	return ""
}

// column redacts the cells under a name, row by row.
func column(s *scan.Scanner, from int, delimiter string, k value.Strength) {
	start := value.LineStart(s.Text, from, maxHead)
	if s.Grid.Head != start {
		s.Grid = scan.Table{Head: start, End: s.Grid.End}
	}
	drawn := delimiter == "|" || delimiter == boxLine
	if k == value.PasswordKey && !drawn && strings.TrimSpace(s.Text[start:from]) == "" {
		cellBeside(s, start, delimiter, k)
	}
	if s.Grid.Names++; s.Grid.Names > maxHeads {
		return
	}
	head, _, more := strings.Cut(s.Text[start:min(len(s.Text), start+maxTable)], "\n")
	if !more || len(head) > maxHead || !drawn && strings.ContainsAny(head, "(){}=<>") || ofList(head, delimiter) {
		return
	}
	between := delimiter
	if strings.HasPrefix(head, "||") {
		between = "||" // Jira
	}
	cells, nth := separators(head, between), separators(s.Text[start:from], between)
	at := eachRow(s, start+len(head)+1, delimiter, cells, func(at int, row string) {
		cell(s, at, row, delimiter, nth, k)
	})
	s.Grid.End = max(s.Grid.End, at)
}

// ofList reports whether a line is from a list in a program, or from one with a name to a line.
func ofList(line, delimiter string) bool {
	if alternatives(line) {
		return true
	}
	few := delimiter == "," || strings.Count(line, delimiter) == 1
	return few && strings.HasSuffix(strings.TrimRight(line, " \r"), delimiter)
}

// cellBeside judges the second of two cells, if a line has no more.
func cellBeside(s *scan.Scanner, start int, delimiter string, k value.Strength) {
	line, _, _ := strings.Cut(s.Text[start:min(len(s.Text), start+256)], "\n")
	if strings.Count(line, delimiter) == 1 {
		cell(s, start, line, delimiter, 1, k)
	}
}

// CellsBelow returns the cells of a table below a name that heads one of its columns.
func CellsBelow(s *scan.Scanner, from, to int) (out []scan.Span) {
	delimiter := cellDelimiter(s, from, to, assign.SkipBlanks(s.Text, assign.SkipClosers(s.Text, to)))
	if delimiter == "" || s.Marks > assign.MaxMarks {
		return nil
	}
	s.Marks++
	start := value.LineStart(s.Text, from, maxHead)
	head, _, more := strings.Cut(s.Text[start:min(len(s.Text), start+maxTable)], "\n")
	cells, nth := separators(head, delimiter), separators(s.Text[start:from], delimiter)
	if !more || len(head) > maxHead || cells == 0 {
		return nil
	}
	eachRow(s, start+len(head)+1, delimiter, cells, func(at int, row string) {
		at, row = nthCell(at, row, delimiter, nth)
		out = append(out, scan.Span{Start: at, End: at + len(row)})
	})
	return out
}

// eachRow calls do with the rows of a table that have the given number of cells, and returns where they end.
func eachRow(s *scan.Scanner, at int, delimiter string, cells int, do func(at int, row string)) int {
	limit := min(len(s.Text), at+maxTable)
	const most = 3 // lines in a row that are no rows of it
	for missed := 0; at < limit && missed < most; {
		row, _, _ := strings.Cut(s.Text[at:limit], "\n")
		switch {
		case delimiter == "|" && strings.TrimSpace(row) == "":
			missed = most // another table may follow
		case separators(row, delimiter) != cells:
			missed++
		default:
			missed = 0
			do(at, row)
		}
		at += len(row) + 1
	}
	return min(at, limit)
}

// nthCell returns a cell of a row, and where it starts.
func nthCell(at int, row, delimiter string, nth int) (int, string) {
	for range nth {
		i := cellStop(row, delimiter) + len(delimiter)
		at, row = at+i, row[i:]
	}
	return at, row[:cellStop(row, delimiter)]
}

// separators counts the separators of a row, except those in quotes.
func separators(row, delimiter string) int {
	n := 0
	for i := cellStop(row, delimiter); i < len(row); i = cellStop(row, delimiter) {
		n, row = n+1, row[i+len(delimiter):]
	}
	return n
}

// cellStop returns where the first cell of a row ends.
func cellStop(row, delimiter string) int {
	from := 0
	if row != "" && row[0] == '"' && strings.IndexByte(",;\t", delimiter[0]) >= 0 {
		for from = 1; from < len(row); from++ {
			if row[from] == '"' {
				if from++; from == len(row) || row[from] != '"' {
					break // a quote in a literal is doubled
				}
			}
		}
		if from = min(from, len(row)); from < len(row) && !strings.HasPrefix(row[from:], delimiter) && row[from] != '\r' {
			from = 0
		}
	}
	if i := strings.Index(row[from:], delimiter); i >= 0 {
		return from + i
	}
	return len(row)
}
