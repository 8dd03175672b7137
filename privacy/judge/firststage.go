package judge

import (
	"maps"

	"keepmum/privacy/scan"
)

const rounding = 0.01 // more than another order of a sum can change

// firstStage adds up the few features that separate most words from secrets; a candidate with a low sum is not checked
// any further.
func (b *scorer) firstStage(c *candidate) {
	lead, before, after, size := b.leadOf(c), byte('^'), byte('$'), sizeOf(c.end-c.start)
	if c.start > 0 {
		before = b.Text[c.start-1]
	}
	if c.end < len(b.Text) {
		after = b.Text[c.end]
	}
	f := &b.f
	if !f.named {
		row := b.w.row(c.kind)
		rest := row.lead[lead] + row.sign[before] + row.behind[after] + row.size[size]
		if most := f.score + row.mostOdd + rest; most < -rounding {
			f.score = most // the dictionary is slow, and cannot change it
			return
		}
		f.score += row.odd[b.oddness(c)][c.rarest]
		f.score += row.lead[lead]
		f.score += row.sign[before]
		f.score += row.behind[after]
		f.score += row.size[size]
		return
	}
	b.oddness(c)
	f.put(fFirstOdd, c.kind, c.odd, numeral(int(c.rarest)))
	f.put(fFirstLead, leadNames[lead], c.kind)
	f.put(fFirstSign, bytes[before], c.kind)
	f.put(fFirstBehind, bytes[after], c.kind)
	f.put(fFirstSize, sizeNames[size], c.kind)
}

// row contains the weights of these features for values of one kind.
type row struct {
	odd          [len(oddNames)][len(numerals)]float32
	mostOdd      float32 // the highest of these
	lead         [len(leadNames)]float32
	sign, behind [256]float32
	size         [len(sizeNames)]float32
}

// row returns the weights for a kind; they are read when first needed.
func (w *weights) row(kind string) *row {
	rows := w.rows.Load()
	if rows != nil {
		if r := (*rows)[kind]; r != nil {
			return r
		}
	}
	r, more := w.readRow(kind), map[string]*row{}
	if rows != nil {
		maps.Copy(more, *rows)
	}
	more[kind] = r
	w.rows.CompareAndSwap(rows, &more) // if another row was stored first, this one is read again
	return r
}

func (w *weights) readRow(kind string) *row {
	f := featureSum{w: w}
	of := f.weight
	r := &row{}
	for i, odd := range oddNames {
		for n, rarest := range numerals {
			r.odd[i][n] = of(fFirstOdd, kind, odd, rarest)
			r.mostOdd = max(r.mostOdd, r.odd[i][n])
		}
	}
	for i, lead := range leadNames {
		r.lead[i] = of(fFirstLead, lead, kind)
	}
	for c, name := range bytes {
		r.sign[c], r.behind[c] = of(fFirstSign, name, kind), of(fFirstBehind, name, kind)
	}
	for i, size := range sizeNames {
		r.size[i] = of(fFirstSize, size, kind)
	}
	return r
}

// leadNames say which cue leads to a candidate, and how near it is.
var leadNames = func() (out [1 + (nearSteps+1)*len(cueNames)]string) {
	out[0] = "none"
	for of, name := range cueNames {
		for n, near := range [nearSteps]string{"", " near", " beside"} {
			out[1+nearSteps*of+n] = name + near
		}
		out[1+nearSteps*len(cueNames)+of] = name + " behind"
	}
	return out
}()

const nearSteps = 3

// leadOf returns the index in leadNames.
func (b *scorer) leadOf(c *candidate) int {
	if c.behind < 0 {
		if n := b.cueBehind(c.end); n >= 0 {
			return len(leadNames) - len(cueNames) + int(b.cues[n].Of)
		}
		return 0
	}
	k := b.cues[c.behind]
	lead := 1 + nearSteps*int(k.Of)
	switch n := c.start - k.End; {
	case n <= 3:
		return lead + 2
	case n <= nearCue:
		return lead + 1
	}
	return lead
}

var cueNames = [...]string{
	scan.CuePassword: "password", scan.CueKey: "key", scan.CueAccount: "account", scan.CueCode: "code",
	scan.CueThing: "thing", scan.CueEnter: "enter",
}

// oddNames say whether the parts of a candidate are known words.
var oddNames = [...]string{"no words", "common", "known", "unknown", "partly known"}

// oddness looks the parts of a candidate up, and returns the index in oddNames.
func (b *scorer) oddness(c *candidate) (odd int) {
	v := b.Text[c.start:c.end]
	if c.n.plain() && c.at == c.last {
		c.rarest = b.levelOf(c, v)
		c.parts, c.known = 1, bit(c.rarest > 0)
	} else {
		c.known, c.parts, c.rarest = b.dictionaryShare(v)
	}
	switch {
	case c.parts == 0:
		odd = 0
	case c.known == c.parts && c.rarest > commonLevel:
		odd = 1
	case c.known == c.parts:
		odd = 2
	case c.known == 0:
		odd = 3
	default:
		odd = 4
	}
	c.odd = oddNames[odd]
	return odd
}

// sizeNames are ranges of lengths of values.
var sizeNames = [...]string{
	"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13-16", "17-24", "25-32", "33-48", "49-",
}

// sizeOf returns the index of the range of a length.
func sizeOf(n int) int {
	switch {
	case n <= 12:
		return n
	case n <= 16:
		return 13
	case n <= 24:
		return 14
	case n <= 32:
		return 15
	case n <= 48:
		return 16
	}
	return 17
}
