package scan

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"
	"strings"
	"sync"

	"keepmum/privacy/value"
)

const (
	RedactedMark = "[REDACTED:" // the rule and the tag of the secret follow
	PrivateMark  = RedactedMark + RulePrivate + "]"
)

// marks are how the gate's placeholders start.
var marks = []string{RedactedMark, "[WITHHELD:", "[EXCLUDED:", "[CUT:"}

// PlaceholderLength returns the length of the placeholder at the start of a text, 0 if there is none. A text that only
// resembles one (a long or odd rule name) is checked as usual.
func PlaceholderLength(text string) int {
	const longest = 80
	body, _, ok := strings.Cut(text[:min(len(text), longest)], "]")
	kind, rest, named := strings.Cut(body, ":")
	if !ok || !named {
		return 0
	}
	const digits, letters = "0123456789", value.SmallLetters
	switch kind {
	case "[REDACTED":
		rule, tag, _ := strings.Cut(rest, "#")
		ok = rest == RulePrivate || consists(tag, digits+"abcdef", 4, 4) && consists(rule, letters+digits+"-", 2, 48) &&
			rule[0] != '-'
	case "[WITHHELD", "[EXCLUDED":
		ok = consists(rest, letters+"-", 1, 24)
	case "[CUT":
		n, whole := strings.CutSuffix(rest, " bytes")
		ok = whole && consists(n, digits, 1, 12)
	default:
		return 0
	}
	if !ok {
		return 0
	}
	return len(body) + len("]")
}

// consists reports whether a text has a length within limits, and no other characters than these.
func consists(text, of string, least, most int) bool {
	return len(text) >= least && len(text) <= most && strings.Trim(text, of) == ""
}

// Taken returns the length of the placeholder of a built-in rule that starts at an offset, 0 if there is none.
func Taken(s *Scanner, at int) int {
	if at >= len(s.Text) || s.Text[at] != '[' {
		return 0
	}
	n := PlaceholderLength(s.Text[at:])
	if rule, tagged := MarkRule(s.Text[at : at+n]); n > 0 &&
		(tagged && s.Set.IDs[rule] || s.Text[at:at+n] == PrivateMark) {
		return n
	}
	return 0
}

// MayHaveMarks is a quick check whether a text may contain a placeholder.
func MayHaveMarks(text string) bool { return value.ContainsAny(text, marks...) }

// BeginsMark reports whether a text is the beginning of a placeholder.
func BeginsMark(text string) bool {
	return slices.ContainsFunc(marks, func(m string) bool {
		return strings.HasPrefix(text, m) || strings.HasPrefix(m, text)
	})
}

// MarkRule returns the rule that a tagged placeholder names.
func MarkRule(mark string) (rule string, tagged bool) {
	body, ok := strings.CutPrefix(mark, RedactedMark)
	if !ok {
		return "", false
	}
	rule, _, tagged = strings.Cut(body, "#")
	return rule, tagged
}

// Withheld replaces a text that the gate could not judge.
func Withheld(reason string) string { return "[WITHHELD:" + reason + "]" }

// MACs computes keyed hashes of values; it reuses hash states because a busy gate makes thousands of hashes.
type MACs struct{ pool sync.Pool }

// NewMACs returns hashes with a key.
func NewMACs(key []byte) *MACs {
	return &MACs{sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}}
}

// Hex returns the hash of a value in hexadecimal digits.
func (m *MACs) Hex(value string) string {
	h := m.pool.Get().(hash.Hash)
	defer m.pool.Put(h)
	h.Reset()
	h.Write([]byte(value))
	return hex.EncodeToString(h.Sum(nil))
}
