package judge

import (
	"strings"

	"keepmum/privacy/speech"
	"keepmum/privacy/value"
)

// signBefore returns what is between a candidate and the word before it.
func (b *scorer) signBefore(c *candidate) string {
	if c.joint != 0 {
		return string(c.joint)
	}
	from := max(b.line.start, c.start-6)
	if b.line.joined {
		from = max(b.line.start, c.start-longestGap)
	}
	at := c.start
	for at > from && b.Text[at-1] < 0x80 && !value.Alphanumeric(b.Text[at-1]) {
		at--
	}
	if at == b.line.start || strings.TrimLeft(b.Text[b.line.start:c.start], " \t-*>#") == "" {
		return "^"
	}
	sign := b.Text[at:c.start]
	if n := strings.IndexByte(sign, '\n'); n >= 0 { // as on one line
		sign = strings.TrimRight(sign[:n], " \t\r") + " " +
			strings.TrimLeft(sign[strings.LastIndexByte(sign, '\n')+1:], " \t>")
	}
	return collapseBlanks(sign)
}

// signBehind returns what is between a candidate and the word after it.
func (b *scorer) signBehind(c *candidate) string {
	to, limit := c.end, min(b.line.end, c.end+5)
	for to < limit && b.Text[to] < 0x80 && !value.Alphanumeric(b.Text[to]) {
		to++
	}
	end := ""
	if to >= b.line.end || strings.TrimSpace(b.Text[to:b.line.end]) == "" {
		end = "$"
	}
	return collapseBlanks(b.Text[c.end:to]) + end
}

// collapseBlanks returns a text with each run of blanks as one.
func collapseBlanks(text string) string {
	if !strings.Contains(text, "  ") && strings.IndexByte(text, '\t') < 0 {
		return text
	}
	return strings.Join(strings.Fields(" "+text+" "), " ") + "  "
}

// wordBefore returns the nth word before a candidate on its line, in lower case.
func (b *scorer) wordBefore(c *candidate, n int) string {
	if c.joint != 0 && n == 1 {
		return value.LowerASCII(strings.Trim(c.part, partingSigns))
	}
	if i := b.before(c, n); i >= 0 {
		return b.lower(i)
	}
	return ""
}

// classBefore returns the class of that word.
func (b *scorer) classBefore(c *candidate, n int) string {
	if i := b.before(c, n); i >= 0 {
		return b.class(i)
	}
	return speech.ClassOf(b.wordBefore(c, n))
}

// before returns the index of that word, -1 if there is none or it is a part of the candidate's own word.
func (b *scorer) before(c *candidate, n int) int {
	i := c.at - n
	if c.joint != 0 {
		i++
	}
	if i < 0 || i == c.at || b.words[i].start < b.line.start {
		return -1
	}
	return i
}

// wordBehind returns the nth word after a candidate.
func (b *scorer) wordBehind(c *candidate, n int) string {
	if i := b.after(c, n); i >= 0 {
		return b.lower(i)
	}
	return ""
}

// after returns the index of that word, -1 if there is none.
func (b *scorer) after(c *candidate, n int) int {
	i := c.last + n
	if i >= len(b.words) || b.words[i].start >= b.line.end {
		return -1
	}
	return i
}

// lower returns a word in lower case, "#" if it has digits or signs.
func (b *scorer) lower(i int) string { return b.readWord(i).low }

// class returns what sort of word it is.
func (b *scorer) class(i int) string {
	w := &b.words[i]
	if w.class == "" {
		w.class = "#"
		if text, ok := wordText(b.Text, w); ok {
			w.class = speech.ClassOf(withoutStops(text))
		}
	}
	return w.class
}

// readWord returns a word of which low is known.
func (b *scorer) readWord(i int) *word {
	w := &b.words[i]
	if !w.read {
		w.low, w.read = "#", true
		if text, ok := wordText(b.Text, w); ok {
			w.low = withoutStops(value.LowerASCII(text))
		}
	}
	return w
}

// withoutStops returns a text without the marks that end its sentence.
func withoutStops(text string) string {
	for text != "" && stops[text[len(text)-1]] {
		text = text[:len(text)-1]
	}
	return text
}

var stops = setOf(".!?")

// wordText returns the first letters of a word, false if it has digits or several signs.
func wordText(all string, w *word) (string, bool) {
	const most = 24
	if w.end-w.start <= most {
		return all[w.start:w.end], w.n.digits == 0 && w.n.signs <= 1
	}
	to := w.start + most
	for to < w.end && all[to]&0xc0 == 0x80 {
		to++
	}
	text := all[w.start:to]
	n := count(text)
	return text, n.digits == 0 && n.signs <= 1
}
