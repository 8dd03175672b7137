package pair

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Assigned finds the value that belongs to the name at [from, to); reach is how far the value is followed.
func Assigned(text string, from, to, reach int) (assign.Assignment, bool) {
	if at, ok := tagEnd(text, from, to); ok {
		return inElement(text, at, reach)
	}
	if strings.HasPrefix(text[to:], "[]") {
		to += 2
	}
	if strings.HasSuffix(text[:from], "${") && to+1 < len(text) && text[to] == ':' {
		return fallback(text, to+1, reach)
	}
	i := skipVisibility(text, assign.SkipClosers(text, skipTypeLength(text, to)))
	closed := i > to && text[to] != '('
	if a, ok := afterTag(text, i, closed, reach); ok {
		return a, true
	}
	return separated(text, from, skipDots(text, skipBracketed(text, i, closed)), reach, closed)
}

// skipVisibility skips what PHP prints behind the name of a member: ["password":protected].
func skipVisibility(text string, i int) int {
	if i >= len(text) || text[i] != ':' {
		return i
	}
	inner, _, closed := strings.Cut(text[i:min(len(text), i+scan.MaxName)], "]")
	if closed && value.EndsWithAny(inner, ":protected", ":private") {
		return i + len(inner) + len("]")
	}
	return i
}

// separated reads the value after the separator at i; the name starts at from, and closed means that a quote or
// bracket ends it.
func separated(text string, from, i, reach int, closed bool) (assign.Assignment, bool) {
	j := overLines(text, i, closed || strings.HasSuffix(text[:from], "? "))
	a := assign.Assignment{Spaced: j > i, MaxLength: reach}
	if !closed {
		a.SetContext(text, from)
	}
	var n int
	a.Sep, n = separator(text, j, closed || strings.HasSuffix(text[:from], "{"))
	if a.Sep == assign.NoSep || a.Sep == assign.Comma {
		inTag := a.Sep == assign.NoSep && strings.HasSuffix(text[:from], "<")
		if at, ok := valueAttribute(text, i, closed || inTag); ok {
			a.Sep = assign.Sibling
			return a.Value(text, at)
		}
	}
	switch a.Sep {
	case assign.NoSep:
		if j == i {
			return a, false
		}
		return a.WithoutSeparator(text, j)
	case assign.Colon:
		if at, ok := assign.SkipType(text, assign.SkipBlanks(text, j+n)); ok {
			a.Sep = assign.Equals
			return a.Value(text, at)
		}
	}
	return a.Value(text, j+n)
}

// fallback reads what a shell uses for a variable that is not set: ${NAME:-VALUE}. After other signs it has another
// meaning.
func fallback(text string, at, reach int) (assign.Assignment, bool) {
	sign := text[at]
	end := strings.IndexAny(text[at:min(len(text), at+reach)], "}\n")
	if sign != '-' && sign != '=' || end < 0 || text[at+end] != '}' {
		return assign.Assignment{}, false
	}
	a := assign.Assignment{Sep: assign.Equals, MaxLength: reach, Start: at + 1, End: at + end}
	return a, a.Start < a.End
}

// signs are the separators that need no look at what surrounds them, the longer ones first.
var signs = []struct {
	text   string
	sep    assign.Sep
	length int
}{
	{"||=", assign.Equals, 3}, {"||", assign.Comma, 2}, {"|", assign.Column, 1},
	{"(", assign.Call, 1}, {`{"`, assign.Call, 1}, {"{'", assign.Call, 1},
	{"<- ", assign.Equals, 2}, {"->", assign.Equals, 2}, {"→", assign.Equals, len("→")},
	{"??=", assign.Equals, 3}, {"??", assign.Equals, 2}, {"?=", assign.Equals, 2},
	{"+=", assign.Equals, 2}, {".=", assign.Equals, 2},
	{"!==", assign.Compare, 3}, {"!=", assign.Compare, 2},
}

// separator reads what is between a name and its value, and returns its length.
func separator(text string, i int, closed bool) (assign.Sep, int) {
	if i >= len(text) {
		return assign.NoSep, 0
	}
	switch rest := text[i:]; rest[0] {
	case '=':
		return equalSign(rest)
	case ':':
		return colons(rest)
	case ',':
		if closed {
			return assign.Comma, 1
		}
	case '|', '(', '{', '<', '-', 0xe2, '?', '+', '.', '!':
		for _, s := range signs {
			if strings.HasPrefix(rest, s.text) {
				return s.sep, s.length
			}
		}
	}
	return assign.NoSep, 0
}

func colons(rest string) (assign.Sep, int) {
	n := 1
	for n < len(rest) && n < 4 && rest[n] == ':' {
		n++
	}
	switch {
	case n < len(rest) && rest[n] == '=':
		return assign.Equals, n + 1
	case n == 2 && len(rest) > 2 && rest[2] == ' ':
		return assign.Colon, 2 // LDIF, AsciiDoc
	case n > 1, strings.HasPrefix(rest, "://"):
		return assign.NoSep, 0
	}
	return assign.Colon, 1
}

func equalSign(rest string) (assign.Sep, int) {
	switch {
	case strings.HasPrefix(rest, "==="):
		return assign.Compare, 3
	case strings.HasPrefix(rest, "=="):
		return assign.Compare, 2
	case strings.HasPrefix(rest, "=>"):
		return assign.Equals, 2
	}
	return assign.Equals, 1
}

// valueAttribute finds the value in name="NAME" value="VALUE", in YAML, JSON or XML notation.
func valueAttribute(text string, i int, closed bool) (int, bool) {
between:
	for end := min(len(text), i+48); i < end; i++ {
		switch text[i] {
		case '\n':
			closed = true
		case ' ', '\r', '\t', '"', '\'', ',', '\\', '/', '>', '<', '&', ';', '#':
		case '+', '~': // of a diff or a plan
			if !closed || !strings.HasPrefix(text[i+1:end], " ") {
				return 0, false
			}
		case 'q':
			if !strings.HasPrefix(text[i:], "quot;") {
				return 0, false
			}
			i += len("quot")
		default:
			break between
		}
	}
	if wordAt(text, i, "parameter") {
		i += len("parameter")
	}
	if !closed || !wordAt(text, i, "value") {
		return 0, false
	}
	j := assign.SkipBlanks(text, assign.SkipClosers(text, i+len("value")))
	if j < len(text) && strings.IndexByte("=:>", text[j]) >= 0 {
		return j + 1, true
	}
	return 0, false
}

// wordAt reports whether a word, in letters of any case, is at an offset and something follows it.
func wordAt(text string, at int, word string) bool {
	return at+len(word) < len(text) && strings.EqualFold(text[at:at+len(word)], word)
}

// afterTag reads <property name="password">value, and what besideElement reads.
func afterTag(text string, i int, closed bool, reach int) (assign.Assignment, bool) {
	if strings.HasPrefix(text[i:], ":</") {
		i++
	}
	switch {
	case i+1 >= len(text):
		return assign.Assignment{}, false
	case closed && text[i] == '>' && (text[i-1] == '"' || text[i-1] == '\''):
		return inElement(text, i+1, reach)
	case text[i] == '<' && text[i+1] == '/':
		return besideElement(text, i, reach)
	}
	return assign.Assignment{}, false
}

// besideElement reads <th>name</th><td>value</td>: the value is in the next element.
func besideElement(text string, i, reach int) (assign.Assignment, bool) {
	for range 4 {
		n := strings.IndexByte(text[i:min(len(text), i+48)], '>')
		if n < 0 {
			return assign.Assignment{}, false
		}
		i += n + 1
		for end := min(len(text), i+scan.MaxBlank); i < end && value.IsSpace(text[i]); {
			i++
		}
		if i+1 >= len(text) || text[i] == '<' && text[i+1] == '/' {
			return assign.Assignment{}, false
		}
		if text[i] != '<' {
			break
		}
	}
	stop := strings.IndexAny(text[i:min(len(text), i+reach)], "<\n\r")
	if stop < 0 {
		return assign.Assignment{}, false
	}
	a := assign.Assignment{Sep: assign.Column, Start: i, End: i + stop}
	if strings.HasSuffix(text[:i], "<string>") {
		a.Sep = assign.Element // of a property list
	}

	return a, a.Start < a.End
}

// overLines skips the blanks before a separator; the colon after a name in quotes, or after "? name" in YAML, may be on
// the next line.
func overLines(text string, i int, closed bool) int {
	j := assign.SkipBlanks(text, i)
	if !closed || j >= len(text) || text[j] != '\n' && text[j] != '\r' {
		return j
	}
	k := j
	for end := min(len(text), j+scan.MaxBlank); k < end && value.IsSpace(text[k]); {
		k++
	}
	if k+1 < len(text) && text[k] == ':' && value.IsSpace(text[k+1]) {
		return k
	}
	return j
}

func inElement(text string, i, reach int) (assign.Assignment, bool) {
	for end := min(len(text), i+64); i < end && value.IsSpace(text[i]); {
		i++
	}
	if wordAt(text, i, "<value>") {
		i += len("<value>")
	}
	a := assign.Assignment{Sep: assign.Element, Start: i}
	stop := strings.IndexAny(text[i:min(len(text), i+reach)], "<\n\r")
	if stop < 0 {
		stop = min(len(text), i+reach) - i
	}
	a.End = i + stop
	if strings.HasPrefix(text[i:], "<![CDATA[") {
		a.Start = i + 9
		if stop = strings.Index(text[a.Start:min(len(text), a.Start+reach)], "]]>"); stop < 0 {
			return a, false
		}
		a.End = a.Start + stop
	}

	shut := strings.Index(text[a.End:min(len(text), a.End+200)], "</")
	return a, a.Start < a.End && (shut >= 0 || a.End+200 > len(text) && !strings.HasPrefix(text[a.Start:], "@"))
}

// ValueAfter returns where the value of a vendor's setting starts; the vendor's name ends at i, and at most three more
// words may follow it.
func ValueAfter(text string, i int) (int, bool) {
	limit := i + 48
	for range 4 {
		for i < len(text) && i < limit && (scan.TokenByte(text[i]) || text[i] == '.') {
			i++
		}
		from, _ := assign.NameAt(text, i)
		if a, ok := Assigned(text, from, i, 1); ok && a.Sep != assign.Blank {
			return a.Start, true
		}
		j := assign.SkipBlanks(text, i)
		if j == i || j >= limit {
			return 0, false
		}
		i = j
	}
	return 0, false
}

// skipDots skips a row of dots between a name and its separator.
func skipDots(text string, i int) int {
	n := i
	for n < len(text) && n-i < scan.MaxBlank && text[n] == '.' {
		n++
	}
	if n-i > 2 && n < len(text) && (text[n] == ':' || text[n] == ' ') {
		return n
	}
	return i
}

// skipBracketed skips what is in brackets between a name and its separator: "password (staging): VALUE", and the
// bracket of getenv("PASSWORD") || "…".
func skipBracketed(text string, i int, closed bool) int {
	if closed && (strings.HasPrefix(text[i:], ") ||") || strings.HasPrefix(text[i:], ") ??")) {
		return i + 1
	}
	if i+2 >= len(text) || text[i] != ' ' || text[i+1] != '(' {
		return i
	}
	if n := strings.IndexAny(text[i:min(len(text), i+40)], ")\n"); n > 0 && text[i+n] == ')' && i+n+1 < len(text) &&
		(text[i+n+1] == ':' || text[i+n+1] == '=') {
		return i + n + 1
	}
	return i
}

// tagEnd returns where the contents of <ns:name attribute="…"> start; from and to are the bounds of the name.
func tagEnd(text string, from, to int) (int, bool) {
	open := from
	if open > 1 && text[open-1] == ':' {
		for open--; open > 0 && from-open < 24 && value.WordByte(text[open-1]); {
			open--
		}
	}
	before, opened := strings.CutSuffix(text[:open], "<")
	if !opened || strings.HasSuffix(before, "?") || to >= len(text) || strings.IndexByte(" >", text[to]) < 0 {
		return 0, false
	}
	n := strings.IndexAny(text[to:min(len(text), to+80)], ">\n")
	if n < 0 || text[to+n] != '>' || n > 0 && (text[to+n-1] == '/') {
		return 0, false
	}
	return to + n + 1, true
}

// skipTypeLength skips the length of a type after a name: gc_password(12) TYPE c.
func skipTypeLength(text string, i int) int {
	if i >= len(text) || text[i] != '(' {
		return i
	}
	n := strings.IndexByte(text[i:min(len(text), i+6)], ')')
	if n < 2 || !value.Integer(text[i+1:i+n]) {
		return i
	}
	return i + n + 1
}
