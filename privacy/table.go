package privacy

import "strings"

const (
	maxTable = 8 << 10 // bytes of a table that are looked at for one name
	maxHeads = 4       // names of secrets in the head of one table
)

// table is the last one that was read.
type table struct{ head, end, names int }

// heads reports whether a name may head a column, and by what its cells are
// separated, or stands at the end of a line, and where that is.
func (s *scanner) heads(from, to int) (delimiter string, eol int) {
	if to-from > 40 || s.text[to-1] == '-' || from < s.grid.end && lineStart(s.text, from, 512) != s.grid.head {
		return "", -1
	}
	i := blanks(s.text, closers(s.text, to))
	if i < len(s.text) && s.text[i] == ':' {
		i = blanks(s.text, i+1)
	}
	if delimiter = s.delimiter(from, to, i); delimiter != "" {
		return delimiter, -1
	}
	if i < len(s.text) && s.lineEnd(i) {
		return "", i
	}
	return "", s.announced(to)
}

// announced returns the end of a line that ends with a colon, -1 if it does not:
// "Use the following password to go on:".
func (s *scanner) announced(from int) int {
	n := strings.IndexByte(s.text[from:min(len(s.text), from+120)], '\n')
	if n < 1 {
		return -1
	}
	line := strings.TrimRight(s.text[from:from+n], " \t\r")
	if line == "" || line[len(line)-1] != ':' && line[len(line)-1] != '?' {
		return -1
	}
	return from + len(line)
}

// delimiter returns what separates the cells where a name is one of them.
func (s *scanner) delimiter(from, to, next int) string {
	if to < len(s.text) && s.text[to] == '\t' || from > 0 && s.text[from-1] == '\t' && s.lineEnd(to) {
		return "\t"
	}
	if from > 0 && strings.IndexByte("(.&", s.text[from-1]) >= 0 {
		return "" // code
	}
	if d := cellEnd(s.text[next:]); d != "" {
		return d
	}
	i := from
	for i > 0 && strings.IndexByte(" \"'", s.text[i-1]) >= 0 {
		i--
	}
	if s.lineEnd(next) && i > 0 && strings.IndexByte(",;|", s.text[i-1]) >= 0 {
		return s.text[i-1 : i]
	}
	return ""
}

// boxLine separates the cells of a table that is drawn.
const boxLine = "│"

// cellEnd returns what separates cells, if a text begins with it.
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
func (s *scanner) column(from int, delimiter string, k strength) {
	start := lineStart(s.text, from, 512)
	if k == tokenKey && len(s.text) > from+4 && (strings.EqualFold(s.text[from:from+4], "pass") || strings.EqualFold(s.text[from:min(len(s.text), from+6)], "secret")) && s.hasAccount(from) {
		k = passwordKey
	}
	if s.grid.head != start {
		s.grid = table{head: start, end: s.grid.end}
	}
	if line, _, _ := strings.Cut(s.text[start:min(len(s.text), start+256)], "\n"); k == passwordKey && delimiter != "|" && delimiter != boxLine && strings.Count(line, delimiter) == 1 && strings.TrimSpace(s.text[start:from]) == "" {
		s.cell(start, line, delimiter, 1, k, false)
	}
	if s.grid.names++; s.grid.names > maxHeads {
		return
	}
	limit := min(len(s.text), start+maxTable)
	head, _, more := strings.Cut(s.text[start:limit], "\n")

	if !more || len(head) > 512 || delimiter != "|" && strings.ContainsAny(head, "(){}=<>") && delimiter != boxLine || alternatives(head) {
		return
	}
	if trimmed := strings.TrimRight(head, " \r"); strings.Count(head, delimiter) == 1 && strings.HasSuffix(trimmed, delimiter) {
		return // a list, one name to a line
	}
	between := delimiter
	if strings.HasPrefix(head, "||") {
		between = "||" // Jira
	}
	cells, nth := separators(head, between), separators(s.text[start:from], between)
	accounts := k == passwordKey && ofAccounts(head, between, nth)
	at := s.eachRow(start+len(head)+1, delimiter, cells, func(at int, row string) {
		s.cell(at, row, delimiter, nth, k, accounts)
	})
	s.grid.end = max(s.grid.end, at)
}

// eachRow calls judge with the rows of a table that have as many cells, and returns
// where they end.
func (s *scanner) eachRow(at int, delimiter string, cells int, judge func(at int, row string)) int {
	limit := min(len(s.text), at+maxTable)
	for missed := 0; at < limit && missed < 3; {
		row, _, _ := strings.Cut(s.text[at:limit], "\n")
		switch {
		case delimiter == "|" && strings.TrimSpace(row) == "":
			missed = maxRows // another table may follow
		case separators(row, delimiter) != cells:
			missed++
		default:
			missed = 0
			judge(at, row)
		}
		at += len(row) + 1
	}
	return min(at, limit)
}

// nthCell returns a cell of a row, and where it begins.
func nthCell(at int, row, delimiter string, nth int) (int, string) {
	for range nth {
		i := cellStop(row, delimiter) + len(delimiter)
		at, row = at+i, row[i:]
	}
	return at, row[:cellStop(row, delimiter)]
}

// separators counts those between the cells of a row: one in quotes is none.
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

// headRow reports whether a name stands in a line of nothing but names in quotes,
// as CSV begins: what follows the name is the next of them.
func (s *scanner) headRow(from int) bool {
	start := lineStart(s.text, from, 256)
	line, _, more := strings.Cut(s.text[start:min(len(s.text), start+512)], "\n")
	line = strings.TrimRight(line, "\r")
	if !more || len(line) < 2 || line[0] != '"' || line[len(line)-1] != '"' || strings.Trim(line, letters+"0123456789_ \",;-") != "" {
		return false
	}
	return strings.Count(line, "\",\"")+strings.Count(line, "\";\"") == strings.Count(line, "\"")/2-1
}

// ofAccounts reports whether another column of a table names an account, a
// machine or a network, so that a column for passwords holds theirs.
func ofAccounts(head, delimiter string, own int) bool {
	if delimiter == "," && strings.Contains(head, ", ") {
		return false // a sentence
	}
	for n := 0; head != "" && n < 32; n++ {
		i := cellStop(head, delimiter)
		name := head[:i]
		if head = head[min(len(head), i+len(delimiter)):]; n == own || len(name) > maxName {
			continue
		}
		var room [maxWords]string
		words := nameWords(strings.Trim(name, " \t\r\"'`*_#"), room[:0])
		if len(words) == 0 || len(words) > 3 {
			continue
		}
		for _, w := range []string{words[0], words[len(words)-1]} {
			if in(w, " user username name usr login account konto email mail e host hostname server ssid benutzer benutzername nutzer anmeldename kennung uid url uri site utilisateur identifiant usuario utente gebruiker bruker brugernavn anvandare kayttaja uzytkownik uzivatel compte cuenta ") {
				return true
			}
		}
	}
	return false
}

// alternatives reports whether a line is a literal of code, of a pattern as a rule.
func alternatives(line string) bool {
	line = strings.TrimRight(strings.TrimLeft(line, " \tr"), " ,)\r")
	if len(line) < 2 || line[0] != '\'' && line[0] != '"' || line[len(line)-1] != line[0] {
		return false
	}
	return strings.IndexByte(line[1:len(line)-1], line[0]) < 0
}

// cell judges one cell of a row.
func (s *scanner) cell(at int, row, delimiter string, nth int, k strength, accounts bool) {
	at, row = nthCell(at, row, delimiter, nth)
	if v := strings.Trim(row, " \t\r\"'`*"); k == passwordKey && (accounts && ofAccount(v, len(row) > len(v)+1 && row[0] == '"')) {
		at += strings.Index(row, v)
		s.add(at, at+len(v), rulePassword)
		return
	}
	s.lone(at, row, k)
}

// ofAccount reports whether what stands in the column for the passwords of
// accounts is one: a word, or words in quotes, that no program or label is made of.
func ofAccount(v string, quoted bool) bool {
	if len(v) < 5 || len(v) > 64 || dummy(v) || pathLike(v) || typeName(v) || integer(v) || capitals(v) && strings.IndexByte(v, '_') > 0 {
		return false
	}
	if quoted && strings.IndexByte(v, ',') > 0 {
		return true // for that it is in quotes
	}
	if in(lowerASCII(v), " rotated managed shared unchanged inherited present absent unset active inactive verified stored synced pending rotate revoked locked yearly weekly daily passed failed skipped ") {
		return false // what became of one
	}
	if strings.Trim(v, letters+".") != "" {
		return !strings.ContainsAny(v, "()[]{}<>/:") && pickedWords(v)
	}
	if i := strings.IndexByte(v, '.'); i > 2 && len(v)-i > 4 && strings.Count(v, ".") == 1 {
		return pickedWords(v[:i]+"-"+v[i+1:]) && !namesCode(v, false)
	}
	return pickedWords(v) || (len(v) == 5 || oneWord(lowerASCII(v))) && !namesCode(v, false)
}

// below judges the only word of the line under a name.
func (s *scanner) below(from, eol int, k strength) {
	if eol-lineStart(s.text, from, 200) > 140 {
		return
	}
	at := eol
	for at < len(s.text) && at < eol+4 && (s.text[at] == '\r' || s.text[at] == '\n') {
		at++
	}
	line := s.text[at:min(len(s.text), at+maxJudged)]
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
	n := speaker(line)
	if n > 1 && line[n-2] == ':' && (line[0] == ' ' || strings.HasPrefix(line[n:], "  ")) && strings.HasSuffix(strings.TrimRight(s.text[lineStart(s.text, from, 80):from], " "), ":") && s.text[from-1] == ' ' {
		return // the next member, where a name is a value
	}
	if digestNamed(line[:n]) || s.sorted(from, eol, at, line) {
		return
	}
	s.lone(at+n, line[n:], k)
	if eol > 0 && s.text[eol-1] == '?' && asksForSecret(s.text[lineStart(s.text, from, 160):eol]) {
		s.answeredBelow(at+n, line[n:])
	}

	if strings.HasPrefix(strings.TrimLeft(line, " "), "- ") {
		s.items(at+len(line), k)
	}
}

// digestNamed reports whether what stands before a value says that it is a digest.
func digestNamed(name string) bool {
	low := lowerASCII(name)
	return strings.Contains(low, "md5") || strings.Contains(low, "sha1") || strings.Contains(low, "sha256") || strings.Contains(low, "sha512")
}

// sorted reports whether a name and the line below stand in a list of words in
// their order, one to a line.
func (s *scanner) sorted(from, eol, at int, line string) bool {
	start := lineStart(s.text, from, 64)
	if start < 2 || at != eol+1 || strings.TrimSpace(s.text[start:from]) != "" {
		return false
	}
	above := strings.TrimSpace(s.text[lineStart(s.text, start-1, 64) : start-1])
	next, _, _ := strings.Cut(s.text[min(len(s.text), at+len(line)+1):min(len(s.text), at+len(line)+65)], "\n")
	words := []string{above, strings.TrimSpace(s.text[start:eol]), strings.TrimSpace(line), strings.TrimSpace(next)}
	for i, w := range words {
		if w == "" || strings.Contains(w, " ") || i > 0 && w <= words[i-1] {
			return false
		}
	}
	return true
}

// items judges the other lines of a list of which the first was.
func (s *scanner) items(at int, k strength) {
	for n := 0; n < maxAlike && at < len(s.text); n++ {
		line, _, _ := strings.Cut(s.text[at+1:min(len(s.text), at+1+maxJudged)], "\n")
		item := strings.TrimLeft(line, " ")
		if !strings.HasPrefix(item, "- ") {
			return
		}
		from := at + 1 + len(line) - len(item) + 2
		s.lone(from, item[2:], k)
		at += 1 + len(line)
	}
}

// speaker returns the length of what says whose a line is: "> ", "A: ",
// "[09:13] bob: ", "- ".
func speaker(line string) int {
	n := len(line) - len(strings.TrimLeft(line, " \t"))
	if i := strings.Index(line[n:], "] "); i > 0 && line[n] == '[' {
		n += i + 2
	}
	rest := line[n:]
	switch i := strings.Index(rest, ": "); {
	case strings.HasPrefix(rest, "> "), strings.HasPrefix(rest, "- "):
		n += 2
	case i > 0 && i < 24 && wordLike(rest[:i]):
		n += i + 2
	}
	return n
}

// lone redacts a word that stands alone, if it looks like a secret of its name.
func (s *scanner) lone(at int, text string, k strength) {
	const around = " \t\r\"'`*"
	v := strings.TrimLeft(text, around)
	at += len(text) - len(v)
	v = strings.TrimRight(v, around)
	if strings.ContainsAny(v, " \t") || typeName(v) || labelWord(v) || saysSealed(v) || strings.Contains(v, "://") {
		return
	}
	if i := strings.LastIndexByte(v, '-'); i > 0 && versionLike(v[i+1:]) {
		return // #%PAM-1.0
	}
	if chosen(v) || k == tokenKey && (len(v) >= 20 && random(v) || typedByHand(v) && !hostLike(v)) || k == passwordKey && (picked(v) || len(v) >= 16 && random(v) || len(v) >= 8 && unlikeWords(v)) {
		s.add(at, at+len(v), ruleOf(k))
	}
}

func ruleOf(k strength) string {
	if k == passwordKey {
		return rulePassword
	}
	return ruleSecret
}

// heading redacts the cells under the name of a column, where columns are
// aligned by blanks: NAME      PASSWORD.
func (s *scanner) heading(name *called) {
	from, to := name.from, name.to
	if from > 1 && s.text[from-1] != '\n' && (s.text[from-1] != ' ' || s.text[from-2] != ' ') || to < len(s.text) && s.text[to] != '\n' && !strings.HasPrefix(s.text[to:], "  ") && s.text[to] != '\r' || !s.lineEnd(to) && from > 0 && s.text[from-1] == '\n' && !strings.HasPrefix(s.text[to:], "  ") {
		return
	}
	start := lineStart(s.text, from, 200)
	if strings.TrimSpace(s.text[start:from]) == "" && s.lineEnd(to) {
		return // it is no row of names
	}
	if i := strings.Index(s.text[start:from], ":  "); i > 0 && strings.IndexByte(s.text[start:start+i], ' ') < 0 {
		return // it is a value
	}
	n := strings.IndexByte(s.text[to:min(len(s.text), to+200)], '\n')
	if n < 0 || s.marks > maxMarks {
		return
	}
	s.marks++
	column := from - start

	head := s.text[start : to+n]
	accounts := (name.strength == passwordKey || strings.EqualFold(s.text[from:to], "pass")) && !strings.ContainsAny(head, "=:\"'[") && ofAccounts(head, "  ", -1)
	for at, rows := to+n+1, 0; at < len(s.text) && rows < maxRows; rows++ {
		row, _, _ := strings.Cut(s.text[at:min(len(s.text), at+400)], "\n")
		if len(row) <= column || row[column] == ' ' || column > 0 && row[column-1] != ' ' {
			return
		}
		cell, rest, _ := strings.Cut(row[column:], " ")
		cell = strings.TrimRight(cell, "\r")
		if accounts && ofAccount(cell, false) && !describedSo(cell) && (rest == "" || rest[0] == ' ') {
			s.add(at+column, at+column+len(cell), rulePassword)
		}
		s.lone(at+column, cell, name.strength)
		at += len(row) + 1
	}
}

const maxRows = 40 // of a table aligned by blanks
