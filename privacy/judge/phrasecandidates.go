package judge

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/value"
)

// A candidate of several words: a phrase between quotation marks, what follows a mark up to the end of the line, or
// groups of digits.

// Limits for such a candidate.
const (
	longestPhrase = 96 // bytes
	mostWords     = 14
	leastPhrase   = 5 // bytes
)

// scorePhrases scores the candidates of several words that start with a word.
func (b *scorer) scorePhrases(i int) {
	if i+1 >= len(b.words) || b.words[i+1].to-b.words[i].start > longestPhrase {
		return
	}
	start := b.words[i].start
	lead, sign := b.leadFrom(b.cueBefore(start), start), byte('^')
	if start > 0 {
		sign = b.Text[start-1]
	}
	mayPass := func(kind int) bool { return b.Watch != nil || b.phrases[kind].mayPass(lead, sign) }
	first, last := b.phraseKindsAt(i, mayPass)
	best := candidate{score: b.bar}
	found := false
	for n := first; n < last; n++ {
		if !mayPass(n) {
			continue
		}
		kind := &phraseKinds[n]
		start, end := kind.find(b, i)
		if end-start < leastPhrase {
			continue
		}
		c := candidate{start: start, end: end, at: i, last: b.lastWord(i, end), kind: kind.name}
		if b.isPhrase(&c) && (!b.isTaken(start, end) || b.Watch != nil) {
			found = b.score(&c, &best) || found
		}
	}
	if found && !b.isTaken(best.start, best.end) {
		b.redact(best)
	}
}

// phraseKindsAt returns which kinds of phrases may start with a word: from first to before last.
func (b *scorer) phraseKindsAt(i int, mayPass func(kind int) bool) (first, last int) {
	if !b.inSentence(i) {
		return 0, mostKinds
	}
	clause := mayPass(kindClause) && b.startsClause(i)
	n := &b.words[i].n
	if !clause && (n.digits+n.upper == 0 || !b.inGroup(i)) {
		return 0, 0 // as most words
	}
	return kindGroups, kindClause + 1
}

// inSentence reports whether only a blank is between a word and the one before it, as between most words.
func (b *scorer) inSentence(i int) bool {
	if i == 0 {
		return false
	}
	w, last := &b.words[i], &b.words[i-1]
	return last.end+1 == w.start && b.Text[last.end] == ' '
}

// phraseKind finds phrases that start with a word; the end 0 means that there is none.
type phraseKind struct {
	name string
	find func(b *scorer, i int) (start, end int)
}

// phraseKinds are all of them; after a mark, there are more than in a sentence.
var phraseKinds = [mostKinds]phraseKind{{"quoted", (*scorer).quoted}, {"rest", (*scorer).rest},
	kindGroups: {"groups", (*scorer).groups}, kindClause: {"clause", (*scorer).clause}, {"cell", (*scorer).cell}}

const (
	kindGroups = 2
	kindClause = 3 // the last one that is looked for in a sentence
	mostKinds  = 5
)

// isPhrase reports whether a candidate is several words, not too many.
func (b *scorer) isPhrase(c *candidate) bool {
	if c.end-c.start > longestPhrase || c.last == c.at || c.last-c.at >= mostWords {
		return false
	}
	v := b.Text[c.start:c.end]
	return strings.IndexByte(v, '\n') < 0 && hasLetters(v, 4)
}

// hasLetters reports whether a text contains so many letters or digits.
func hasLetters(v string, least int) bool {
	for i := 0; i < len(v) && least > 0; i++ {
		if class := byteClasses[v[i]]; class != classJoint && class != classSign {
			least--
		}
	}
	return least == 0
}

// quotes are opening marks of phrases, each with its closing mark.
var quotes = map[string]string{
	"\"": "\"", "'": "'", "`": "`", "«": "»", "»": "«", "„": "“", "“": "”", "‘": "’", "‚": "‘", "「": "」", "『": "』",
}

// endsMark contains the last bytes of opening marks.
var endsMark = func() (out [256]bool) {
	for mark := range quotes {
		out[mark[len(mark)-1]] = true
	}
	return out
}()

// quoted returns what is between quotation marks.
func (b *scorer) quoted(i int) (start, end int) {
	w := &b.words[i]
	at, closing := openingMark(b.Text, w)
	if closing == "" {
		return 0, 0
	}
	limit := min(b.to, at+longestPhrase+3)
	n := strings.Index(b.Text[at:limit], closing)
	for n >= 0 && at+n+1 < limit && closing == "'" && value.Letter(b.Text[at+n+1]) {
		next := strings.Index(b.Text[at+n+1:limit], closing)
		if next < 0 {
			return 0, 0
		}
		n += next + 1
	}
	if n < 0 {
		return 0, 0
	}
	return value.Trimmed(b.Text, at, at+n, " ", " ")
}

// openingMark returns where the text after an opening mark before a word starts, and the closing mark.
func openingMark(text string, w *word) (at int, closing string) {
	at = w.start
	for at > 0 && at > w.start-3 && text[at-1] == ' ' {
		at--
	}
	if at == 0 || !endsMark[text[at-1]] {
		return at, ""
	}
	for size := 1; size <= 3 && size <= at; size++ {
		if mark := quotes[text[at-size:at]]; mark != "" {
			return at, mark
		}
	}
	return at, ""
}

// lastWord returns the last word that starts before an offset.
func (b *scorer) lastWord(i, end int) int {
	for i+1 < len(b.words) && b.words[i+1].start < end {
		i++
	}
	return i
}

// rest returns what follows a colon or another mark up to the end of the line or clause.
func (b *scorer) rest(i int) (start, end int) {
	w := &b.words[i]
	if i == 0 || w.start > w.from && b.Text[w.start-1] != ':' {
		return 0, 0
	}
	if !b.leading(b.words[i-1].end, w.start) || !b.closeCue(w.start) {
		return 0, 0
	}
	end = min(assign.EndOfLine(b.Text, w.start), b.to)
	if n := strings.IndexAny(b.Text[w.start:end], "(;|\t"); n > 0 {
		end = w.start + n
	}
	for _, stop := range []string{". ", " – ", " — ", ", "} {
		if n := strings.Index(b.Text[w.start:end], stop); n > 0 {
			end = w.start + n
		}
	}
	v := strings.TrimRight(b.Text[w.start:end], " .,\r\"'`*")
	return w.start, w.start + len(v)
}

// closeCue reports whether a cue is shortly before an offset, at most a line above.
func (b *scorer) closeCue(at int) bool {
	n := b.cueBefore(at)
	return n >= 0 && at-b.cues[n].End <= markedCue && strings.Count(b.Text[b.cues[n].End:at], "\n") < 2
}

// groups returns digits, or capitals and digits, written in groups.
func (b *scorer) groups(i int) (start, end int) {
	if !b.inGroup(i) || i > 0 && b.words[i].from == b.words[i].start && b.inGroup(i-1) &&
		b.words[i-1].end+1 == b.words[i].start {
		return 0, 0
	}
	last := i
	for last+1 < len(b.words) && b.inGroup(last+1) && b.words[last].end+1 == b.words[last+1].start &&
		b.Text[b.words[last].end] == ' ' {
		last++
	}
	return b.words[i].start, b.words[last].end
}

// inGroup reports whether a word can be a group of a code.
func (b *scorer) inGroup(i int) bool {
	w := &b.words[i]
	if w.end == w.start || w.end-w.start > 8 || w.n.digits+w.n.upper < w.end-w.start {
		return false
	}
	return w.n.digits > 0 || value.CountKinds(b.Text[w.start:w.end]).Upper >= 4
}

// clause returns what follows a word that leads to a value, up to the end of the clause.
func (b *scorer) clause(i int) (start, end int) {
	const longest, most = 64, 8 // bytes, words
	w := &b.words[i]
	if !b.startsClause(i) {
		return 0, 0
	}
	end = w.start + clauseEnd(b.Text[w.start:min(len(b.Text), b.to, w.start+longest)])
	for end > w.start && clauseTrailer[b.Text[end-1]] {
		end--
	}
	last := b.lastWord(i, end)
	for n := i + 1; n <= min(last, i+most); n++ {
		if b.class(n) == "and" {
			last, end = n-1, b.words[n-1].end
		}
	}
	if last-i >= most {
		return 0, 0
	}
	return w.start, end
}

// startsClause reports whether a word follows one that leads to a value.
func (b *scorer) startsClause(i int) bool {
	return i > 0 && b.words[i].from == b.words[i].start && b.leads(i-1)
}

// clauseEnd returns where a clause ends: at a sign that separates clauses or cells, or with the line.
func clauseEnd(text string) int {
	for i := range len(text) {
		switch clauseSigns[text[i]] {
		case 1:
			return i
		case 2:
			if i > 0 && stopsClause(text[i:]) {
				return i
			}
		}
	}
	return len(text)
}

// stopsClause reports whether a text starts with a full stop, a dash or another mark between clauses.
func stopsClause(text string) bool {
	return text[0] != ' ' && len(text) > 1 && text[1] == ' '
}

// clauseSigns contains the signs that end a clause: 1, and those that may: 2.
var clauseSigns = func() (out [256]uint8) {
	for _, c := range []byte("\n,;|\t(\"<>=") {
		out[c] = 1
	}
	for _, c := range []byte(" .?!:") {
		out[c] = 2
	}
	return out
}()

var clauseTrailer = setOf(" .,\r'`*")

// leads reports whether a word leads to a value: a verb, "with", a word of entering, a cue.
func (b *scorer) leads(i int) bool {
	to := b.words[i].to
	if n := b.cueBefore(to); n < 0 || to-b.cues[n].End > markedCue {
		return false
	}
	switch b.class(i) {
	case "is", "with", "enter", "password", "code", "key":
		return b.closeCue(to)
	}
	return false
}

// cell returns the contents of a cell of several words, after a bar, a tab or several blanks.
func (b *scorer) cell(i int) (start, end int) {
	w := &b.words[i]
	at := w.start
	for at > b.from && b.Text[at-1] == ' ' {
		at--
	}
	if at == b.from || !cellMark[b.Text[at-1]] && w.start-at < 2 {
		return 0, 0
	}
	end = min(assign.EndOfLine(b.Text, w.start), b.to)
	for _, mark := range []string{"|", "\t", "  "} {
		if n := strings.Index(b.Text[w.start:end], mark); n > 0 {
			end = w.start + n
		}
	}
	return w.start, w.start + len(strings.TrimRight(b.Text[w.start:end], " .,\r\"'`*"))
}

// cellMark contains the signs between cells.
var cellMark = setOf("|\t")
