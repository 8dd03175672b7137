package scan

import (
	"strings"

	"keepmum/privacy/value"
)

const (
	MaxName  = 96   // bytes of a name that are read
	MaxBlank = 24   // blanks around a separator
	MaxValue = 4096 // bytes of a value
)

// ListByte reports whether a byte can be in a list of numbers.
func ListByte(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEFxX, \n", c) >= 0 }

const (
	MinSecret    = 6         // bytes of the shortest value that is redacted wherever it occurs
	MaxHarvest   = 512       // values taken from one text
	MaxHarvested = 256 << 10 // bytes of a text that are searched for them
)

// The rules that say only how a secret was found.
const (
	RulePassword = "password"     // the value of a name for passwords
	RuleSecret   = "secret-value" // the value of another name for secrets
	RuleRandom   = "random-token" // near such a name
	RuleMemory   = "seen-secret"  // recognised before, in the same session
	RulePrivate  = "private"      // marked by the user
)

// Called is the name of a value, and what is known about it.
type Called struct {
	From, To int
	Words    []string
	Alone    value.Strength // of the name alone
	Strength value.Strength // of the name in its place
	Room     [value.MaxWords]string
}

// Definition is the last table of a database whose definition was looked for: its name, and the offset of what is in
// its brackets, 0 if there is none.
type Definition struct {
	Name string
	At   int
}

// Table is the last table that was read.
type Table struct{ Head, End, Names int }

// How known values are found in a text.
const (
	AnchorLen = MinSecret // bytes whose fingerprint finds a candidate
	MaxHashes = 20000     // HMACs computed for one text
	MaxValues = 4096      // forms of values in one set; further ones are dropped

	CoarseBits = 13 // bits of a fingerprint: a table of bytes is faster to read than a bit set
)

// Edge packs the six bytes before end.
func Edge(text string, end int) uint64 {
	var h uint64
	for i := end - AnchorLen; i < end; i++ {
		h = h<<8 | uint64(text[i])
	}
	return h
}
