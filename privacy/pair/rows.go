package pair

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

const (
	maxRows = 40               // rows in brackets, elements or lines that are read for one name
	maxRow  = 2 << 10          // bytes of a row in brackets
	gap     = 48               // bytes between names and the first row, and between rows
	around  = ", \t\r\n:]{}\\" // what JSON has around a key
	maxKey  = 40               // bytes before the value of a member that are searched for its key
)

// rowsBehind judges the cells under a name that is one of the columns of a table in brackets or elements:
// ["user", "password"] with the rows behind it, (user, password) SELECT, <th>Password</th>.
func rowsBehind(s *scan.Scanner, n *scan.Called) {
	if manyRows(s) {
		return
	}
	if headElement(s.Text[n.To:min(len(s.Text), n.To+scan.MaxBlank)]) {
		elementRows(s, n)
		return
	}
	if open, nth := listStart(s.Text, n.From); open >= 0 {
		listRows(s, n, open, nth)
	}
}

// manyRows reports whether so many bytes of rows were read in a text that only repeated text explains it.
func manyRows(s *scan.Scanner) bool { return s.RowBytes > 4*len(s.Text)+maxTable }

// members judges the members of an object or list that has the name of passwords: "passwords": {"anna": "…"}.
func members(s *scan.Scanner, n *scan.Called) {
	i := assign.SkipBlanks(s.Text, assign.SkipClosers(s.Text, n.To))
	if n.Strength != value.PasswordKey || manyRows(s) || i >= len(s.Text) ||
		s.Text[i] != ':' && s.Text[i] != '=' {
		return
	}
	switch i = assign.SkipBlanks(s.Text, i+1); {
	case i >= len(s.Text):
	case strings.HasPrefix(s.Text[i:], "[-"): // the old value in a word diff
		old, _, _ := strings.Cut(s.Text[i+2:min(len(s.Text), i+maxHead)], "-]")
		s.RowBytes += len(old)
		judged(s, n, assign.Assignment{Sep: assign.Equals, Start: i + 2, End: i + 2 + len(old)})
	case s.Text[i] == '{' || s.Text[i] == '[':
		memberCells(s, n, i+1)
	case s.Text[i-1] == ':' && strings.TrimSpace(s.Text[i:assign.EndOfLine(s.Text, i)]) == "":
		next := min(len(s.Text), assign.EndOfLine(s.Text, i)+1)
		linesBelow(s, next, n.From-value.LineStart(s.Text, n.From, maxHead), n.Strength)
	}
}

// memberCells judges the literals of an object or list that starts at an offset, if it is no schema.
func memberCells(s *scan.Scanner, n *scan.Called, at int) {
	nested := value.InList(n.Words[len(n.Words)-1], " passwords passphrases pwds passwds ") // "password" may be a schema
	cells, end := rowCells(s.Text, at, nested)
	s.RowBytes += end - at
	if nested && ofSchema(s.Text, at, cells) {
		cells, _ = rowCells(s.Text, at, false)
	}
	if ofSchema(s.Text, at, cells) {
		return
	}
	for _, c := range cells {
		if v := s.Text[c.Start:c.End]; !value.UUIDLike(v) {
			tableCell(s, n, c.Start, v)
		}
	}
}

// ofSchema reports whether one of the members of an object that starts at an offset describes a value.
func ofSchema(text string, at int, cells []scan.Span) bool {
	for _, c := range cells {
		before := strings.TrimRight(text[max(at, c.Start-maxKey):max(at, c.Start-1)], " \t\"':=")
		key, _ := assign.NameAt(before, len(before))
		if c.Start > 0 && schemaKey(before[key:]) {
			return true
		}
	}
	return false
}

// schemaKey reports whether a key is of what describes a value, and is not the name of one.
func schemaKey(key string) bool {
	return value.InList(value.LowerASCII(strings.Trim(key, " $\"'")), " type example examples if id ref message "+
		"pattern format description title label placeholder errormessage default required ")
}

// linesBelow judges the values in the lines of YAML that are indented by more than a name.
func linesBelow(s *scan.Scanner, at, indent int, k value.Strength) {
	for range maxRows {
		line := s.Text[at:assign.EndOfLine(s.Text, at)]
		s.RowBytes += len(line) + 1
		if len(line)-len(strings.TrimLeft(line, " ")) <= indent {
			return
		}
		if name, v, ok := strings.Cut(line, ": "); ok {
			if schemaKey(strings.TrimLeft(name, " -")) {
				return
			}
			singleWord(s, at+len(name)+len(": "), strings.TrimRight(v, "\r"), k)
		}
		if at += len(line) + 1; at >= len(s.Text) {
			return
		}
	}
}

// listStart returns where the list of names starts that contains an offset, and how many names are before it; -1 if
// there is no such list.
func listStart(text string, at int) (open, nth int) {
	for least := max(0, at-maxHead); at > least; at-- {
		switch c := text[at-1]; {
		case c == '[' || c == '(':
			return at - 1, nth
		case c == ',':
			nth++
		case !columnByte(c):
			return -1, 0
		}
	}
	return -1, 0
}

// columnByte reports whether a byte can be in a list of names, besides a comma.
func columnByte(c byte) bool {
	return scan.TokenByte(c) || value.IsSpace(c) || strings.IndexByte("\"'`.\\", c) >= 0
}

// listRows judges the cells of the rows that belong to the list of names that starts at open.
func listRows(s *scan.Scanner, n *scan.Called, open, nth int) {
	names, at := rowCells(s.Text, open+1, false)
	s.RowBytes += at - open
	if len(names) < 2 || nth >= len(names) {
		return
	}
	sql := s.Text[open] == '('
	between := betweenRows(s.Text, at)
	if strings.Trim(between, around+"\"'") == "index" { // as pandas writes it, before the rows
		from := at
		_, at = rowCells(s.Text, at+len(between)+1, false)
		s.RowBytes += at - from
		between = betweenRows(s.Text, at)
	}
	judgeRow := func(cells []scan.Span) { tableCell(s, n, cells[nth].Start, s.Text[cells[nth].Start:cells[nth].End]) }
	if before := rowsBefore(s, max(0, open-maxTable), open); before >= 0 {
		eachListRow(s, before, maxRows, len(names), judgeRow)
	}
	if !sql && leadsToRows(between) {
		eachListRow(s, at, maxRows, len(names), judgeRow)
	} else if chosen := strings.TrimLeft(between, around); sql && strings.HasPrefix(chosen, "select ") {
		at += len(between) - len(chosen) + len("select")
		cells, end := rowCells(s.Text[:statementEnd(s.Text, at)], at, false)
		if s.RowBytes += end - at; len(cells) >= len(names) && startsCell(s.Text[at:max(at, cells[nth].Start-1)]) {
			listCell(s, n, cells[nth], true)
		}
	}
}

// startsCell reports whether nothing but blanks is before a literal in its cell.
func startsCell(before string) bool {
	before = strings.TrimSpace(before)
	return before == "" || before[len(before)-1] == ','
}

// betweenRows returns what is between an offset and the next row, in small letters.
func betweenRows(text string, at int) string {
	between := text[at:min(len(text), at+gap)]
	return value.LowerASCII(between[:strings.IndexAny(between+"(", "([")])
}

// eachListRow calls do with the cells of the rows in brackets that start at an offset, at most so many rows.
func eachListRow(s *scan.Scanner, at, most, names int, do func(cells []scan.Span)) {
	for range most {
		next := strings.IndexAny(s.Text[at:min(len(s.Text), at+gap)], "([)};")
		if manyRows(s) || next < 0 || s.Text[at+next] != '(' && s.Text[at+next] != '[' {
			return
		}
		for at += next; at < len(s.Text) && strings.IndexByte("([ \t\r\n", s.Text[at]) >= 0; at++ { // that of the list, too
		}
		cells, end := rowCells(s.Text, at, false)
		s.RowBytes += end - at
		if at = end; len(cells) != names {
			return
		}
		do(cells)
	}
}

// rowsBefore returns where the rows start that stand before the list of their names: [[…]], columns=[; -1 if there
// are none.
func rowsBefore(s *scan.Scanner, from, open int) int {
	head := strings.TrimRight(s.Text[from:open], " \t\"'\\:=")
	key, _ := assign.NameAt(head, len(head))
	rows, ok := strings.CutSuffix(strings.TrimRight(head[:key], " \t\r\n\"'\\"), ",")
	if !ok || !strings.HasSuffix(rows, "]") || !value.InList(value.LowerASCII(head[key:]), " columns cols names fields ") {
		return -1
	}
	s.RowBytes += len(rows)
	for at := len(rows); at > 0; {
		at = strings.LastIndexAny(rows[:at], "[(")
		if strings.HasSuffix(strings.TrimRight(rows[:max(at, 0)], " \t\r\n"), "[") {
			return from + at
		}
	}
	return -1
}

// leadsToRows reports whether rows follow a list of names, given what is between: the key of the rows and what JSON has
// around it.
func leadsToRows(between string) bool {
	between = strings.Trim(between, around)
	return between == "" || strings.ContainsAny(between, "\"'") &&
		value.InList(strings.Trim(between, "\"'\\"), " rows data values records ")
}

// listCell judges one cell; in an INSERT it can only be the value of its name.
func listCell(s *scan.Scanner, n *scan.Called, at scan.Span, sql bool) {
	v := s.Text[at.Start:at.End]
	if sql && n.Strength == value.PasswordKey && len(v) >= 4 && len(v) <= scan.MaxValue && LiteralSecret(v) {
		scan.Add(s, at.Start, at.End, scan.RulePassword)
		return
	}
	tableCell(s, n, at.Start, v)
}

// tableCell judges a cell that is found without the lines of a table.
func tableCell(s *scan.Scanner, n *scan.Called, at int, text string) {
	v := strings.TrimSpace(text)
	at += strings.Index(text, v)
	singleWord(s, at, v, n.Strength)
	if n.Strength == value.PasswordKey && strings.IndexByte(v, ' ') < 0 {
		judged(s, n, assign.Assignment{Sep: assign.Column, Start: at, End: at + len(v)})
	}
}

// judged redacts a value of a name that the judge considers a secret.
func judged(s *scan.Scanner, n *scan.Called, a assign.Assignment) {
	if judge.SecretValue(s, n.Strength, s.Text[n.From:n.To], a) {
		scan.Add(s, a.Start, a.End, assign.RuleOf(n.Strength))
	}
}

// NthArgument returns the literal that is the nth argument of a call, or the nth in a list in brackets.
func NthArgument(text string, at, nth int) []scan.Span {
	if text[at-1] != '(' {
		if at = assign.SkipBlanks(text, at); at >= len(text) || text[at] != '(' && text[at] != '[' {
			return nil
		}
		at++
	}
	cells, _ := rowCells(text[:min(len(text), at+maxCall)], at, false)
	if nth > len(cells) || cells[nth-1].End == 0 {
		return nil
	}
	return cells[nth-1 : nth]
}

const maxCall = 400 // bytes of the arguments of a call

// rowCells returns the last literal of each cell of a row up to its bracket, and the end of the row; a cell without
// quotes is empty. The literals of nested objects and lists may be cells, too.
func rowCells(text string, at int, nested bool) (cells []scan.Span, end int) {
	cell, depth := scan.Span{}, 0
	for limit := min(len(text), at+maxRow); at < limit; at++ {
		switch c := text[at]; {
		case c == '\'' || c == '"':
			to := sqlQuote(text, at+1, limit, c)
			if depth == 0 || nested {
				cell = scan.Span{Start: at + 1, End: to}
			}
			at = to
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			if depth--; depth < 0 {
				return append(cells, cell), at + 1
			}
		case c == ',' && (depth == 0 || nested):
			cells, cell = append(cells, cell), scan.Span{}
		}
	}
	return append(cells, cell), min(at, len(text))
}

// sqlQuote returns the end of a literal in which a doubled quote stands for one.
func sqlQuote(text string, at, limit int, quote byte) int {
	to := assign.ClosingQuote(text, at, quote, 0, scan.MaxValue)
	for to+1 < limit && text[to+1] == quote && text[to] == quote {
		to = assign.ClosingQuote(text, to+2, quote, 0, scan.MaxValue)
	}
	return to
}

// headElement reports whether a name ends the head of a column in HTML: <th>, or the last <td> of a row.
func headElement(rest string) bool {
	rest = value.LowerASCII(rest)
	row, ok := strings.CutPrefix(rest, "</td>")
	return strings.HasPrefix(rest, "</th") || ok && strings.HasPrefix(strings.TrimSpace(row), "</tr")
}

// elementRows judges the cells below the name of a column in HTML.
func elementRows(s *scan.Scanner, n *scan.Called) {
	before := value.LowerASCII(s.Text[max(0, n.From-maxHead):n.From])
	row := strings.LastIndex(before, "<tr")
	if row < 0 {
		return
	}
	table := s.Text[n.To:min(len(s.Text), n.To+maxTable)]
	for _, end := range []string{"</table", "</TABLE"} {
		table, _, _ = strings.Cut(table, end)
	}
	s.RowBytes += len(before) + len(table)
	nth, at := len(cellTags(before[row:])), n.To
	table = value.LowerASCII(table)
	for i, row := range strings.SplitN(table, "<tr", maxRows) {
		if tags := cellTags(row); i > 0 && nth > 0 && len(tags) >= nth {
			elementCell(s, n, at+tags[nth-1], row[tags[nth-1]:])
		}
		at += len(row) + len("<tr")
	}
}

// elementCell judges the text of the cell that a row goes on with, unless it is a link.
func elementCell(s *scan.Scanner, n *scan.Called, at int, row string) {
	cell, _, _ := strings.Cut(row, "</")
	if strings.Contains(cell, "<a ") {
		return
	}
	start := at + strings.LastIndexByte(cell, '>') + 1
	tableCell(s, n, start, s.Text[start:at+len(cell)])
}

// cellTags returns where the <td> and <th> of a row start.
func cellTags(row string) (out []int) {
	for at := 0; ; {
		i := strings.Index(row[at:], "<t")
		if i < 0 {
			return out
		}
		at += i + len("<t")
		if at+1 < len(row) && strings.IndexByte("dh", row[at]) >= 0 && strings.IndexByte("> \t\r\n", row[at+1]) >= 0 {
			out = append(out, at-len("<t"))
		}
	}
}

// statementEnd returns the end of the statement at an offset: its semicolon outside of quotes.
func statementEnd(text string, at int) int {
	for limit := min(len(text), at+maxRow); at < limit; at++ {
		switch c := text[at]; c {
		case '\'', '"':
			at = sqlQuote(text, at+1, limit, c)
		case ';':
			return at
		}
	}
	return min(at, len(text))
}
