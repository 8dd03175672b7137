package judge

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"keepmum/privacy/assign"
	"keepmum/privacy/public"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// ScoreCandidates takes out what the learned judge considers a secret: words of the text near a cue that no reader has
// taken out. The vetoes of [public.Veto] come after it.
func ScoreCandidates(s *scan.Scanner) {
	if len(s.Cues) == 0 {
		return
	}
	if !slices.IsSortedFunc(s.Cues, byStart) {
		slices.SortFunc(s.Cues, byStart)
	}
	b := scorers.Get().(*scorer)
	b.Scanner = s
	b.use(weightsInUse())
	b.bar = b.w.head["bar."+cmp.Or(s.Sensitivity, Normal)]
	b.taken = scan.Merge(append(b.taken[:0], s.Spans...))
	b.dropCodeCues()
	for n := 0; n < len(s.Cues); {
		n = b.scoreStretch(n)
	}
	b.Scanner = nil
	scorers.Put(b)
}

// use sets the weights, and forgets the rows of others.
func (b *scorer) use(w *weights) {
	if b.w == w {
		return
	}
	b.w, b.rows = w, [len(b.rows)]kindRow{}
	for n, kind := range phraseKinds {
		b.phrases[n] = w.row(kind.name)
	}
}

// kindRow is the row of a kind, so that most look-ups need no map.
type kindRow struct {
	kind string
	row  *row
}

// row returns the weights of the first stage for a kind.
func (b *scorer) row(kind string) *row {
	k := &b.rows[(len(kind)*7+int(kind[0])+int(kind[len(kind)-1]))%len(b.rows)]
	if k.kind != kind {
		*k = kindRow{kind, b.w.row(kind)}
	}
	return k.row
}

func byStart(a, b scan.Cue) int { return a.Start - b.Start }

// How much the judge takes out if it is not sure: docs/privacy.md has the false rates.
const (
	Low    = "low"
	Normal = "normal"
	High   = "high"
)

// Sensitivities returns all of them, from the one that takes out least to the one that takes out most.
func Sensitivities() []string { return []string{Low, Normal, High} }

// How far from a cue a candidate may be.
const (
	reachBefore = 120 // bytes on the line of the cue
	reachBehind = 160 // bytes, and
	reachLines  = 3   // lines after the word for a secret, one less after other cues
	reachHead   = 800 // bytes after a heading or the header of a table
	reachEnter  = 64  // bytes around a word of entering, on its line
	maxWords    = 4096
)

var scorers = sync.Pool{New: func() any { return &scorer{} }}

// scorer is the state of the judge: the words of a stretch of text around cues.
type scorer struct {
	*scan.Scanner
	w        *weights
	phrases  [mostKinds]*row // of the first stage, for phraseKinds
	rows     [32]kindRow     // of other kinds
	bar      float32         // the minimum score to be taken out
	taken    []scan.Span     // what readers found, in order
	words    []word
	cues     []scan.Cue // of the stretch
	from, to int        // the stretch
	next     int        // the first cue that does not start before the current position
	line     line
	f        featureSum
}

// word is a stretch without blanks, and its bounds without the marks around it.
type word struct {
	from, to   int
	start, end int
	n          counts
	level      uint8   // how common it is, [notLooked] if nobody has asked
	read       bool    // low is known: many candidates share their neighbours
	low        string  // the word in lower case, "#" if it is none
	class      string  // see [speech.ClassOf]; "" = not known yet
	weighed    bool    // before and behind are known
	before     float32 // the weight of the feature line.before
	behind     float32 // and that of line.behind
}

// plain reports whether a word is only letters, with no capital after a lower-case letter.
func (n *counts) plain() bool { return n.digits+n.signs+n.humps+n.joints == 0 }

// candidate is a word, or a part of one, that may be a secret.
type candidate struct {
	start, end int
	at, last   int    // its first and last word
	part       string // what is before it in the same word, with the sign between
	joint      byte   // that sign, 0 = none
	kind       string // what the value looks like
	n          counts
	behind     int  // the cue before it, -1 = none
	announced  bool // see [scorer.announced]
	parts      int  // of words
	known      int  // those that are in ordinary text
	rarest     uint8
	odd        int // summary of these counts, see [oddNames]
	score      float32
}

// dropCodeCues drops cues on lines of programs, except those that name a password: there the readers of names and
// values know more.
func (b *scorer) dropCodeCues() {
	kept, last, code := b.Cues[:0], -1, false
	for _, c := range b.Cues {
		if c.Start >= last {
			start := value.LineStart(b.Text, c.Start, assign.MaxLine/2)
			last = value.LineEnd(b.Text, c.End, min(len(b.Text), c.End+assign.MaxLine/2))
			code = ofProgram(b.Text[start:last])
		}
		if !code || c.Of == scan.CuePassword {
			kept = append(kept, c)
		}
	}
	b.Cues = kept
}

// scoreStretch judges the words around the cues from the nth on whose surroundings touch each other, and returns the
// number of the next cue.
func (b *scorer) scoreStretch(n int) int {
	first := n
	b.from = b.windowStart(b.Cues[n])
	b.to = b.windowEnd(b.Cues[n])
	for n++; n < len(b.Cues) && b.windowStart(b.Cues[n]) <= b.to; n++ {
		b.to = max(b.to, b.windowEnd(b.Cues[n]))
		if b.to-b.from > 64<<10 {
			n++
			break
		}
	}
	b.cues, b.next = b.Cues[first:n], 0
	b.split()
	b.next = 0
	b.line = line{}
	for i := range b.words {
		b.scoreWord(i)
		b.scorePhrases(i)
	}
	return n
}

// isTaken reports whether a reader has found something in [from, to).
func (b *scorer) isTaken(from, to int) bool {
	n, _ := slices.BinarySearchFunc(b.taken, from, func(s scan.Span, at int) int { return s.End - at })
	for ; n < len(b.taken) && b.taken[n].Start < to; n++ {
		if b.taken[n].End > from {
			return true
		}
	}
	return false
}

// score scores a candidate, and reports whether it is the best one yet.
func (b *scorer) score(c, best *candidate) bool {
	c.behind = b.cueBefore(c.start)
	if c.kind == "" && !b.passesFilter(c) {
		return false
	}
	if w := &b.words[c.at]; c.kind != "quoted" && c.start > w.start {
		c.part, c.joint = b.Text[w.start:c.start], b.Text[c.start-1]
	}
	c.announced = b.announced(c)
	b.f.begin(b.w, b.w.first, b.Watch != nil)
	b.firstStage(c)
	out := b.f.score < 0
	if !out {
		b.fullScore(c)
	}
	c.score = b.f.score
	if b.Watch != nil {
		b.Watch(scan.Judged{
			Start: c.start, End: c.end, Score: c.score, Bar: b.bar, RuledOut: out, Taken: b.isTaken(c.start, c.end),
			Vetoed:   public.Finding(b.Scanner, scan.Span{Start: c.start, End: c.end, Rule: scan.RulePassword, Judged: true}),
			Features: slices.Clone(b.f.names), Weights: slices.Clone(b.f.parts),
		})
	}
	if out || c.score < best.score || c.score == best.score && best.end > 0 {
		return false
	}
	*best = *c
	return true
}

// fullScore scores a candidate by all of its features, unless those that cost least rule it out: what it looks like
// and what leads to it. Predicates cost most, and run last, if they can lift the score to the threshold.
func (b *scorer) fullScore(c *candidate) {
	f := &b.f
	f.score = b.w.bias
	if c.last > c.at {
		c.n.count(b.Text[c.start:c.end])
	}
	b.findLine(c)
	odd := b.valueFeatures(c)
	lead := b.leadFeatures(c, odd)
	first := f.score
	ruledOut := first < b.bar-mostOfRest
	if ruledOut && b.Watch == nil {
		return
	}
	b.line.read(b)
	b.textFeatures(c)
	b.trailingFeatures(c, odd, lead)
	b.lineFeatures(c, odd, lead)
	if kind := b.line.kind; kind == "code" || kind == "statement" {
		f.score -= InProgram
	}
	if f.score+b.w.lift >= b.bar || b.Watch != nil {
		b.predicateFeatures(c)
	}
	if ruledOut { // who watches sees the same score
		f.score = first
	}
}

// mostOfRest is more than the other features add to the score of any of the 3,500 secrets in the labelled sets that the
// judge alone takes out.
const mostOfRest = 5.5

// redact takes a candidate out, without the flag that it is glued to: -pVALUE.
func (b *scorer) redact(c candidate) {
	if strings.HasSuffix(b.Text[:c.start], " -") && b.Text[c.start] == 'p' {
		c.start++
	}
	if w := &b.words[c.at]; c.start == w.start && c.end < w.end && b.Text[c.end] == '=' {
		c.end = w.end // the sign is part of it: the name before a value is no secret
	}
	cue := ""
	if c.behind >= 0 {
		k := b.cues[c.behind]
		cue = value.LowerASCII(b.Text[k.Start:k.End])
	}
	b.Spans = append(b.Spans, scan.Span{Start: c.start, End: c.end, Rule: scan.RulePassword, Word: cue, Judged: true})
}

// plainWordAllowed reports whether a word of only letters may be a secret: close after a cue, or after a mark that
// leads to a value.
func (b *scorer) plainWordAllowed(i int) bool {
	w := &b.words[i]
	n := b.cueBefore(w.start)
	if n < 0 {
		return w.start > 0 && endsMark[b.Text[w.start-1]] && b.cueBehind(w.end) >= 0
	}
	far := w.start - b.cues[n].End
	if far <= nearCue || b.cueBehind(w.end) >= 0 {
		return true
	}
	marked := w.start > w.from || w.from > b.from && leadMarks[b.Text[w.from-1]]
	return far <= markedCue && (marked || i > 0 && b.leading(b.words[i-1].end, w.start))
}

// leading reports whether the signs between two words lead from a name to a value.
func (b *scorer) leading(from, to int) bool {
	for _, c := range []byte(b.Text[from:to]) {
		if leadMarks[c] || c >= 0x80 {
			return true
		}
	}
	return false
}

// leadMarks are the marks that lead to a value.
var leadMarks = setOf(":=/|>-\"'`(")

// isCue reports whether a candidate is the word of a cue.
func (b *scorer) isCue(c *candidate) bool {
	for n := c.behind + 1; n < len(b.cues) && b.cues[n].Start < c.end; n++ {
		if b.cues[n].End > c.start {
			return true
		}
	}
	return false
}

// cueBefore returns the last cue that ends before an offset, -1 = none. Offsets come in order.
func (b *scorer) cueBefore(at int) int {
	for b.next < len(b.cues) && b.cues[b.next].Start < at {
		b.next++
	}
	n := b.next - 1
	for n >= 0 && b.cues[n].End > at {
		n--
	}
	return n
}

// passesFilter is a cheap check before the first stage: most words are obviously no secrets, and need no features.
func (b *scorer) passesFilter(c *candidate) bool {
	v := b.Text[c.start:c.end]
	if w := &b.words[c.at]; c.start == w.start && c.end == w.end {
		c.n = w.n
	} else {
		c.n = count(v)
	}
	if c.n.letters+c.n.digits < shortest || strings.HasPrefix(b.Text[c.end:], "(") || !b.classAllowed(c, v) {
		return false
	}
	if c.n.digits == 0 && c.n.signs == 0 && b.isCue(c) {
		return false
	}
	if c.n.signs > 0 && technicalSigns(v) || len(v) >= encodedLeast && b.inBlock(c) {
		return false
	}
	c.kind = kindOf(v, c.n)
	return c.kind != "path"
}

// classAllowed reports whether a candidate may be a secret by the classes of its characters.
func (b *scorer) classAllowed(c *candidate, v string) bool {
	switch {
	case c.n.plain():
		return c.n.letters >= 4 && b.plainWordAllowed(c.at) && b.levelOf(c, v) <= commonLevel
	case c.n.brackets > 0 && (c.n.digits == 0 || len(v) < 8):
		return false // an expression
	}
	return c.n.digits < len(v) || len(v) <= 12
}

// level returns how common a word is in ordinary text.
func (b *scorer) level(i int) uint8 {
	w := &b.words[i]
	if w.level == notLooked {
		w.level = b.w.common.Get(hashLower(b.Text[w.start:w.end]))
	}
	return w.level
}

const notLooked = 255

// levelOf returns how common the value of a candidate is, which is a word or a part of one.
func (b *scorer) levelOf(c *candidate, v string) uint8 {
	if w := &b.words[c.at]; c.start == w.start && c.end == w.end {
		return b.level(c.at)
	}
	return b.w.common.Get(hashLower(v))
}

// technicalSigns reports whether a value with signs is of a format string, a manual page, an address, or a variable.
func technicalSigns(v string) bool {
	return strings.Contains(v, "%%") || technicalTerm(v) || strings.Contains(v, "://")
}

// InProgram is how much higher a score must be on a line of a program. Without it, at the same threshold, the judge
// took out more of test code and of strings in programs than of all other text.
const InProgram = 1.5

const commonLevel = 4 // words above this level are in one of a few hundred ordinary texts

// How many bytes after a cue a word of only letters may be a secret.
const (
	nearCue   = 48  // any
	markedCue = 160 // one with a mark before it
)
