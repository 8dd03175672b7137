package scan

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strings"
	"sync"
)

const (
	RedactedMark = "[REDACTED:"
	PrivateMark  = "[REDACTED:private]"
)

// PlaceholderLength returns the length of the placeholder at the start of a text, 0 if there is none. A text that only
// resembles one (a long or odd rule name) is checked as usual.
func PlaceholderLength(text string) int {
	const longest = 80
	body, _, ok := strings.Cut(text[:min(len(text), longest)], "]")
	kind, rest, named := strings.Cut(body, ":")
	if !ok || !named {
		return 0
	}
	switch kind {
	case "[REDACTED":
		rule, tag, tagged := strings.Cut(rest, "#")
		ok = rest == RulePrivate || tagged && len(tag) == 4 && strings.Trim(tag, "0123456789abcdef") == "" &&
			len(rule) >= 2 && len(rule) <= 48 && rule[0] != '-' && strings.Trim(rule, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
	case "[WITHHELD", "[EXCLUDED":
		ok = len(rest) >= 1 && len(rest) <= 24 && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz-") == ""
	case "[CUT":
		n, whole := strings.CutSuffix(rest, " bytes")
		ok = whole && len(n) >= 1 && len(n) <= 12 && strings.Trim(n, "0123456789") == ""
	default:
		return 0
	}
	if !ok {
		return 0
	}
	return len(body) + len("]")
}

// Taken returns the length of the placeholder of a built-in rule that starts at an offset, 0 if there is none.
func Taken(s *Scanner, at int) int {
	if at >= len(s.Text) || s.Text[at] != '[' {
		return 0
	}
	n := PlaceholderLength(s.Text[at:])
	if rule, tagged := MarkRule(s.Text[at : at+n]); n > 0 && (tagged && s.Set.Ids[rule] || s.Text[at:at+n] == PrivateMark) {
		return n
	}
	return 0
}

func MayHaveMarks(text string) bool {
	for _, p := range []string{"[REDACTED:", "[WITHHELD:", "[CUT:", "[EXCLUDED:"} {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// MarkRule returns the rule that a tagged placeholder names.
func MarkRule(mark string) (rule string, tagged bool) {
	body, ok := strings.CutPrefix(mark, "[REDACTED:")
	if !ok {
		return "", false
	}
	rule, _, tagged = strings.Cut(body, "#")
	return rule, tagged
}

// Withheld replaces a text that the gate could not judge.
func Withheld(reason string) string { return "[WITHHELD:" + reason + "]" }

// Macs computes keyed hashes of values; it reuses hash states because a busy gate makes thousands of hashes.
type Macs struct{ pool sync.Pool }

func NewMACs(key []byte) *Macs {
	return &Macs{sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}}
}

func (m *Macs) Hex(value string) string {
	h := m.pool.Get().(hash.Hash)
	defer m.pool.Put(h)
	h.Reset()
	h.Write([]byte(value))
	return hex.EncodeToString(h.Sum(nil))
}
