package privacy

import (
	_ "embed"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
)

// bigramText holds how surprising each letter pair is in code and English, in
// sixteenths of a bit (see tools/rulegen). Entropy alone cannot tell a key
// from a long name; the order of the letters can.
//
//go:embed bigrams.txt
var bigramText string

const letterClasses = 28 // a-z, digit, edge

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
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		return int(c|0x20) - 'a'
	case c >= '0' && c <= '9':
		return 26
	}
	return 27
}

// surprise is the mean surprise of a text per byte, in bits: names and words
// lie below 4, random letters and digits above 5. A capital inside a word
// begins a new one, but costs a little: random text is full of them.
func surprise(s string) float64 {
	if s == "" {
		return 0
	}
	table := surprises()
	sum, last := 0, 27
	for i := range len(s) {
		c := s[i]
		next := letterClass(c)
		if i > 0 && c >= 'A' && c <= 'Z' && s[i-1] >= 'a' && s[i-1] <= 'z' {
			last = 27
			sum += 24
		}
		if i > 0 && c >= 'a' && c <= 'z' && s[i-1] >= 'A' && s[i-1] <= 'Z' && (i < 2 || s[i-2] >= 'A' && s[i-2] <= 'Z') && i >= 2 {
			sum += 24
		}
		sum += int(table[last*letterClasses+next])
		last = next
	}
	return float64(sum) / float64(16*len(s))
}

// random reports whether a token is too irregular to be a name or a word.
func random(s string) bool {
	if len(s) < 16 || len(s) > 512 {
		return len(s) > 512 && random(s[:256])
	}
	least, n := 6.2, countKinds(s)
	switch {
	case n.other*4 > len(s):
		return false
	case n.digits >= 2 && n.runs >= 2 && n.lower+n.upper >= 4:
		least = 5.2
	case n.lower < 3 || n.upper < 3 || len(s) < 20:
		return false
	}
	return surprise(s) >= least && !strings.ContainsAny(s, " \t\n") && !repetitive(s) && !agentID(s)
}

// agentID reports whether s is an id that an agent gives its sessions and
// messages: a prefix, a time in twelve hex digits, fourteen letters and digits.
// It opens nothing, and what is remembered names its source by it.
func agentID(s string) bool {
	const prefix, stamp, rest = 4, 12, 14
	if len(s) != prefix+stamp+rest || !slices.Contains([]string{"ses_", "msg_", "prt_"}, s[:prefix]) {
		return false
	}
	return countKinds(s[prefix:prefix+stamp]).hex && countKinds(s[prefix+stamp:]).other == 0
}

// drawn is random with a higher bar, for tokens that nothing assigns to a name:
// the shorter one is, and the fewer digits it has, the more it must surprise.
func drawn(s string) bool {
	if !random(s) {
		return false
	}
	n := countKinds(s)
	switch {
	case len(s) < 20:
		return n.digits >= 3 && surprise(s) >= 6.2
	case n.digits < 3:
		return surprise(s) >= 6.2
	}
	return surprise(s) >= 5.6
}

// kinds counts the sorts of bytes in a token.
type kinds struct {
	lower, upper, digits, other int
	runs                        int // stretches of digits
	hex                         bool
}

// countKinds is made without a branch: what comes next in a token is hard to guess,
// for a processor, too.
func countKinds(s string) kinds {
	n, hex, last := kinds{}, 0, 0
	for i := range len(s) {
		c := s[i]
		digit := bit(c-'0' < 10)
		n.digits += digit
		n.lower += bit(c-'a' < 26)
		n.upper += bit(c-'A' < 26)
		n.runs += digit &^ last
		hex += digit + bit(c|0x20-'a' < 6)
		last = digit
	}
	n.other = len(s) - n.digits - n.lower - n.upper
	n.hex = hex == len(s)
	return n
}

func bit(is bool) int {
	if is {
		return 1
	}
	return 0
}

// sorts is how many sorts of bytes there are, of four.
func (n kinds) sorts() int {
	return min(n.lower, 1) + min(n.upper, 1) + min(n.digits, 1) + min(n.other, 1)
}

// mixed reports whether a token has letters and digits.
func mixed(s string) bool {
	n := countKinds(s)
	return n.digits > 0 && n.lower+n.upper > 0
}

// hexKey reports whether a token has the form of a key in hex.
func hexKey(s string) bool {
	n := countKinds(s)
	return n.hex && len(s) >= 24 && n.digits > 0 && n.lower+n.upper > 0 && (n.lower == 0 || n.upper == 0)
}

// repetitive reports whether one byte makes up half of a token.
func repetitive(s string) bool {
	var counts [256]uint32
	for i := range len(s) {
		if counts[s[i]]++; int(counts[s[i]])*5 > len(s)*2 {
			return true
		}
	}
	return false
}

// keyLike reports whether a value has the form of a vendor's key: long, of
// letters and digits, or hex.
func keyLike(v string) bool {
	if hexKey(v) || uuidLike(v) {
		return true
	}
	if i := strings.IndexAny(v, ".:"); i >= 32 && (uuidLike(v[:i]) || hexKey(v[:i])) && len(v)-i > 12 && groupLength(v[i+1:]) {
		return true // an id and its key
	}
	n := countKinds(v)
	return len(v) >= 20 && n.other == 0 && n.digits >= 4 && n.runs >= 2 && !wordy(v) && !repetitive(v)
}

// groupLength reports whether a token is letters and digits, both of them.
func groupLength(v string) bool {
	n := countKinds(v)
	return n.other == 0 && n.digits > 0 && n.lower+n.upper > 0
}

// uuidLike reports whether a value is hex in groups.
func uuidLike(v string) bool {
	return len(v) >= 32 && len(v) <= 40 && strings.Count(v, "-") == 4 && hexDashes(v)
}

func hexDashes(v string) bool {
	for i := range len(v) {
		if !hexDigit(v[i]) && v[i] != '-' {
			return false
		}
	}
	return true
}
