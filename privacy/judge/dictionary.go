package judge

import (
	"keepmum/privacy/scan"
)

// dictionaryShare counts the parts of a value with three or more letters, counts those that are in ordinary text, and
// returns how common the rarest of these is.
func (b *scorer) dictionaryShare(v string) (known, parts int, rarest uint8) {
	rarest = 16
	from := -1
	end := func(to int) {
		if from >= 0 && to-from >= 3 {
			parts++
			level := b.w.common.get(hashLower(v[from:to]))
			rarest = min(rarest, level)
			known += bit(level > 0)
		}
		from = -1
	}
	for i := range len(v) {
		c := v[i]
		letter, capital := scan.LetterByte(c), c >= 'A' && c <= 'Z'
		hump := capital && i > 0 && v[i-1] >= 'a' && v[i-1] <= 'z'
		if !letter || hump {
			end(i)
		}
		if letter && from < 0 {
			from = i
		}
	}
	end(len(v))
	if parts == 0 {
		rarest = 0
	}
	return known, parts, rarest
}

func hashLower(s string) uint64 {
	sum := uint64(fnvStart)
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		sum = (sum ^ uint64(c)) * fnvPrime
	}
	return sum
}
