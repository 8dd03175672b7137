package value

import (
	_ "embed"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
)

// bigramText holds how surprising each pair of letters is in code and English, in sixteenths of a bit (see
// tools/rulegen). Entropy alone cannot tell a key from a long name, but the order of the letters can.
//
//go:embed bigrams.txt
var bigramText string

// The classes of bytes in that table; the letters are before them.
const (
	digitClass = 26 + iota
	edgeClass  // anything else, and what is before the first byte
	letterClasses
)

const newWord = 24 // sixteenths of a bit that a capital inside a word costs

var surprises = sync.OnceValue(func() *[letterClasses * letterClasses]uint8 {
	var table [letterClasses * letterClasses]uint8
	raw, err := hex.DecodeString(strings.ReplaceAll(bigramText, "\n", ""))
	if err != nil || len(raw) != len(table) {
		panic("the embedded letter statistics are broken")
	}
	copy(table[:], raw)
	return &table
})

func letterClass(c byte) int {
	switch {
	case Letter(c):
		return int(c|0x20) - 'a'
	case Digit(c):
		return digitClass
	}
	return edgeClass
}

// CrossEntropy returns the mean surprise of a text per byte, in bits: names and words are below 4, random letters and
// digits above 5. A capital inside a word starts a new word at a small cost, because random text is full of capitals.
func CrossEntropy(s string) float64 {
	if s == "" {
		return 0
	}
	table := surprises()
	sum, last := 0, edgeClass
	for i := range len(s) {
		c := s[i]
		next := letterClass(c)
		if i > 0 && isUpper(c) && isLower(s[i-1]) { // camelCase
			last = edgeClass
			sum += newWord
		}
		if i > 1 && isLower(c) && isUpper(s[i-1]) && isUpper(s[i-2]) { // HTTPServer
			sum += newWord
		}
		sum += int(table[last*letterClasses+next])
		last = next
	}
	return float64(sum) / float64(16*len(s))
}

// Random reports whether a token is too irregular for a name or a word.
func Random(s string) bool {
	if len(s) < 16 || len(s) > 512 {
		return len(s) > 512 && Random(s[:256])
	}
	least, n := DrawnLetters, CountKinds(s)
	switch {
	case n.Other*4 > len(s):
		return false
	case n.Digits >= 2 && n.Runs >= 2 && n.Lower+n.Upper >= 4:
		least = DrawnMixed
	case n.Lower < 3 || n.Upper < 3 || len(s) < 20:
		return false
	}
	return CrossEntropy(s) >= least && !strings.ContainsAny(s, " \t\n") && !Repetitive(s) && !AgentID(s)
}

// AgentID reports whether s is an id that an agent gives its sessions and messages: a prefix, a time in twelve hex
// digits, fourteen letters and digits. It grants no access, and memories use it to name their source.
func AgentID(s string) bool {
	const prefix, stamp, rest = 4, 12, 14
	if len(s) != prefix+stamp+rest || !slices.Contains([]string{"ses_", "msg_", "prt_"}, s[:prefix]) {
		return false
	}
	return CountKinds(s[prefix:prefix+stamp]).Hex && CountKinds(s[prefix+stamp:]).Other == 0
}

// kinds counts the kinds of bytes in a token.
type kinds struct {
	Lower, Upper, Digits, Other int
	Runs                        int // runs of digits
	Hex                         bool
}

// CountKinds counts without branches, because the next byte of a token is hard to predict for a processor.
func CountKinds(s string) kinds {
	n, hex, last := kinds{}, 0, 0
	for i := range len(s) {
		c := s[i]
		digit := bit(c-'0' < 10)
		n.Digits += digit
		n.Lower += bit(isLower(c))
		n.Upper += bit(isUpper(c))
		n.Runs += digit &^ last
		hex += digit + bit(c|0x20-'a' < 6)
		last = digit
	}
	n.Other = len(s) - n.Digits - n.Lower - n.Upper
	n.Hex = hex == len(s)
	return n
}

func isLower(c byte) bool { return c-'a' < 26 }

func isUpper(c byte) bool { return c-'A' < 26 }

func bit(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Sorts returns how many of the four kinds of bytes occur.
func (n kinds) Sorts() int {
	return min(n.Lower, 1) + min(n.Upper, 1) + min(n.Digits, 1) + min(n.Other, 1)
}

// Mixed reports whether a token has letters and digits.
func Mixed(s string) bool {
	n := CountKinds(s)
	return n.Digits > 0 && n.Lower+n.Upper > 0
}

// HexKey reports whether a token has the form of a hexadecimal key, with letters of one case.
func HexKey(s string) bool {
	n := CountKinds(s)
	return n.Hex && len(s) >= 24 && n.Digits > 0 && (n.Lower > 0) != (n.Upper > 0)
}

// Repetitive reports whether one byte makes up more than two fifths of a token.
func Repetitive(s string) bool {
	var counts [256]uint32
	for i := range len(s) {
		if counts[s[i]]++; int(counts[s[i]])*5 > len(s)*2 {
			return true
		}
	}
	return false
}

// UUIDLike reports whether a value is hex in groups.
func UUIDLike(v string) bool {
	return len(v) >= 32 && len(v) <= 40 && strings.Count(v, "-") == 4 && hexDashes(v)
}

// hexDashes reports whether a value is only hexadecimal digits and dashes.
func hexDashes(v string) bool {
	for i := range len(v) {
		if !HexDigit(v[i]) && v[i] != '-' {
			return false
		}
	}
	return true
}
