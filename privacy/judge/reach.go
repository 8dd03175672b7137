package judge

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// ahead is where what a cue reaches begins.
func (b *bench) ahead(c scan.Cue) int {
	if c.Of == scan.CueEnter {
		return value.LineStart(b.Text, c.Start, reachEnter)
	}
	return value.LineStart(b.Text, c.Start, reachBefore)
}

// behind is how far a cue reaches: some lines, or what is below a heading.
func (b *bench) behind(c scan.Cue) int {
	if c.Of == scan.CueEnter {
		end := min(lineEnd(b.Text, c.End), c.End+reachEnter)
		for end < len(b.Text) && b.Text[end] > ' ' && end < c.End+2*reachEnter {
			end++
		}
		return end
	}
	limit, lines := min(len(b.Text), c.End+reachBehind), reachLines-1
	if c.Of <= scan.CueKey {
		lines = reachLines
	}
	head := b.heads(c)
	if head {
		limit, lines = min(len(b.Text), c.End+reachHead), reachHead
	}
	at := c.End
	for range lines {
		n := strings.IndexByte(b.Text[at:limit], '\n')
		if n < 0 {
			break
		}
		at += n + 1
		if at < len(b.Text) && b.Text[at] != '\n' {
			continue
		}
		if !head || at >= len(b.Text) {
			return at
		}
		head = false // the lines below a heading may have a blank line above them
	}
	for limit < len(b.Text) && b.Text[limit] > ' ' && limit < c.End+2*reachBehind {
		limit++
	}
	if at >= limit {
		return limit
	}
	if n := strings.IndexByte(b.Text[at:limit], '\n'); n >= 0 {
		return at + n
	}
	return limit
}

// heads reports whether a cue stands in a heading, or in the head of a table: a short
// line with a mark of one, or a shorter one with an empty line below it.
func (b *bench) heads(c scan.Cue) bool {
	const (
		longestHead = 100
		shortHead   = 50
	)
	start := value.LineStart(b.Text, c.Start, longestHead)
	end := min(len(b.Text), start+longestHead)
	if end <= c.End {
		return false
	}
	n := strings.IndexByte(b.Text[c.End:end], '\n')
	if n < 0 {
		return false
	}
	end = c.End + n
	if end+1 >= len(b.Text) || end == start {
		return false
	}
	if b.Text[end-1] == ':' || b.Text[start] == '#' {
		return true
	}
	if b.Text[end+1] == '\n' {
		return end-start <= shortHead
	}
	return b.Text[end+1] == '|' && b.Text[start] == '|'
}

// above says what is over a line: the cues of the first line of its block, or of the
// heading over that.
func (l *line) above(b *bench) string {
	from := max(b.from, l.start-reachHead)
	if l.start <= from {
		return ""
	}
	block := b.Text[from:l.start]
	n := strings.LastIndex(block, "\n\n")
	at := from
	if n >= 0 {
		at = from + n + 2
	}
	if n > 0 && at == l.start || n > 0 && b.cuesIn(at, lineEnd(b.Text, at)) == "" {
		at = max(from, from+strings.LastIndexByte(block[:n], '\n')+1)
	}
	if at >= l.start {
		return ""
	}
	return b.cuesIn(at, lineEnd(b.Text, at))
}

func lineEnd(text string, at int) int {
	limit := min(len(text), at+maxLine)
	if n := strings.IndexByte(text[at:limit], '\n'); n >= 0 {
		return at + n
	}
	return limit
}

// column says what the cues in the head of a candidate's column speak of.
func (b *bench) column(c *candidate) string {
	l := &b.line
	if l.table < 0 {
		return ""
	}
	nth := strings.Count(b.Text[l.start:c.start], "|")
	from, end := l.table, lineEnd(b.Text, l.table)
	for ; nth > 0; nth-- {
		n := strings.IndexByte(b.Text[from:end], '|')
		if n < 0 {
			return ""
		}
		from += n + 1
	}
	if n := strings.IndexByte(b.Text[from:end], '|'); n >= 0 {
		end = from + n
	}
	return "of " + b.cuesIn(from, end)
}

// tableOf is where the head of the table begins that a row is of, -1 = nowhere.
func (b *bench) tableOf(start, end int) int {
	if strings.Count(b.Text[start:end], "|") < 2 {
		return -1
	}
	head := start
	for head > b.from {
		above := value.LineStart(b.Text, head-1, maxLine)
		if above >= head-1 || strings.IndexByte(b.Text[above:head-1], '|') < 0 {
			break
		}
		head = above
	}
	if head == start {
		return -1
	}
	return head
}

// encodedRow reports whether a word is a row of base64, of which no part is a word.
func encodedRow(v string) bool {
	const least = 40
	return len(v) >= least && value.LongestBase64(v) == len(v)
}
