package judge

import (
	"strings"

	"keepmum/privacy/assign"
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
		return wordEnd(b.Text, min(assign.EndOfLine(b.Text, c.End), c.End+reachEnter), c.End+2*reachEnter)
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
	for line := range lines {
		n := strings.IndexByte(b.Text[at:limit], '\n')
		if n < 0 {
			break
		}
		at += n + 1
		if at < len(b.Text) && b.Text[at] != '\n' {
			continue
		}
		if at >= len(b.Text) || !head && (line > 0 || !b.leadsOn(c)) {
			return at
		}
		head = false // one empty line may stand between a heading, or what leads to a value, and the lines below it
	}
	limit = wordEnd(b.Text, limit, c.End+2*reachBehind)
	if at >= limit {
		return limit
	}
	return value.LineEnd(b.Text, at, limit)
}

// leadsOn reports whether little more than a colon or a verb follows a cue on its line: "… the password is:".
func (b *scorer) leadsOn(c scan.Cue) bool {
	const colon, verb = 50, 12 // bytes
	rest := strings.TrimRight(b.Text[c.End:assign.EndOfLine(b.Text, c.End)], " \t\r")
	return len(rest) <= verb || len(rest) <= colon && value.EndsWithAny(rest, ":", "：")
}

// wordEnd returns where the word around an offset ends, at most at limit.
func wordEnd(text string, at, limit int) int {
	for at < len(text) && text[at] > ' ' && at < limit {
		at++
	}
	return at
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
	below := b.Text[end+1 : assign.EndOfLine(b.Text, end+1)]
	return b.Text[end+1] == '|' && b.Text[start] == '|' || rowBelow(b.Text[start:end], below)
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
	if n > 0 && at == l.start || n > 0 && b.cuesIn(at, assign.EndOfLine(b.Text, at)) == "" {
		at = max(from, from+strings.LastIndexByte(block[:n], '\n')+1)
	}
	if at >= l.start {
		return ""
	}
	return b.cuesIn(at, assign.EndOfLine(b.Text, at))
}

// encodedRow reports whether a word is a row of base64, no part of which is a word.
func encodedRow(v string) bool {
	return len(v) >= encodedLeast && value.LongestBase64(v) == len(v)
}

const encodedLeast = 40 // bytes of a row of base64

// inBlock reports whether a word is a row of base64 between others.
func (b *scorer) inBlock(c *candidate) bool {
	row := func(i int) bool {
		return i >= 0 && i < len(b.words) && encodedRow(b.Text[b.words[i].start:b.words[i].end])
	}
	return row(c.at) && (row(c.at-1) || row(c.at+1))
}

// cueBehind returns the cue close after an offset on the same line, -1 = none.
func (b *scorer) cueBehind(end int) int {
	for n := b.next; n < len(b.cues); n++ {
		if k := b.cues[n]; k.Start >= end {
			if k.Start-end <= nearCue && strings.IndexByte(b.Text[end:k.Start], '\n') < 0 {
				return n
			}
			break
		}
	}
	return -1
}
