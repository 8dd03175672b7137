package judge

import (
	"maps"
	"slices"

	"keepmum/privacy/scan"
)

const rounding = 0.01 // more than another order of a sum can change

// firstStage adds up the few features that separate most words from secrets; a candidate with a low sum is not checked
// any further.
func (b *scorer) firstStage(c *candidate) {
	lead, before, after, size := b.leadOf(c), byte('^'), byte('$'), sizeOf(c.end-c.start)
	if c.announced {
		before = ' ' // as on one line
	} else if c.start > 0 {
		before = b.Text[c.start-1]
	}
	if c.end < len(b.Text) {
		after = b.Text[c.end]
	}
	f := &b.f
	if !f.recorded {
		row := b.row(c.kind)
		rest := row.lead[lead] + row.sign[before] + row.behind[after] + row.size[size]
		least := -rounding - f.score - rest // of the dictionary's weight: less does not change that it is ruled out
		if row.mostOdd < least {
			f.score += rest + row.mostOdd
			return
		}
		if !b.lookUp(c, row, least) {
			f.score += rest + row.oddUpTo[c.rarest]
			return
		}
		f.score += row.odd[c.odd][c.rarest]
		f.score += row.lead[lead]
		f.score += row.sign[before]
		f.score += row.behind[after]
		f.score += row.size[size]
		return
	}
	b.lookUp(c, nil, 0)
	f.put(fFirstOdd, c.kind, oddNames[c.odd], numeral(int(c.rarest)))
	f.put(fFirstLead, leadNames[lead], c.kind)
	f.put(fFirstSign, byteNames[before], c.kind)
	f.put(fFirstBehind, byteNames[after], c.kind)
	f.put(fFirstSize, sizeNames[size], c.kind)
}

// row contains the weights of these features for values of one kind.
type row struct {
	odd          [len(oddNames)][len(numerals)]float32
	mostOdd      float32                // the highest of these
	oddUpTo      [len(numerals)]float32 // the highest if the rarest part is at most that common
	lead         [len(leadNames)]float32
	sign, behind [256]float32
	size         [len(sizeNames)]float32
	most         [len(leadNames)]float32 // the highest sum with a lead, without the sign before
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
	for c, name := range byteNames {
		r.sign[c], r.behind[c] = of(fFirstSign, name, kind), of(fFirstBehind, name, kind)
	}
	for i, size := range sizeNames {
		r.size[i] = of(fFirstSize, size, kind)
	}
	r.oddUpTo[0] = max(r.odd[oddUnknown][0], r.odd[oddPartly][0])
	for n := 1; n < len(numerals); n++ {
		r.oddUpTo[n] = max(r.oddUpTo[n-1], r.odd[oddCommon][n], r.odd[oddKnown][n])
	}
	for i := range leadNames {
		r.most[i] = w.first + r.mostOdd + r.lead[i] + slices.Max(r.behind[:]) + slices.Max(r.size[:])
	}
	r.most[0] = max(r.most[0], slices.Max(r.most[len(leadNames)-len(scan.CueNames):])) // a cue behind it may lead to it
	return r
}

// mayPass reports whether a candidate may pass the first stage, wherever it ends, given what is before it.
func (r *row) mayPass(lead int, sign byte) bool { return r.most[lead]+r.sign[sign] >= -rounding }

// leadNames say which cue leads to a candidate, and how near it is.
var leadNames = func() (out [1 + (nearSteps+1)*len(scan.CueNames)]string) {
	out[0] = "none"
	for of, name := range scan.CueNames {
		for n, near := range [nearSteps]string{"", " near", " beside"} {
			out[1+nearSteps*of+n] = name + near
		}
		out[1+nearSteps*len(scan.CueNames)+of] = name + " behind"
	}
	return out
}()

const nearSteps = 3

// leadOf returns the index in leadNames.
func (b *scorer) leadOf(c *candidate) int {
	if c.behind < 0 {
		if n := b.cueBehind(c.end); n >= 0 {
			return len(leadNames) - len(scan.CueNames) + int(b.cues[n].Of)
		}
	}
	return b.leadFrom(c.behind, c.start)
}

// leadFrom returns that index for a candidate after a cue.
func (b *scorer) leadFrom(cue, start int) int {
	if cue < 0 {
		return 0
	}
	k := b.cues[cue]
	lead := 1 + nearSteps*int(k.Of)
	switch n := start - k.End; {
	case n <= 3:
		return lead + 2
	case n <= nearCue:
		return lead + 1
	}
	return lead
}

// oddNames say whether the parts of a candidate are known words.
var oddNames = [...]string{"no words", "common", "known", "unknown", "partly known"}

// The indexes of oddNames.
const (
	oddNone = iota
	oddCommon
	oddKnown
	oddUnknown
	oddPartly
)

// lookUp looks the parts of a candidate up. If there is a row of weights, it stops when the weight will be lower than
// asked for, and returns false.
func (b *scorer) lookUp(c *candidate, row *row, least float32) bool {
	v := b.Text[c.start:c.end]
	if c.n.plain() && c.at == c.last {
		c.rarest = b.levelOf(c, v)
		c.parts, c.known = 1, bit(c.rarest > 0)
	} else if !b.dictionaryShare(c, v, row, least) {
		return false
	}
	c.setOdd()
	return true
}

// setOdd summarises how many parts of a candidate are known words.
func (c *candidate) setOdd() {
	switch {
	case c.parts == 0:
		c.odd = oddNone
	case c.known == c.parts && c.rarest > commonLevel:
		c.odd = oddCommon
	case c.known == c.parts:
		c.odd = oddKnown
	case c.known == 0:
		c.odd = oddUnknown
	default:
		c.odd = oddPartly
	}
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
