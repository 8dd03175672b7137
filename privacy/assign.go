package privacy

import "strings"

// assignment is a value found behind a name.
type assignment struct {
	sep          sep
	quoted       bool
	line         bool // a line of settings, not of code
	told         bool // words such as "is" lead to it
	loose        bool // blanks around an equals sign: code, not an environment file
	setter       bool // the name is that of a function that sets a password
	outerCapital bool // the name is written as in an environment
	fallback     bool // it stands behind a name that is looked up, for when there is none
	arrow        bool // an arrow leads to it
	option       bool // it follows a flag of a command, and another flag or nothing follows it
	env          bool // the name is one of an environment, and a line of its own
	literal      bool // it is taken as it is written
	outer        byte // what stands before the name
	depth        int  // backslashes before that
	reach        int  // how far a value is followed
	start, end   int
	more         []span // further literals joined to the first
}

// sep is what stands between a name and its value.
type sep uint8

const (
	noSep   sep = iota
	equals      // = and its kin
	colon       // :
	comma       // the next argument
	call        // name("value")
	column      // a table cell
	element     // <name>value</name>
	sibling     // name="NAME" value="VALUE"
	blank       // nothing but blanks or filler words
	compare     // == "value"
)

const (
	maxName  = 96   // bytes of a name that are looked at
	maxBlank = 24   // blanks around a separator
	maxValue = 4096 // bytes of a value
)

// nameAt returns the bounds of the name around an offset.
func nameAt(text string, at int) (from, to int) {
	from, to = at, at
	for from > 0 && at-from < maxName && (tokenByte(text[from-1]) || text[from-1] == '.') {
		from--
	}
	for to < len(text) && to-at < maxName && tokenByte(text[to]) {
		to++
	}
	if from >= 1 && text[from-1] == '\\' && from < at && strings.IndexByte("nrt", text[from]) >= 0 {
		from++ // the n of \n is no part of the name
	}
	for from < at && (text[from] == '-' || text[from] == '.') {
		from++
	}
	return from, to
}

// assigned finds the value that belongs to the name at [from, to); it is
// followed so far.
func assigned(text string, from, to, reach int) (assignment, bool) {
	if at, ok := tagEnd(text, from, to); ok {
		return inElement(text, at, reach)
	}
	if strings.HasPrefix(text[to:], "[]") {
		to += 2
	}
	if from > 1 && text[from-2:from] == "${" && (strings.HasPrefix(text[to:], ":?") || strings.HasPrefix(text[to:], ":+")) {
		return assignment{}, false // what the shell says or puts in, when there is none
	}
	i := closers(text, sized(text, to))
	closed := i > to && text[to] != '('
	if a, ok := afterTag(text, i, closed, reach); ok {
		return a, true
	}
	if n := serialized(text, i); closed && n > 0 {
		return assignment{sep: equals, reach: reach}.value(text, n)
	}
	if closed && (strings.HasPrefix(text[i:], ") { \"") || strings.HasPrefix(text[i:], ") { '")) {
		return assignment{sep: comma, reach: reach}.value(text, i+len(") { ")) // a block that says what else
	}
	i = leaders(text, aside(text, i, closed))
	j := overLines(text, i, closed || from >= 2 && text[from-2:from] == "? ")
	a := assignment{loose: j > i, reach: reach}
	if !closed {
		a.within(text, from)
	}
	var n int
	a.sep, n = separator(text, j, closed || from > 0 && text[from-1] == '{')
	a.arrow = a.sep == equals && a.loose && strings.HasSuffix(text[:j+n], ">") || a.sep == equals && text[j] == 0xe2
	switch a.sep {
	case noSep:
		if at, ok := valueAttribute(text, i, closed || from > 0 && text[from-1] == '<'); ok {
			a.sep = sibling
			return a.value(text, at)
		}
		if j == i {
			return a.apposed(text, i)
		}
		return a.unseparated(text, j)
	case comma:
		if at, ok := valueAttribute(text, i, closed); ok {
			a.sep = sibling
			return a.value(text, at)
		}
	case colon:
		if at, ok := typed(text, blanks(text, j+n)); ok {
			a.sep = equals
			return a.value(text, at)
		}
	}
	return a.value(text, j+n)
}

// within notes what stands before a name, and how often it is escaped.
func (a *assignment) within(text string, from int) {
	if from == 0 {
		return
	}
	a.outer = text[from-1]
	for i := from - 2; i >= 0 && text[i] == '\\'; i-- {
		a.depth++
	}
}

// unseparated reads the value behind a type, behind words such as "is" and
// "for the server is", or behind nothing but blanks.
func (a assignment) unseparated(text string, j int) (assignment, bool) {
	if at, ok := typed(text, j); ok {
		a.sep = equals
		return a.value(text, at)
	}
	a.sep = blank
	k := fillers(text, j)
	if next, ok := forWhom(text, j); ok {
		k = next
	}
	a.told = k > j
	return a.value(text, k)
}

// apposed reads "the key, it is VALUE".
func (a assignment) apposed(text string, i int) (assignment, bool) {
	if i >= len(text) || text[i] != ',' && text[i] != '.' && text[i] != '?' {
		return a, false
	}
	j := blanks(text, i+1)
	k := fillers(text, j)
	if j == i+1 || k == j {
		return a, false
	}
	a.sep, a.told = blank, text[i] == '?'
	return a.value(text, k)
}

// closers skips what may close a name: quotes, however escaped, and brackets.
func closers(text string, i int) int {
	for n := 0; i < len(text) && n < 8; n++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\'' || text[i+1] == '\\' || text[i+1] == '`'):
			i++
		case c == '"', c == '\'', c == '`', c == ']', c == '*':
			i++
		case c == '&':
			w := quoteEntity(text[i:])
			if w == 0 {
				return i
			}
			i += w
		default:
			return i
		}
	}
	return i
}

// quoteEntity returns the length of an HTML entity that stands for a quote.
func quoteEntity(s string) int {
	for _, e := range []string{"&quot;", "&#34;", "&#39;", "&apos;", "&#x22;", "&#x27;"} {
		if strings.HasPrefix(s, e) {
			return len(e)
		}
	}
	return 0
}

func blanks(text string, i int) int {
	for end := min(len(text), i+maxBlank); i < end && (text[i] == ' ' || text[i] == '\t'); {
		i++
	}
	return i
}

// separator reads what stands between a name and its value, and its length.
func separator(text string, i int, closed bool) (sep, int) {
	if i >= len(text) {
		return noSep, 0
	}
	rest := text[i:]
	switch rest[0] {
	case '=':
		return equalSign(rest)
	case ':':
		return colons(rest)
	case '|':
		if strings.HasPrefix(rest, "||=") {
			return equals, 3
		}
		if strings.HasPrefix(rest, "||") {
			return comma, 2
		}
		return column, 1
	case ',':
		if closed {
			return comma, 1
		}
	case '(':
		return call, 1
	case '{':
		if len(rest) > 1 && (rest[1] == '"' || rest[1] == '\'') {
			return call, 1
		}
	case '<':
		if strings.HasPrefix(rest, "<- ") {
			return equals, 2
		}
	}
	if strings.IndexByte("?+.-!\xe2<", rest[0]) < 0 {
		return noSep, 0
	}
	for _, op := range []string{"??=", "??", "?=", "+=", ".=", "->", "→", "!==", "!="} {
		if strings.HasPrefix(rest, op) {
			if op[0] == '!' {
				return compare, len(op)
			}
			return equals, len(op)
		}
	}
	return noSep, 0
}

func colons(rest string) (sep, int) {
	n := 1
	for n < len(rest) && n < 4 && rest[n] == ':' {
		n++
	}
	switch {
	case n < len(rest) && rest[n] == '=':
		return equals, n + 1
	case n == 2 && len(rest) > 2 && rest[2] == ' ':
		return colon, 2 // LDIF, AsciiDoc
	case n > 1, strings.HasPrefix(rest, "://"):
		return noSep, 0
	}
	return colon, 1
}

func equalSign(rest string) (sep, int) {
	switch {
	case strings.HasPrefix(rest, "==="):
		return compare, 3
	case strings.HasPrefix(rest, "=="):
		return compare, 2
	case strings.HasPrefix(rest, "=>"):
		return equals, 2
	}
	return equals, 1
}

// typed skips what stands between a name and the value that a declaration gives to it.
func typed(text string, i int) (int, bool) {
	if at, ok := typeBefore(text, i); ok {
		return at, true
	}
	return declared(text, i)
}

// typeBefore skips a type between a name and its equals sign, as in
// "var token string =" and "token: str =".
func typeBefore(text string, i int) (int, bool) {
	if strings.HasPrefix(text[i:], "As ") {
		i += len("As ")
	}
	from := i
	for end := min(len(text), i+32); i < end && (wordByte(text[i]) || strings.IndexByte("[]*?.|()", text[i]) >= 0); {
		i++
	}
	if i == from || text[i-1] == '(' {
		return 0, false
	}
	j := blanks(text, i)
	if j < len(text)-1 && j > i && text[j] == ':' && text[j+1] == '=' {
		return j + 2, true
	}
	if j < len(text) && j > i && text[j] == '=' && (j+1 == len(text) || text[j+1] != '=') {
		return j + 1, true
	}
	return 0, false
}

// valueAttribute finds the value in name="NAME" value="VALUE", in YAML, JSON
// or XML dress.
func valueAttribute(text string, i int, closed bool) (int, bool) {
	end := min(len(text), i+48)
	for ; i < end; i++ {
		c := text[i]
		if c == 'v' || c == 'V' || c == 'p' || c == 'P' {
			break
		}
		if (c == '+' || c == '~') && i+1 < end && text[i+1] == ' ' && closed {
			continue // of a diff or a plan
		}
		if c != ' ' && c != '\n' && c != '\r' && c != '\t' && c != '"' && c != '\'' && c != ',' && c != '\\' && c != '/' && c != '>' && c != '<' && c != '&' && c != ';' && c != '#' {
			if !strings.HasPrefix(text[i:], "quot;") {
				return 0, false
			}
			i += 4
		}
		if c == '\n' {
			closed = true
		}
	}
	if i+9 < len(text) && strings.EqualFold(text[i:i+9], "parameter") {
		i += 9
	}
	if !closed || i+5 >= len(text) || !strings.EqualFold(text[i:i+5], "value") {
		return 0, false
	}
	j := blanks(text, closers(text, i+5))
	if j < len(text) && (text[j] == '=' || text[j] == ':' || text[j] == '>') {
		return j + 1, true
	}
	return 0, false
}

// fillers skips the words between a name and its value in a sentence.
func fillers(text string, i int) int {
	for range 6 {
		end := i
		for end < len(text) && end-i < 14 && text[end] != ' ' && text[end] != '\n' {
			end++
		}
		if end >= len(text) || text[end] != ' ' || !fills(strings.ToLower(strings.Trim(text[i:end], ",:*\""))) {
			return i
		}
		i = blanks(text, end)
	}
	return i
}

// fills reports whether a word may stand between a name and its value in a sentence.
func fills(word string) bool {
	switch word {
	case "is", "it", "its", "was", "are", "to", "be", "set", "the", "my", "this", "value", "of", "for", "here",
		"equals", "as", "now", "it's", "would:", "still", "successfully", "created...", "created:", "has", "been",
		"reset", "changed", "updated", "you", "requested", "requested:", "-", "–", "ist", "lautet", "est", "es", "era",
		"ay", "0", "5", "7", "8", "9", "starts", "begins", "ends", "with":
		return true
	}
	return false
}

// afterTag reads <property name="password">value, and what besideElement does.
func afterTag(text string, i int, closed bool, reach int) (assignment, bool) {
	if strings.HasPrefix(text[i:], ":</") {
		i++
	}
	switch {
	case i+1 >= len(text):
		return assignment{}, false
	case closed && text[i] == '>' && (text[i-1] == '"' || text[i-1] == '\''):
		return inElement(text, i+1, reach)
	case text[i] == '<' && text[i+1] == '/':
		return besideElement(text, i, reach)
	}
	return assignment{}, false
}

// besideElement reads <th>name</th><td>value</td>: the next element is the value's.
func besideElement(text string, i, reach int) (assignment, bool) {
	for range 4 {
		n := strings.IndexByte(text[i:min(len(text), i+48)], '>')
		if n < 0 {
			return assignment{}, false
		}
		i += n + 1
		for end := min(len(text), i+maxBlank); i < end && isSpace(text[i]); {
			i++
		}
		if i+1 >= len(text) || text[i] == '<' && text[i+1] == '/' {
			return assignment{}, false
		}
		if text[i] != '<' {
			break
		}
	}
	stop := strings.IndexAny(text[i:min(len(text), i+reach)], "<\n\r")
	if stop < 0 {
		return assignment{}, false
	}
	a := assignment{sep: column, start: i, end: i + stop}
	if strings.HasSuffix(text[:i], "<string>") {
		a.sep = element // of a property list
	}

	return a, a.start < a.end
}

// overLines skips the blanks before a separator; the colon behind a name in
// quotes, or behind "? name" in YAML, may stand in the next line.
func overLines(text string, i int, closed bool) int {
	j := blanks(text, i)
	if !closed || j >= len(text) || text[j] != '\n' && text[j] != '\r' {
		return j
	}
	k := j
	for end := min(len(text), j+maxBlank); k < end && isSpace(text[k]); {
		k++
	}
	if k+1 < len(text) && text[k] == ':' && isSpace(text[k+1]) {
		return k
	}
	return j
}

func inElement(text string, i, reach int) (assignment, bool) {
	for end := min(len(text), i+64); i < end && isSpace(text[i]); {
		i++
	}
	if at := i + len("<value>"); at < len(text) && strings.EqualFold(text[i:at], "<value>") {
		i = at
	}
	a := assignment{sep: element, start: i}
	stop := strings.IndexAny(text[i:min(len(text), i+reach)], "<\n\r")
	if stop < 0 {
		stop = min(len(text), i+reach) - i
	}
	a.end = i + stop
	if strings.HasPrefix(text[i:], "<![CDATA[") {
		a.start = i + 9
		if stop = strings.Index(text[a.start:min(len(text), a.start+reach)], "]]>"); stop < 0 {
			return a, false
		}
		a.end = a.start + stop
	}

	shut := strings.Index(text[a.end:min(len(text), a.end+200)], "</")
	return a, a.start < a.end && (shut >= 0 || a.end+200 > len(text) && !strings.HasPrefix(text[a.start:], "@"))
}

// valueAfter returns where the value of a vendor's setting begins; the vendor's
// name ends at i, and at most three more words may follow it.
func valueAfter(text string, i int) (int, bool) {
	limit := i + 48
	for range 4 {
		for i < len(text) && i < limit && (tokenByte(text[i]) || text[i] == '.') {
			i++
		}
		from, _ := nameAt(text, i)
		if a, ok := assigned(text, from, i, 1); ok && a.sep != blank {
			return a.start, true
		}
		j := blanks(text, i)
		if j == i || j >= limit {
			return 0, false
		}
		i = j
	}
	return 0, false
}

// leaders skips a row of dots between a name and its separator.
func leaders(text string, i int) int {
	n := i
	for n < len(text) && n-i < maxBlank && text[n] == '.' {
		n++
	}
	if n-i > 2 && n < len(text) && (text[n] == ':' || text[n] == ' ') {
		return n
	}
	return i
}

// aside skips what stands in brackets between a name and its separator:
// "password (staging): VALUE", and the bracket of getenv("PASSWORD") || "…".
func aside(text string, i int, closed bool) int {
	if closed && (strings.HasPrefix(text[i:], ") ||") || strings.HasPrefix(text[i:], ") ??")) {
		return i + 1
	}
	if i+2 >= len(text) || text[i] != ' ' || text[i+1] != '(' {
		return i
	}
	if n := strings.IndexAny(text[i:min(len(text), i+40)], ")\n"); n > 0 && text[i+n] == ')' && i+n+1 < len(text) && (text[i+n+1] == ':' || text[i+n+1] == '=') {
		return i + n + 1
	}
	return i
}

// tagEnd returns where the content of <ns:name attribute="…"> begins; from and
// to are the bounds of the name.
func tagEnd(text string, from, to int) (int, bool) {
	open := from
	if open > 1 && text[open-1] == ':' {
		for open--; open > 0 && from-open < 24 && wordByte(text[open-1]); {
			open--
		}
	}
	if open < 1 || text[open-1] != '<' || open > 1 && text[open-2] == '?' || to >= len(text) || text[to] != ' ' && text[to] != '>' {
		return 0, false
	}
	n := strings.IndexAny(text[to:min(len(text), to+80)], ">\n")
	if n < 0 || text[to+n] != '>' || n > 0 && (text[to+n-1] == '/' || strings.Contains(text[to:to+n], " value=")) {
		return 0, false
	}
	return to + n + 1, true
}

// serialized returns where the value begins behind a name that PHP serialized:
// s:8:"password";s:11:"VALUE".
func serialized(text string, i int) int {
	if !strings.HasPrefix(text[i:], ";s:") {
		return 0
	}
	n := strings.IndexByte(text[i:min(len(text), i+12)], '"')
	if n < 0 {
		return 0
	}
	return i + n
}
