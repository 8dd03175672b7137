package judge

import (
	"strings"
	"unicode"

	"keepmum/privacy/fnvmap"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// dictionaryShare counts the parts of a value with three or more letters, counts those that are in ordinary text, and
// keeps how common the rarest of these is. It returns false as soon as the weight of these counts must be too low.
func (b *scorer) dictionaryShare(c *candidate, v string, row *row, least float32) bool {
	c.known, c.parts, c.rarest = 0, 0, mostCommon
	from := -1
	for i := 0; i <= len(v); i++ {
		letter, hump := false, false
		if i < len(v) {
			letter = scan.LetterByte(v[i])
			hump = isLower(v[i]|0x20) && !isLower(v[i]) && i > 0 && isLower(v[i-1])
		}
		if from >= 0 && (!letter || hump) {
			if i-from >= 3 {
				level := b.w.common.Get(hashLower(v[from:i]))
				c.parts++
				c.rarest = min(c.rarest, level)
				c.known += bit(level > 0)
				if row != nil && row.oddUpTo[c.rarest] < least {
					return false
				}
			}
			from = -1
		}
		if letter && from < 0 {
			from = i
		}
	}
	if c.parts == 0 {
		c.rarest = 0
	}
	return true
}

const mostCommon = uint8(len(numerals) - 1) // the highest level of a word

func hashLower(s string) uint64 {
	sum := uint64(fnvmap.Start)
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		sum = (sum ^ uint64(c)) * fnvmap.Prime
	}
	return sum
}

// Coined reports whether a value of letters and digits is made of no words: a part of it is in no ordinary text, or no
// part has three letters and digits come between them often, twice if there are large and small ones. A word with one
// or two digits may be a product and its version.
func Coined(v string) bool {
	const (
		longest, shortest = 64, 7
		unknownPart       = 5 // letters
		manyRuns          = 3 // of digits
	)
	n := value.CountKinds(v)
	if len(v) < shortest || len(v) > longest || n.Digits == 0 || strings.ContainsAny(v, "./:\\()[]{}<>=,;|'\"` ") {
		return false
	}
	if bare := strings.TrimRight(v, "0123456789"); len(v)-len(bare) < 3 && value.CountKinds(bare).Digits == 0 {
		return false
	}
	c, b := candidate{}, scorer{w: weightsInUse()}
	for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if b.dictionaryShare(&c, part, nil, 0); c.known < c.parts && len(part) >= unknownPart {
			return true
		}
		if c.parts > 0 {
			n.Runs = 0
		}
	}
	return n.Runs >= manyRuns || n.Runs == manyRuns-1 && n.Upper > 1 && n.Lower > 1
}
