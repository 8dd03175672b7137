package scan

import (
	"slices"
	"strings"
)

// finder finds the values of an event in its texts. It searches for a few values one by one, and for many in one pass:
// where six bytes may start a value, it looks up the text that follows, in each length that a value with this start
// has.
type finder struct {
	values  map[string]string // with their rules
	seeds   *[1024]uint64     // bit set of the first bytes of values
	lengths map[uint64][]int  // of the values that start with these bytes
}

const manyValues = 8

// NewFinder returns a finder for values, each with the rule that names it.
func NewFinder(values map[string]string) *finder {
	f := &finder{values: values}
	if len(values) <= manyValues {
		return f
	}
	f.seeds, f.lengths = new([1024]uint64), make(map[uint64][]int, len(values))
	for v := range values {
		if len(v) < AnchorLen {
			continue // it would match in ordinary words
		}
		start := Edge(v, AnchorLen)
		bit := seed(start)
		f.seeds[bit>>6] |= 1 << (bit & 63)
		if known := f.lengths[start]; !slices.Contains(known, len(v)) {
			f.lengths[start] = append(known, len(v))
		}
	}
	return f
}

// seed returns the index of six bytes in the bit set.
func seed(packed uint64) uint16 { return uint16(packed * 0x9e3779b97f4a7c15 >> 48) }

// In returns where the values are in a text.
func (f *finder) In(text string) (out []Span) {
	if f.seeds == nil {
		for v, rule := range f.values {
			out = append(out, Occurrences(text, v, rule)...)
		}
		return out
	}
	packed, last := Edge(text, AnchorLen)>>8, map[string]int{}
	for end := AnchorLen; end <= len(text); end++ {
		packed = (packed<<8 | uint64(text[end-1])) & (1<<48 - 1)
		if bit := seed(packed); f.seeds[bit>>6]&(1<<(bit&63)) == 0 {
			continue
		}
		at := end - AnchorLen
		for _, n := range f.lengths[packed] {
			if at+n > len(text) {
				continue
			}
			v := text[at : at+n]
			if rule, known := f.values[v]; known && at >= last[v] {
				last[v] = at + n
				out = append(out, Span{Start: at, End: at + n, Rule: rule, Value: v})
			}
		}
	}
	return out
}

// Occurrences returns where one value is in a text.
func Occurrences(text, value, rule string) []Span {
	var out []Span
	for at := 0; ; {
		i := strings.Index(text[at:], value)
		if i < 0 {
			return out
		}
		out = append(out, Span{Start: at + i, End: at + i + len(value), Rule: rule, Value: value})
		at += i + len(value)
	}
}
