package judge

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// windowStart returns where the reach of a cue starts.
func (b *scorer) windowStart(c scan.Cue) int {
	if c.Of == scan.CueEnter {
		return value.LineStart(b.Text, c.Start, reachEnter)
	}
	return value.LineStart(b.Text, c.Start, reachBefore)
}

// windowEnd returns how far a cue reaches: some lines, or what is below a heading.
func (b *scorer) windowEnd(c scan.Cue) int {
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
		head = false // there may be a blank line between a heading and the lines below it
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

// heads reports whether a cue is in a heading or in the header of a table: a short line with the mark of one, or a
// shorter one followed by an empty line.
func (b *scorer) heads(c scan.Cue) bool {
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

// above returns what is above a line: the cues of the first line of its block, or of the heading above that.
func (l *line) above(b *scorer) string {
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

// column returns what the cues in the header of a candidate's column are about.
func (b *scorer) column(c *candidate) string {
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

// tableOf returns where the header of the table of a row starts, -1 = there is none.
func (b *scorer) tableOf(start, end int) int {
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

// encodedRow reports whether a word is a row of base64, no part of which is a word.
func encodedRow(v string) bool {
	const least = 40
	return len(v) >= least && value.LongestBase64(v) == len(v)
}
