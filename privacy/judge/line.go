package judge

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// line is what is known about the line that a candidate is in.
type line struct {
	start, end int
	joined     bool   // it starts in the line that announces its only word
	kind       string // what it is: prose, code, a row, a setting, a path, a log
	begins     string // the mark at its start
	cues       string // what its cues are about
	over       string // what the cues of the heading above are about
	table      int    // where the header of its table starts, -1 = there is none
	cells      byte   // the sign between the cells of that
	words      int
	odd        int // tokens that are not words: with digits, signs or capitals inside
}

// find finds the line around a candidate, unless it was the last one.
func (l *line) find(text string, at, to int) {
	if l.end > l.start && at >= l.start && to <= l.end {
		return
	}
	*l = line{start: value.LineStart(text, at, assign.MaxLine), end: assign.EndOfLine(text, to)}
}

// longestGap is the maximum number of bytes between an announcement and the line below it.
const longestGap = 24

// announced reports whether a candidate is alone on a line that the line above announces: "the new password is:", an
// empty line or the fence of code, and the password.
func (b *scorer) announced(c *candidate) bool {
	if c.at == 0 || c.joint != 0 || c.behind < 0 || b.cues[c.behind].Of == scan.CueKey {
		return false
	}
	last := &b.words[c.at-1]
	gap := b.Text[last.end:c.start]
	if len(gap) > longestGap || strings.IndexByte(gap, '\n') < 0 || strings.Trim(gap, gapMarks) != "" {
		return false
	}
	if i := c.last + 1; i < len(b.words) && b.words[i].start < assign.EndOfLine(b.Text, c.end) {
		return false // a sentence of its own
	}
	if printedAlone(b.Text[c.start:c.end]) {
		return false
	}
	if gap[0] != ':' && !strings.HasPrefix(gap, "：") {
		class := b.class(c.at - 1)
		return class == "is" || class == "password"
	}
	return !asksForPassword(value.LowerASCII(b.Text[value.LineStart(b.Text, last.start, assign.MaxLine):last.end]))
}

// printedAlone reports whether a word is what programs print on a line of its own: a number, a name, a commit.
func printedAlone(v string) bool {
	const commit = 32 // bytes or more
	return value.Data(v) || value.UUIDLike(v) || len(v) >= commit && value.HexKey(v)
}

// asksForPassword reports whether a line is the question of a program: what is typed behind it is not shown, and what
// stands below it is output.
func asksForPassword(line string) bool {
	line = strings.TrimLeft(line, " \t>")
	return strings.HasPrefix(line, "enter ") || strings.HasPrefix(line, "[sudo]") ||
		strings.Contains(line, "@") && strings.HasSuffix(line, "'s password")
}

// gapMarks may stand between an announcement and what it announces.
const gapMarks = ":：\n\r\t ->`*\"'“„«"

// findLine finds the line around a candidate, and the announcement above it.
func (b *scorer) findLine(c *candidate) {
	if b.line.joined != c.announced {
		b.line = line{}
	}
	b.line.find(b.Text, c.start, c.end)
	if c.announced && !b.line.joined {
		start := value.LineStart(b.Text, b.words[c.at-1].start, assign.MaxLine)
		b.line = line{start: start, end: b.line.end, joined: true}
	}
}

// read analyses a line, unless that was done.
func (l *line) read(b *scorer) {
	if l.kind != "" {
		return
	}
	text := b.Text[l.start:l.end]
	l.begins = beginning(text)
	l.countWords(text)
	l.cues = b.cuesIn(l.start, l.end)
	l.over = l.above(b)
	l.table, l.cells = b.tableOf(l.start, l.end)
}

// countWords counts the words of a line, which tell what kind of line it is.
func (l *line) countWords(text string) {
	plain := 0
	for w := range strings.FieldsSeq(text) {
		l.words++
		w = trimmed(w)
		n := count(w)
		switch {
		case n.letters > 0 && n.letters == len(w) && n.humps == 0:
			plain++
		case n.letters > 0:
			l.odd++
		}
	}
	l.kind = lineKind(text, l.words, plain)
}

// trimmed returns a word of a line without the marks around it.
func trimmed(w string) string {
	for w != "" && marksAround[w[0]] {
		w = w[1:]
	}
	for w != "" && marksAround[w[len(w)-1]] {
		w = w[:len(w)-1]
	}
	return w
}

var marksAround = setOf(".,;:!?()\"'`*")

// cuesIn returns what the cues of a line are about.
func (b *scorer) cuesIn(from, to int) string {
	var seen [scan.CueEnter]bool
	for _, k := range b.cues {
		if k.Start >= from && k.Start < to && k.Of < scan.CueEnter {
			seen[k.Of] = true
		}
	}
	out := ""
	for of, is := range seen {
		if is {
			out += scan.CueNames[of][:1]
		}
	}
	return out
}

// codeMarks counts what program lines have: brackets, signs that join operands, quotation marks next to them.
func codeMarks(text string) (marks, bars, commas int) {
	last := byte(0)
	for i := range len(text) {
		c := text[i]
		switch c {
		case '(':
			marks += bit(value.Letter(last))
		case '>':
			marks += bit(last == '=' || last == '-' || last == '/')
		case ':', '&':
			marks += bit(last == c)
		case '=':
			marks += bit(last == ' ' || last == ':' || last == '=' || last == '!')
		case '{', '}', ';', '[':
			marks++
		case '|':
			bars++
		case ',':
			commas++
		}
		last = c
	}
	return marks, bars, commas
}

// ofProgram is a quick check whether a line is from a program.
func ofProgram(text string) bool {
	marks := 0
	for i := range len(text) {
		marks += int(programMarks[text[i]])
	}
	if marks < 2 || marks < 5 && marks*12 <= len(text) {
		return false
	}
	sign, cells := byte(0), 0
	if strings.IndexByte(text, ';') >= 0 {
		sign, cells = cellsOf(text)
	}
	return sign != ';' || cells < marks
}

// programMarks are bytes that program lines have and sentences rarely have.
var programMarks = func() (out [256]uint8) {
	for _, c := range []byte("(){}[]<>=;$&\\\"") {
		out[c] = 1
	}
	return out
}()

// lineKind returns what a line is, given how many words it has and how many of them are plain.
func lineKind(text string, words, plain int) string {
	marks, bars, commas := codeMarks(text)
	switch {
	case bars > 1:
		return "row"
	case marks > 1, marks > 0 && value.EndsWithAny(strings.TrimRight(text, " \t\r"), ";", "{", "}", ",", "("):
		return "code"
	case marks > 0 && words < 8:
		return "statement"
	case words >= 5 && plain*10 >= words*6:
		return "prose"
	case words >= 4 && plain*10 >= words*4:
		return "notes"
	case commas > 2 && words < 4:
		return "list"
	case words <= 3 && strings.ContainsAny(text, ":="):
		return "setting"
	case words <= 2:
		return "short"
	}
	return "other"
}

// beginning returns the mark at the start of a line, after blanks.
func beginning(text string) string {
	t := strings.TrimLeft(text, " \t")
	indent := ""
	if len(t) < len(text) {
		indent = "indented "
	}
	if t == "" {
		return "nothing"
	}
	switch c := t[0]; {
	case value.Digit(c):
		if len(t) > 1 && (t[1] == '.' || t[1] == ')') {
			return indent + "1."
		}
		return indent + "0"
	case c >= 'A' && c <= 'Z', c >= 0x80:
		return indent + "A"
	case c >= 'a' && c <= 'z':
		return indent + "a"
	}
	return indent + t[:1]
}
