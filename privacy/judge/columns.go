package judge

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/value"
)

// A row of a table has cells between bars, tabs, semicolons or commas, or below each other after several blanks. A cue
// in the header of a column is about each cell below it.

const leastSigns = 2 // between the cells of a row

// cellsOf returns the sign between the cells of a row and how often it is there: ' ' for several blanks, 0 if it is no
// row.
func cellsOf(row string) (sign byte, n int) {
	if n = strings.Count(row, "|"); n >= leastSigns {
		return '|', n
	}
	if n = strings.Count(row, "\t"); n >= leastSigns {
		return '\t', n
	}
	if n = strings.Count(row, ";"); n >= leastSigns && !strings.Contains(row, "; ") {
		return ';', n
	}
	if n = strings.Count(row, ","); n >= leastSigns && !strings.Contains(row, ", ") {
		return ',', n
	}
	gap := strings.Index(row, "  ")
	if gap < 0 {
		return 0, 0
	}
	n = 0
	for i := max(gap, 1); i+2 < len(row); i++ {
		if row[i-1] != ' ' && row[i] == ' ' && row[i+1] == ' ' {
			n++
		}
	}
	if n >= leastSigns {
		return ' ', n
	}
	return 0, 0
}

// rowBelow reports whether a line is a row below another one, in the same table.
func rowBelow(above, row string) bool {
	sign, n := cellsOf(above)
	if sign == 0 {
		return false
	}
	of, cells := cellsOf(row)
	return sign == of && (cells == n || sign == '|' || sign == ' ')
}

// tableOf returns where the header of the table of a row starts, -1 = there is none, and the sign between its cells.
func (b *scorer) tableOf(start, end int) (header int, sign byte) {
	sign, _ = cellsOf(b.Text[start:end])
	if sign == 0 {
		return -1, 0
	}
	from := b.from
	if sign != '|' {
		from = max(from, start-reachHead)
	}
	header = start
	for header > from {
		above := value.LineStart(b.Text, header-1, assign.MaxLine)
		if above < from || above >= header-1 || !b.sameTable(sign, b.Text[above:header-1], b.Text[start:end]) {
			break
		}
		header = above
	}
	if header == start {
		return -1, 0
	}
	return header, sign
}

func (b *scorer) sameTable(sign byte, above, row string) bool {
	if sign == '|' {
		return strings.IndexByte(above, '|') >= 0
	}
	return rowBelow(above, row)
}

// column returns what the cues in the header of a candidate's column are about.
func (b *scorer) column(c *candidate) string {
	l := &b.line
	if l.table < 0 {
		return ""
	}
	from, end := l.table, assign.EndOfLine(b.Text, l.table)
	if l.cells == ' ' {
		from, end = alignedCell(b.Text, from, end, c.start-l.start)
	} else {
		from, end = assign.NthCell(b.Text, from, end, l.cells, strings.Count(b.Text[l.start:c.start], string(l.cells)))
	}
	if from < 0 {
		return ""
	}
	return "of " + b.cuesIn(from, end)
}

// alignedCell returns the bounds of the cell of a row that starts at an offset of its line, or last before it.
func alignedCell(text string, from, end, at int) (int, int) {
	row := text[from:end]
	start := max(min(at, len(row)-1), 0)
	for start > 0 && (row[start] == ' ' || strings.Trim(row[max(0, start-2):start], " ") != "") {
		start--
	}
	if n := strings.Index(row[start:], "  "); n > 0 {
		end = from + start + n
	}
	return from + start, end
}
