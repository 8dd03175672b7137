package judge

import (
	"slices"
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// split finds the words of the stretch.
func (b *scorer) split() {
	b.words = b.words[:0]
	text := b.Text
	for i := b.from; i < b.to && len(b.words) < maxWords; {
		for i < b.to && text[i] <= ' ' {
			if text[i] == '\n' {
				i = b.pastCode(i)
			}
			i++
		}
		from := i
		for i < b.to && text[i] > ' ' {
			if text[i] >= 0x80 {
				if n := nonASCIIMark(text[i:b.to]); n > 0 {
					b.word(from, i)
					i += n
					from = i
					continue
				}
				if i > from && scriptChanges(text, i) {
					b.word(from, i)
					from = i
				}
			} else if i > from && text[i-1] >= 0x80 && scan.Unspaced(lead(text, i-1)) {
				b.word(from, i)
				from = i
			}
			i++
		}
		b.word(from, i)
	}
}

// scriptChanges reports whether a letter of a script without blanks begins after one of another script, or the reverse.
func scriptChanges(text string, i int) bool {
	return text[i] >= 0xc0 && scan.Unspaced(text[i]) != scan.Unspaced(lead(text, i-1))
}

// pastCode returns where the program lines after a line end; lines with a cue are not program lines.
func (b *scorer) pastCode(at int) int {
	for at < b.to {
		limit := min(b.to, at+1+assign.MaxLine)
		end := value.LineEnd(b.Text, at+1, limit)
		for b.next < len(b.cues) && b.cues[b.next].Start < at {
			b.next++
		}
		if b.next < len(b.cues) && b.cues[b.next].Start < end || !ofProgram(b.Text[at+1:end]) {
			return at
		}
		at = end
		if end == limit {
			return at - 1
		}
	}
	return at
}

// lead returns the first byte of the letter whose last byte is at an offset.
func lead(text string, at int) byte {
	for at > 0 && text[at]&0xc0 == 0x80 {
		at--
	}
	return text[at]
}

// nonASCIIMark returns the length of a mark beyond ASCII that ends a word.
func nonASCIIMark(text string) int {
	const marks = "،؛؟，。、：；！？（）「」『』«»“”„‘’‚→—–،…।・"
	if text[0] < 0xc2 {
		return 0
	}
	n := 3
	if text[0] < 0xe0 {
		n = 2
	}
	if len(text) < n || !strings.Contains(marks, text[:n]) {
		return 0
	}
	return n
}

// word adds a word without the marks around it.
func (b *scorer) word(from, to int) {
	start, end := from, to
	for start < end && marksBefore[b.Text[start]] {
		start++
	}
	for end > start && marksBehind[b.Text[end-1]] {
		end--
	}
	if end == start {
		return
	}
	n := len(b.words)
	if n == cap(b.words) {
		b.words = slices.Grow(b.words, 1)
	}
	b.words = b.words[:n+1] // written in place: copying would cost more than everything else
	w := &b.words[n]
	w.from, w.to, w.start, w.end = from, to, start, end
	w.level, w.read, w.weighed, w.class = notLooked, false, false, ""
	w.n.count(b.Text[start:end])
}
