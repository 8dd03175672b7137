package view

import (
	"sort"
	"strconv"
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// GutterOf returns the kind and length of the gutter of a line.
func GutterOf(line string) (scan.Gutter, int) {
	if line == "" {
		return scan.NoGutter, 0
	}
	switch c := line[0]; {
	case c == '+':
		return scan.Changed, 1
	case c == '>':
		return scan.Cited, citation(line)
	case c == ' ' || value.Digit(c):
		return numberedGutter(line)
	case c == 0xE2:
		if n := frame(line); n > 0 {
			return scan.Framed, n
		}
	case value.WordByte(c) || c == '.' || c == '/':
		return namedGutter(line)
	}
	return scan.NoGutter, 0
}

// citation measures the marks of a quotation, which may be nested.
func citation(line string) int {
	n := 0
	for n < len(line) && n < 16 && (line[n] == '>' || line[n] == ' ' && line[n-1] == '>') {
		n++
	}
	return n
}

// numberedGutter reads a line number and what separates it from the line.
func numberedGutter(line string) (scan.Gutter, int) {
	if n, _ := count(line); n > 0 {
		return scan.Counted, n
	}
	from, to := lineNumber(line)
	if to == from || to >= len(line) {
		return scan.NoGutter, 0
	}
	switch rest := line[to:]; rest[0] {
	case ':', '-':
		if len(rest) == 1 || !value.Digit(rest[1]) { // not a time or date
			return scan.Searched, to + 1
		}
	case ' ':
		if n := frame(rest[1:]); n > 0 {
			return scan.Framed, to + 1 + n
		}
	}
	return scan.NoGutter, 0
}

// lineNumber returns where the digits are of a number at the start of a line, with or without spaces before it.
func lineNumber(line string) (from, to int) {
	for from < len(line) && from < maxCount && line[from] == ' ' {
		from++
	}
	to = from
	for to < len(line) && to < from+maxCount && value.Digit(line[to]) {
		to++
	}
	return from, to
}

// frame measures the edge of a frame.
func frame(s string) int { return value.PrefixLength(s, "│ ", "┃ ", "| ") }

// rightEdge returns the start of a frame's right edge, including the spaces before it.
func rightEdge(line string) int {
	inner := strings.TrimRight(line, " \r\n")
	for _, edge := range []string{"│", "┃", "|"} {
		if rest, ok := strings.CutSuffix(inner, edge); ok {
			return len(strings.TrimRight(rest, " "))
		}
	}
	return len(line)
}

// namedGutter reads a file name and perhaps a line number, as in search results, or a service name, as in combined
// logs.
func namedGutter(line string) (scan.Gutter, int) {
	const longest = 160
	i, path := 0, false
	for i < min(len(line), longest) && fileByte(line[i]) {
		path = path || line[i] == '/' || line[i] == '.'
		if i++; path && line[i-1] == '-' && searched(line[i:], "-") > 0 {
			return scan.Searched, i + searched(line[i:], "-")
		}
	}
	switch rest := line[i:]; {
	case strings.HasPrefix(rest, " "):
		return serviceGutter(line, i)
	case len(rest) < 2 || rest[0] != ':' || strings.HasPrefix(rest, "://"):
		return scan.NoGutter, 0
	case searched(rest[1:], ":-") > 0:
		return scan.Searched, i + 1 + searched(rest[1:], ":-")
	case path && i > 2:
		return scan.Searched, i + 1
	}
	return scan.NoGutter, 0
}

// serviceGutter measures the name of a service, which ends at an offset, and what separates it from its log.
func serviceGutter(line string, end int) (scan.Gutter, int) {
	if at := assign.SkipBlanks(line, end); strings.HasPrefix(line[at:], "| ") {
		return scan.Framed, at + len("| ")
	}
	return scan.NoGutter, 0
}

func fileByte(c byte) bool { return scan.TokenByte(c) || c == '.' || c == '/' || c == '@' }

// searched measures the line number of a search result, after the name of the file, up to one of the
// separators.
func searched(line, separators string) int {
	kind, n := numberedGutter(line)
	if kind == scan.Searched && line[0] != ' ' && strings.IndexByte(separators, line[n-1]) >= 0 {
		return n
	}
	return 0
}

// bared is a text without its gutter.
type bared struct {
	Room strings.Builder
	cuts []cut
}

// cut is a position in a bared text, and how many bytes are missing before it.
type cut struct{ at, missing int32 }

// line adds the line of a text at an offset, without its gutter.
func (b *bared) line(text string, from, n, to int) {
	at := b.Room.Len()
	b.cuts = append(b.cuts, cut{int32(at), int32(from + n - at)})
	b.Room.WriteString(text[from+n : to])
}

// original maps an offset back to the original text.
func (b *bared) original(at int) int {
	i := sort.Search(len(b.cuts), func(i int) bool { return int(b.cuts[i].at) > at })
	return at + int(b.cuts[max(0, i-1)].missing)
}

// Back maps spans back to the original text.
func (b *bared) Back(spans []scan.Span) []scan.Span {
	text := b.Room.String()
	for i, sp := range spans {
		if sp.Value == "" {
			spans[i].Value = text[sp.Start:sp.End]
		}
		spans[i].Start, spans[i].End = b.original(sp.Start), b.original(sp.End-1)+1
	}
	return spans
}

// WithoutNumbers returns a text without the line numbers of its numbered parts; it is read in place of the original.
func WithoutNumbers(text string) *bared {
	const common = 32 // usual bytes of a line
	if !counts(text) {
		return nil
	}
	b := &bared{cuts: make([]cut, 0, len(text)/common+2)}
	b.Room.Grow(len(text))
	from, next := 0, 0
	for at := 0; at < len(text); {
		n, number := count(text[at:])
		to := value.NextLine(text, at+n)
		if n > 0 && (number == next || follows(text[to:], number) || to == len(text)) {
			if from < at {
				b.line(text, from, 0, at)
			}
			b.line(text, at, n, to)
			from, next = to, number+1
		}
		at = to
	}
	if from < len(text) {
		b.line(text, from, 0, len(text))
	}
	return b
}

// counts samples a text to check whether its lines are numbered.
func counts(text string) bool {
	const step = 2 << 10
	for at := 0; at < len(text); at = value.NextLine(text, min(len(text), at+step)) {
		n, number := count(text[at:])
		if n == 0 {
			continue
		}
		if rest := text[value.NextLine(text, at):]; rest == "" || follows(rest, number) {
			return true
		}
	}
	return false
}

// follows reports whether a text starts with the line after the one with a number.
func follows(text string, number int) bool {
	n, next := count(text)
	return n > 0 && next == number+1
}

const maxCount = 12 // bytes of a number, including the spaces before it

// count reads the line number that is usual for all lines of a file, and the length of the part that contains it; 0 if
// there is none.
func count(line string) (n, number int) {
	from, n := lineNumber(line)
	if n == from || n == len(line) {
		return 0, 0
	}
	number, _ = strconv.Atoi(line[from:n])
	switch {
	case line[n] == '\t':
		return n + 1, number
	case strings.HasPrefix(line[n:], "→"):
		return n + len("→"), number
	}
	return 0, 0
}

const maxGutter = 192 // a gutter ends within this many bytes

// GutterWords are words in gutters; they trigger Gutter.
func GutterWords() []string {
	words := []string{"\n+", "\n>"}
	for _, d := range strings.Fields("0 1 2 3 4 5 6 7 8 9") {
		words = append(words, d+":", d+"\t")
	}
	for _, ext := range strings.Fields("yml yaml json toml ini cfg conf cnf env txt md sh py go js ts rb php java kt " +
		"cs rs tf properties xml sql log") {
		words = append(words, "."+ext+":")
	}
	return words
}

// Gutter records the lines with a gutter around an offset.
func Gutter(s *scan.Scanner, end int) {
	if end <= s.Guttered || end <= s.BareEnd {
		return
	}
	if start := gutterStart(s, end); start >= 0 {
		GuttersFrom(s, start)
	} else {
		s.BareEnd = value.NextLine(s.Text, end)
	}
}

// gutterStart returns the start of a line if only gutter characters precede an offset, otherwise -1.
func gutterStart(s *scan.Scanner, at int) int {
	for from := max(0, at-maxGutter); at > from; at-- {
		if c := s.Text[at-1]; s.Set.Gutter[c] == 0 {
			if c == '\n' || c == '\r' {
				return at
			}
			return -1
		}
	}
	if at == 0 {
		return 0
	}
	return -1
}

// signs records the lines whose gutter ends with a character that the automaton does not know.
func signs(s *scan.Scanner) {
	signs := []string{"| ", "→", "│ ", "┃ "}
	if s.Latin {
		signs = signs[:1]
	}
	for _, sign := range signs {
		for at := 0; at < len(s.Text); at = max(value.NextLine(s.Text, at), s.Guttered) {
			n := strings.Index(s.Text[at:], sign)
			if n < 0 {
				break
			}
			at += n + len(sign)
			Gutter(s, at)
		}
	}
}

// GuttersFrom records the lines with a gutter from start on.
func GuttersFrom(s *scan.Scanner, start int) {
	line := func(at int) string { return s.Text[at:min(len(s.Text), at+maxGutter)] }
	kind, n := GutterOf(line(start))
	end := value.NextLine(s.Text, start)
	if n == 0 {
		s.BareEnd = end
		return
	}
	for end < len(s.Text) {
		if k, _ := GutterOf(line(end)); k != kind && !kind.Belongs(line(end)) {
			break
		}
		end = value.NextLine(s.Text, end)
	}
	for start > s.Guttered {
		before := value.LineStart(s.Text, start-1, maxGutter)
		if before < s.Guttered || !kind.Belongs(line(before)) {
			break
		}
		start = before
	}
	s.Guttered = end
	s.Ruled = append(s.Ruled, scan.Ruled{Kind: kind, From: start, To: end})
}

const maxBared = 4 << 10 // bytes of a line that are read without its gutter

// bare scans lines without their gutter.
func bare(s *scan.Scanner, lines scan.Ruled) {
	b := &bared{}
	for at := lines.From; at < lines.To; {
		to := value.NextLine(s.Text, at)
		if end := at + maxBared; to > end { // the rest was read with the text itself
			b.line(s.Text, at, gutterLength(s.Text[at:end], lines.Kind), end)
			b.line(s.Text, to-1, 0, to) // the end of the line
			at = to
			continue
		}
		n := gutterLength(s.Text[at:to], lines.Kind)
		if end := at + n + rightEdge(s.Text[at+n:to]); lines.Kind == scan.Framed && end < to {
			b.line(s.Text, at, n, end)
			at, n = end, strings.IndexByte(s.Text[end:to]+"\n", '\n')
		}
		b.line(s.Text, at, min(n, to-at), to)
		at = to
	}
	s.Spans = append(s.Spans, b.Back(scan.Reread(s, b.Room.String()))...)
}

// gutterLength returns the length of a line's gutter of this kind.
func gutterLength(line string, kind scan.Gutter) int {
	k, n := GutterOf(line[:min(len(line), maxGutter)])
	if k != kind {
		n = 1 // of a diff
	}
	return min(n, len(line))
}
