package judge

import (
	_ "embed"
	"strings"

	"keepmum/privacy/value"
)

// RandomToken is random with a higher threshold, for tokens that nothing assigns to a name: the shorter a token is, and
// the fewer digits it has, the more random it must be.
func RandomToken(s string) bool {
	if !value.Random(s) {
		return false
	}
	n := value.CountKinds(s)
	switch {
	case len(s) < 20:
		return n.Digits >= 3 && value.CrossEntropy(s) >= value.DrawnLetters
	case n.Digits < 3:
		return value.CrossEntropy(s) >= value.DrawnLetters
	}
	return value.CrossEntropy(s) >= value.DrawnShort
}

// keyLike reports whether a value has the form of a vendor's key: long, of letters and digits, or hex.
func keyLike(v string) bool {
	if value.HexKey(v) || value.UuidLike(v) {
		return true
	}
	if i := strings.IndexAny(v, ".:"); i >= 32 && value.UuidLike(v[:i]) && len(v)-i > 12 {
		return true // an id and its key
	}
	n := value.CountKinds(v)
	lettersAndDigits := n.Other == 0 && n.Digits >= 4 && n.Runs >= 2
	return lettersAndDigits && len(v) >= 20 && !value.ReadsLikeWords(v) && !value.Repetitive(v)
}
