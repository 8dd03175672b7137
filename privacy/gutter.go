package privacy

import (
	"sort"
	"strings"
)

// A gutter is what a program puts before each line of a text that it shows: the
// number of the line, the name of its file, the marks of a diff, of a
// quotation, of a frame. What knows lines must see the text without it.
type gutter uint8

const (
	noGutter gutter = iota
	counted         // "   12→", "   12<tab>": all numbers of a file's lines
	searched        // "12:", "file.go:12:", "dir/file.go:"
	changed         // "+", "-", " ", "@@" of a diff
	cited           // "> "
	framed          // "│ ", "12 │ ", "web-1  | "
)

// gutterOf returns what stands before a line, and its length.
func gutterOf(line string) (gutter, int) {
	if line == "" {
		return noGutter, 0
	}
	switch c := line[0]; {
	case c == '+':
		return changed, 1
	case c == '>':
		return cited, citation(line)
	case c == ' ' || digit(c):
		return numberedGutter(line)
	case c == 0xE2:
		if n := frame(line); n > 0 {
			return framed, n
		}
	case wordByte(c) || c == '.' || c == '/':
		return namedGutter(line)
	}
	return noGutter, 0
}

// citation measures the marks of a quotation, which may be quoted again.
func citation(line string) int {
	n := 0
	for n < len(line) && n < 16 && (line[n] == '>' || line[n] == ' ' && line[n-1] == '>') {
		n++
	}
	return n
}

// numberedGutter reads the number of a line and what stands between it and the line.
func numberedGutter(line string) (gutter, int) {
	if n, _ := count(line); n > 0 {
		return counted, n
	}
	i := 0
	for i < len(line) && i < maxCount && line[i] == ' ' {
		i++
	}
	from := i
	for i < len(line) && i < from+maxCount && digit(line[i]) {
		i++
	}
	if i == from || i >= len(line) {
		return noGutter, 0
	}
	rest := line[i:]
	switch {
	case (rest[0] == ':' || rest[0] == '-') && (len(rest) == 1 || !digit(rest[1])):
		return searched, i + 1 // and no time or date
	case rest[0] == ' ':
		if n := frame(rest[1:]); n > 0 {
			return framed, i + 1 + n
		}
	}
	return noGutter, 0
}

// frame measures the edge of a frame.
func frame(s string) int {
	for _, edge := range []string{"│ ", "┃ ", "| "} {
		if strings.HasPrefix(s, edge) {
			return len(edge)
		}
	}
	return 0
}

// rightEdge returns where the right edge of a frame begins, and the blanks before it.
func rightEdge(line string) int {
	inner := strings.TrimRight(line, " \r\n")
	for _, edge := range []string{"│", "┃", "|"} {
		if rest, ok := strings.CutSuffix(inner, edge); ok {
			return len(strings.TrimRight(rest, " "))
		}
	}
	return len(line)
}

// namedGutter reads the name of a file and perhaps a number, as a search prints
// them, or the name of a service, as the logs of several are printed.
func namedGutter(line string) (gutter, int) {
	const longest = 160
	i, path := 0, false
	for i < len(line) && i < longest && (tokenByte(line[i]) || line[i] == '.' || line[i] == '/' || line[i] == '@') {
		path = path || line[i] == '/' || line[i] == '.'
		if i++; path && line[i-1] == '-' {
			if kind, n := numberedGutter(line[i:]); kind == searched && line[i] != ' ' && line[i+n-1] == '-' {
				return searched, i + n
			}
		}
	}
	if i >= len(line) {
		return noGutter, 0
	}
	if line[i] == ' ' {
		if j := blanks(line, i); strings.HasPrefix(line[j:], "| ") {
			return framed, j + len("| ")
		}
		return noGutter, 0
	}
	if line[i] != ':' || i+1 >= len(line) || strings.HasPrefix(line[i:], "://") {
		return noGutter, 0
	}
	if kind, n := numberedGutter(line[i+1:]); kind == searched && line[i+1] != ' ' {
		return searched, i + 1 + n
	}
	if path && i > 2 {
		return searched, i + 1
	}
	return noGutter, 0
}

// belongs reports whether a line without a mark of its own continues a diff.
func (g gutter) belongs(line string) bool {
	return g == changed && line != "" && strings.IndexByte(" -@\\", line[0]) >= 0
}

// bared is a text without its gutter.
type bared struct {
	room strings.Builder
	cuts []cut
}

// cut is a place in a bared text before which so many bytes are missing.
type cut struct{ at, missing int32 }

// line adds the line of a text at an offset, without its gutter.
func (b *bared) line(text string, from, n, to int) {
	at := b.room.Len()
	b.cuts = append(b.cuts, cut{int32(at), int32(from + n - at)})
	b.room.WriteString(text[from+n : to])
}

// original maps an offset back.
func (b *bared) original(at int) int {
	i := sort.Search(len(b.cuts), func(i int) bool { return int(b.cuts[i].at) > at })
	return at + int(b.cuts[max(0, i-1)].missing)
}

// back maps spans of the bared text back.
func (b *bared) back(spans []span) []span {
	text := b.room.String()
	for i, sp := range spans {
		if sp.value == "" {
			spans[i].value = text[sp.start:sp.end]
		}
		spans[i].start, spans[i].end = b.original(sp.start), b.original(sp.end-1)+1
	}
	return spans
}

// lineEndFrom returns the offset behind the line that an offset lies in.
func lineEndFrom(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

// withoutNumbers returns a text with passages of counted lines as it was before
// they were: it is read in place of the other.
func withoutNumbers(text string) *bared {
	const common = 32 // bytes of a line
	if !counts(text) {
		return nil
	}
	b := &bared{cuts: make([]cut, 0, len(text)/common+2)}
	b.room.Grow(len(text))
	from, next := 0, 0
	for at := 0; at < len(text); {
		n, number := count(text[at:])
		to := lineEndFrom(text, at+n)
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

// counts looks here and there whether the lines of a text are counted.
func counts(text string) bool {
	const step = 2 << 10
	for at := 0; at < len(text); at = lineEndFrom(text, min(len(text), at+step)) {
		n, number := count(text[at:])
		if n == 0 {
			continue
		}
		if rest := text[lineEndFrom(text, at):]; rest == "" || follows(rest, number) {
			return true
		}
	}
	return false
}

// follows reports whether a text begins with the line behind the one with a number.
func follows(text string, number int) bool {
	n, next := count(text)
	return n > 0 && next == number+1
}

const maxCount = 12 // bytes of a number and of the blanks before it

// count reads the number of a line, as all lines of a file are counted, and the
// length of what it stands in; 0 when there is none.
func count(line string) (n, number int) {
	for n < len(line) && n < maxCount && line[n] == ' ' {
		n++
	}
	from := n
	for n < len(line) && n < from+maxCount && digit(line[n]) {
		number = number*10 + int(line[n]-'0')
		n++
	}
	switch {
	case n == from || n == len(line):
		return 0, 0
	case line[n] == '\t':
		return n + 1, number
	case strings.HasPrefix(line[n:], "→"):
		return n + len("→"), number
	}
	return 0, 0
}

// ruled is lines that have the same sort of gutter.
type ruled struct {
	kind     gutter
	from, to int
}

const maxGutter = 192 // bytes of a line in which its gutter ends

// gutterWords stand in a gutter: they make it be looked for.
func gutterWords() []string {
	words := []string{"\n+", "\n>"}
	for _, d := range strings.Fields("0 1 2 3 4 5 6 7 8 9") {
		words = append(words, d+":", d+"\t")
	}
	for _, ext := range strings.Fields("yml yaml json toml ini cfg conf cnf env txt md sh py go js ts rb php java kt cs rs tf properties xml sql log") {
		words = append(words, "."+ext+":")
	}
	return words
}

// gutter notes the lines with a gutter around the one that an offset lies in.
func (s *scanner) gutter(end int) {
	if end <= s.guttered || end <= s.bareEnd {
		return
	}
	if start := s.gutterStart(end); start >= 0 {
		s.guttersFrom(start)
	} else {
		s.bareEnd = lineEndFrom(s.text, end)
	}
}

// gutterStart returns where a line begins if nothing stands before an offset
// that cannot be in a gutter, and -1 otherwise.
func (s *scanner) gutterStart(at int) int {
	for from := max(0, at-maxGutter); at > from; at-- {
		if c := s.text[at-1]; s.set.gutter[c] == 0 {
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

func gutterByte(c byte) bool {
	return tokenByte(c) || c == ' ' || c == '\t' || c >= 0x80 || strings.IndexByte("./@:|+>", c) >= 0
}

// signs notes the lines with a gutter that ends with a sign which the automaton
// does not know.
func (s *scanner) signs() {
	signs := []string{"| ", "→", "│ ", "┃ "}
	if s.latin {
		signs = signs[:1]
	}
	for _, sign := range signs {
		for at := 0; at < len(s.text); at = max(lineEndFrom(s.text, at), s.guttered) {
			n := strings.Index(s.text[at:], sign)
			if n < 0 {
				break
			}
			at += n + len(sign)
			s.gutter(at)
		}
	}
}

// guttersFrom notes the lines with a gutter from the one on that begins at start.
func (s *scanner) guttersFrom(start int) {
	line := func(at int) string { return s.text[at:min(len(s.text), at+maxGutter)] }
	kind, n := gutterOf(line(start))
	end := lineEndFrom(s.text, start)
	if n == 0 {
		s.bareEnd = end
		return
	}
	for end < len(s.text) {
		if k, _ := gutterOf(line(end)); k != kind && !kind.belongs(line(end)) {
			break
		}
		end = lineEndFrom(s.text, end)
	}
	for start > s.guttered {
		before := lineStart(s.text, start-1, maxGutter)
		if before < s.guttered || !kind.belongs(line(before)) {
			break
		}
		start = before
	}
	s.guttered = end
	s.ruled = append(s.ruled, ruled{kind, start, end})
}

const maxBared = 4 << 10 // bytes of a line that are read without the gutter before it

// bare scans lines without their gutter.
func (s *scanner) bare(lines ruled) {
	b := &bared{}
	for at := lines.from; at < lines.to; {
		to := lineEndFrom(s.text, at)
		if end := at + maxBared; to > end { // the rest was read as it stands
			b.line(s.text, at, gutterLength(s.text[at:end], lines.kind), end)
			b.line(s.text, to-1, 0, to) // its end
			at = to
			continue
		}
		n := gutterLength(s.text[at:to], lines.kind)
		if end := at + n + rightEdge(s.text[at+n:to]); lines.kind == framed && end < to {
			b.line(s.text, at, n, end)
			at, n = end, strings.IndexByte(s.text[end:to]+"\n", '\n')
		}
		b.line(s.text, at, min(n, to-at), to)
		at = to
	}
	s.spans = append(s.spans, b.back(s.set.scan(b.room.String(), s.strict, s.depth+1))...)
}

// gutterLength is how much of a line its gutter is, in lines of this kind.
func gutterLength(line string, kind gutter) int {
	k, n := gutterOf(line[:min(len(line), maxGutter)])
	if k != kind {
		n = 1 // of a diff
	}
	return min(n, len(line))
}
