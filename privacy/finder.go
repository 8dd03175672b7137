package privacy

import (
	"slices"
	"strings"
)

// finder finds the values of an event in its texts. A few are searched for one by
// one; a flood of them is found in one pass: where six bytes begin a value, the
// text is looked up with the lengths that such values have.
type finder struct {
	values  map[string]string // and their rules
	seeds   *[1024]uint64     // bit set over what many values begin with
	lengths map[uint64][]int  // of the values that begin so
}

const manyValues = 8

func newFinder(values map[string]string) *finder {
	f := &finder{values: values}
	if len(values) <= manyValues {
		return f
	}
	f.seeds, f.lengths = new([1024]uint64), make(map[uint64][]int, len(values))
	for v := range values {
		if len(v) < anchorLen {
			continue // it would be found in words
		}
		start := edge(v, anchorLen)
		bit := seed(start)
		f.seeds[bit>>6] |= 1 << (bit & 63)
		if known := f.lengths[start]; !slices.Contains(known, len(v)) {
			f.lengths[start] = append(known, len(v))
		}
	}
	return f
}

// seed is where in the bit set six bytes are noted.
func seed(packed uint64) uint16 { return uint16(packed * 0x9e3779b97f4a7c15 >> 48) }

// in returns where the values stand in a text.
func (f *finder) in(text string) (out []span) {
	if f.seeds == nil {
		for v, rule := range f.values {
			out = append(out, occurrences(text, v, rule)...)
		}
		return out
	}
	packed, last := edge(text, anchorLen)>>8, map[string]int{}
	for end := anchorLen; end <= len(text); end++ {
		packed = (packed<<8 | uint64(text[end-1])) & (1<<48 - 1)
		if bit := seed(packed); f.seeds[bit>>6]&(1<<(bit&63)) == 0 {
			continue
		}
		at := end - anchorLen
		for _, n := range f.lengths[packed] {
			if at+n > len(text) {
				continue
			}
			v := text[at : at+n]
			if rule, known := f.values[v]; known && at >= last[v] {
				last[v] = at + n
				out = append(out, span{start: at, end: at + n, rule: rule, value: v})
			}
		}
	}
	return out
}

// occurrences returns where one value stands in a text.
func occurrences(text, value, rule string) []span {
	var out []span
	for at := 0; ; {
		i := strings.Index(text[at:], value)
		if i < 0 {
			return out
		}
		out = append(out, span{start: at + i, end: at + i + len(value), rule: rule, value: value})
		at += i + len(value)
	}
}
