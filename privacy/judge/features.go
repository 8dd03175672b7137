package judge

import (
	"strings"

	"keepmum/privacy/public"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// A feature is a group and its values, as in "value.kind=joined#": `mum redact --why` prints features, and
// privacy/judge/weights.txt lists them.
//
//	value.*   what the candidate looks like
//	before.*  what is before it: cues, the words between, signs
//	behind.*  what is after it
//	line.*    what sort of line it is in

var numerals = [...]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16"}

// numeral returns a small number as text; all large numbers are the same.
func numeral(n int) string { return numerals[min(max(n, 0), len(numerals)-1)] }

// distance returns a number of words as text.
func distance(n int) string {
	switch {
	case n <= 3:
		return numerals[max(n, 0)]
	case n <= 6:
		return "4-6"
	case n <= 12:
		return "7-12"
	}
	return "13-"
}

// byteNames are the names of bytes in features: themselves, if they can be seen.
var byteNames = func() (out [256]string) {
	for i := range out {
		out[i] = string([]byte{byte(i)})
		if i < ' ' {
			out[i] = "$"
		} else if i >= 0x80 {
			out[i] = "wide"
		}
	}
	return out
}()

// valueFeatures adds what a candidate looks like, and returns it in one word: its kind, and whether its parts are known
// words.
func (b *scorer) valueFeatures(c *candidate) string {
	v := b.Text[c.start:c.end]
	f := &b.f
	known, parts, rarest := c.known, c.parts, c.rarest
	odd := c.kind + " " + oddNames[c.odd]
	f.put(fValueKind, c.kind)
	if w := b.words[c.at]; c.joint != 0 {
		f.put(fValuePart, c.kind, string(c.joint), sizeNames[sizeOf(w.end-w.start)])
	}
	f.put(fValueOdd, odd)
	f.put(fValueShape, shape(v, &b.f.room))
	f.put(fValueSize, c.kind, sizeNames[sizeOf(len(v))])
	f.put(fValueWords, numeral(parts), numeral(known))
	f.put(fValueRarest, numeral(int(rarest)))
	f.put(fValueDigits, c.kind, numeral(c.n.digits))
	f.put(fValueCapitals, numeral(min(c.n.upper, 4)), numeral(min(c.n.humps, 4)))
	f.put(fValueEnds, ending(v))
	f.put(fValueJoints, numeral(min(c.n.joints, 4)), jointNames[jointsOf(v)])
	if c.n.signs > 0 {
		f.put(fValueSigns, numeral(min(c.n.signs, 4)))
		for i := range len(v) {
			if strings.IndexByte("!#$%&*+?^~@;,/\\'\"()[]{}<>=|:", v[i]) >= 0 {
				f.put(fValueSign, v[i:i+1])
			}
		}
	}
	return odd
}

// textFeatures adds how the letters of a candidate follow each other, and whether it occurs again.
func (b *scorer) textFeatures(c *candidate) {
	b.f.put(fValueSurprise, numeral(int(2*value.CrossEntropy(b.Text[c.start:c.end]))))
	if n := b.repeated(c); n > 0 {
		b.f.put(fValueAgain, numeral(min(n, 3)))
	}
}

// predicateFeatures adds the predicates that hold for a candidate; without a watcher, only those with a weight.
func (b *scorer) predicateFeatures(c *candidate) {
	asked, lift := b.w.predicates, b.w.lift
	if b.Watch != nil {
		asked, lift = predicates, maxScore
	}
	plain := value.WithoutMarks(b.Text[c.start:c.end])
	for _, is := range asked {
		if b.f.score+lift < b.bar {
			return // the rest cannot lift the score to the threshold
		}
		lift -= max(is.weight, 0)
		if is.so(plain) {
			b.f.put(fValueIs, is.name)
		}
	}
}

// predicate is a yes-or-no property of values.
type predicate struct {
	name   string
	so     func(string) bool
	weight float32
}

const maxScore = 1e6 // more than any sum of weights

var predicates = []predicate{
	{name: "chosen", so: value.SymbolPassword},
	{name: "handwritten", so: value.PunctuatedPassword},
	{name: "picked", so: value.AlnumPassword},
	{name: "typed", so: value.LettersAndDigits},
	{name: "marked", so: value.WordWithSymbol},
	{name: "unlike words", so: value.RandomLetters},
	{name: "wordy", so: value.ReadsLikeWords},
	{name: "code", so: value.CodeLike},
	{name: "version", so: value.VersionLike},
	{name: "dummy", so: value.Placeholder},
	{name: "technical", so: technicalTerm},
	{name: "operands", so: value.Expression},
	{name: "held out", so: certainPassword},
	{name: "host", so: HostLike},
	{name: "type", so: TypeName},
	{name: "hex", so: value.HexKey},
	{name: "public", so: public.Form},
}

// repeated counts how often else a candidate is in the text around it.
func (b *scorer) repeated(c *candidate) int {
	const around = 1 << 8
	near := b.Text[max(0, c.start-around):min(len(b.Text), c.end+around)]
	return strings.Count(near, b.Text[c.start:c.end]) - 1
}

// leadFeatures adds what leads to a candidate, and returns it in one word.
func (b *scorer) leadFeatures(c *candidate, odd string) string {
	f := &b.f
	sign := b.signBefore(c)
	one, two, three := b.wordBefore(c, 1), b.wordBefore(c, 2), b.wordBefore(c, 3)
	of1, of2, of3 := b.classBefore(c, 1), b.classBefore(c, 2), b.classBefore(c, 3)
	f.put(fBeforeSign, sign)
	f.put(fBeforeSignKind, sign, c.kind)
	f.put(fBeforeWord, one)
	f.put(fBeforeWord2, two)
	f.put(fBeforeWords, two, one)
	f.put(fBeforeStem, stem(one), sign)
	f.put(fBeforeStem2, stem(two))
	f.put(fBeforeStem3, stem(three))
	f.put(fBeforeClass, of1)
	f.put(fBeforeClasses, of1, of2, of3)
	f.put(fBeforeClassKind, of1, c.kind)
	f.put(fBeforeClassOdd, of1, odd)
	f.put(fBeforeClassSign, of1, sign)
	lead := "none"
	if k := c.behind; k >= 0 {
		lead = b.cueFeatures(&cueBefore, k, c.start, odd, c.kind)
		b.nameFeatures(k, c.kind)
		for n := k - 1; n >= 0 && n > k-4; n-- {
			if b.cues[n].Of != b.cues[k].Of {
				b.cueFeatures(&cueSecond, n, c.start, odd, c.kind)
				break
			}
		}
	} else if n := b.cueBehind(c.end); n >= 0 {
		lead = scan.CueNames[b.cues[n].Of] + " behind"
	}
	f.put(fBeforeLead, lead, of1)
	f.put(fBeforeLeadSign, lead, sign)
	f.put(fBeforeLeadClassSign, lead, of1, sign)
	if c.joint != 0 {
		account := accountLike(strings.TrimRight(c.part, partingSigns))
		f.put(fBeforePart, string(c.joint), account, odd)
		f.put(fBeforePartLead, string(c.joint), account, lead)
	} else if one != "" {
		f.put(fBeforeAccount, accountLike(one), sign, odd)
		f.put(fBeforeAccountLead, accountLike(one), sign, lead)
	}
	return lead
}

// cueFeatures adds what is known about a cue near a candidate, and returns it in one word.
func (b *scorer) cueFeatures(g *cueGroups, n, at int, odd, kind string) string {
	k := b.cues[n]
	f := &b.f
	low, high := k.End, at
	if k.Start >= at {
		low, high = at, k.Start
	}
	between := b.Text[low:max(low, high)]
	where := ""
	if lines := linesIn(between); lines > 0 && k.Start < b.line.start {
		where = "above"
		if lines > 1 {
			where = "far above"
		}
	}
	of := scan.CueNames[k.Of]
	blanks := strings.Count(between, " ")
	if n := strings.IndexByte(between, '\n'); n >= 0 && b.line.joined && k.Start >= b.line.start {
		blanks = strings.Count(between[:n], " ") + 1 // as on one line
	}
	far := distance(blanks)
	f.put(g.cue, of, far, where)
	f.put(g.odd, of, where, odd)
	f.put(g.farKind, of, far, where, kind)
	word := value.LowerASCII(b.Text[k.Start:k.End])
	f.put(g.word, word, where)
	f.put(g.wordKind, stem(word), kind)
	return of + " " + far + where
}

// linesIn returns how many lines a text goes on to. Those that only set off what follows, empty ones and the fences of
// code, do not count.
func linesIn(text string) (n int) {
	for {
		at := strings.IndexByte(text, '\n')
		if at < 0 {
			return n
		}
		if line := strings.TrimLeft(text[:at], " \t\r>"); n == 0 || line != "" && !strings.HasPrefix(line, "```") {
			n++
		}
		text = text[at+1:]
	}
}

// nameFeatures adds the first and the last part of a name that contains a cue: label_password_lost, DB_PASSWORD.
func (b *scorer) nameFeatures(n int, kind string) {
	const longest = 32
	k := b.cues[n]
	from, to := k.Start, k.End
	for from > b.from && k.Start-from < longest && nameByte[b.Text[from-1]] {
		from--
	}
	for to < len(b.Text) && to-k.End < longest && nameByte[b.Text[to]] {
		to++
	}
	if to-from == k.End-k.Start {
		return
	}
	first, _, _ := strings.Cut(b.Text[from:k.Start], "_")
	last := b.Text[k.End:to]
	last = last[strings.LastIndexByte(last, '_')+1:]
	b.f.put(fBeforeName, stem(value.LowerASCII(first)), stem(value.LowerASCII(last)))
	b.f.put(fBeforeNameKind, stem(value.LowerASCII(first)), kind)
}

// nameByte are the bytes of names in programs.
var nameByte = setOf(value.Letters + "_0123456789")

// trailingFeatures adds what follows a candidate.
func (b *scorer) trailingFeatures(c *candidate, odd, lead string) {
	f := &b.f
	sign := b.signBehind(c)
	next := b.wordBehind(c, 1)
	of := "nothing"
	if i := b.after(c, 1); i >= 0 {
		of = b.class(i)
	}
	f.put(fBehindSign, sign)
	f.put(fBehindSignKind, sign, c.kind)
	f.put(fBehindSignLead, sign, lead)
	f.put(fBehindWord, next)
	f.put(fBehindWord2, b.wordBehind(c, 2))
	f.put(fBehindStem, stem(next), sign)
	f.put(fBehindClass, of)
	f.put(fBehindClassOdd, of, odd)
	for n := c.behind + 1; n < len(b.cues); n++ {
		if k := b.cues[n]; k.Start >= c.end {
			if k.Start-c.end < 80 && strings.IndexByte(b.Text[c.end:k.Start], '\n') < 0 {
				b.cueFeatures(&cueBehind, n, c.end, odd, c.kind)
			}
			break
		}
	}
}

// stem returns the first letters of a word: languages change word endings.
func stem(word string) string {
	const letters = 5
	n := 0
	for i := range word {
		if n == letters {
			return word[:i]
		}
		n++
	}
	return word
}

// lineFeatures adds what sort of line a candidate is in.
func (b *scorer) lineFeatures(c *candidate, odd, lead string) {
	f, l := &b.f, &b.line
	f.put(fLineKind, l.kind)
	f.put(fLineKindOdd, l.kind, odd)
	f.put(fLineKindKind, l.kind, c.kind)
	f.put(fLineLead, l.kind, lead)
	f.put(fLineWords, l.kind, distance(l.words))
	f.put(fLineBegins, l.begins)
	f.put(fLineBeginsKind, l.begins, c.kind)
	f.put(fLineOdd, l.kind, numeral(min(l.odd, 6)))
	b.lineWordFeatures(c)
	f.put(fLineCues, l.cues)
	f.put(fLineCuesKind, l.cues, c.kind)
	f.put(fLineOver, l.over, l.begins)
	f.put(fLineOverOdd, l.over, odd)
	if column := b.column(c); column != "" {
		f.put(fLineColumn, column)
		f.put(fLineColumnOdd, column, odd)
	}
	if b.isTaken(l.start, c.start) || b.isTaken(c.end, l.end) {
		f.put(fLineTaken, c.kind)
	}
	at := "inside"
	switch {
	case strings.TrimSpace(b.Text[l.start:c.start]) == "":
		at = "first"
	case strings.TrimSpace(b.Text[c.end:l.end]) == "":
		at = "last"
	}
	if at != "inside" {
		w := b.words[c.at]
		f.put(fLineAlone, at, c.kind, sizeNames[sizeOf(w.end-w.start)])
	}
	f.put(fLineAt, at, l.kind)
	f.put(fLineAtOdd, at, odd)
}

// lineWordFeatures adds the words around a candidate, anywhere on its line.
func (b *scorer) lineWordFeatures(c *candidate) {
	const reach = 8
	for n := 1; n <= reach; n++ {
		if i := b.before(c, n); i >= 0 {
			b.lineWord(fLineBefore, i, func(w *word) float32 { return w.before })
		} else if w := b.wordBefore(c, n); w != "" && w != "#" {
			b.f.put(fLineBefore, stem(w))
		}
		if i := b.after(c, n); i >= 0 {
			b.lineWord(fLineBehind, i, func(w *word) float32 { return w.behind })
		}
	}
}

// lineWord adds such a feature of a word; its weights are looked up once for all candidates of the line.
func (b *scorer) lineWord(g group, i int, weight func(*word) float32) {
	w := b.readWord(i)
	switch {
	case w.low == "", w.low == "#":
		return
	case b.f.recorded:
		b.f.put(g, stem(w.low))
		return
	case !w.weighed:
		of := stem(w.low)
		w.before, w.behind = b.f.weight(fLineBefore, of), b.f.weight(fLineBehind, of)
		w.weighed = true
	}
	b.f.score += weight(w)
}
