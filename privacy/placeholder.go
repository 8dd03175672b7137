package privacy

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
	"sync"
)

const (
	redactedMark = "[REDACTED:"
	privateMark  = "[REDACTED:private]"
)

// ownMarks finds the placeholders in a text that the gate put there: the rule
// of each must be one that exists, so that nobody can hide a value in it.
func (g *Gate) ownMarks(text string) [][2]int {
	if !mayHaveMarks(text) {
		return nil
	}
	var out [][2]int
	for at := 0; at < len(text); at++ {
		i := strings.IndexByte(text[at:], '[')
		if i < 0 {
			break
		}
		at += i
		n := placeholderLength(text[at:])
		if n == 0 {
			continue
		}
		if rule, tagged := markRule(text[at : at+n]); !tagged || g.knowsRule(rule) {
			out = append(out, [2]int{at, at + n})
		}
		at += n - 1
	}
	return out
}

// placeholderLength returns the length of the placeholder that a text begins
// with, 0 if there is none. A text that only resembles one (a long or odd rule
// name) is not spared.
func placeholderLength(text string) int {
	const longest = 80
	body, _, ok := strings.Cut(text[:min(len(text), longest)], "]")
	kind, rest, named := strings.Cut(body, ":")
	if !ok || !named {
		return 0
	}
	switch kind {
	case "[REDACTED":
		rule, tag, tagged := strings.Cut(rest, "#")
		ok = rest == rulePrivate || tagged && len(tag) == 4 && strings.Trim(tag, "0123456789abcdef") == "" &&
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

// taken returns the length of the placeholder of a built-in rule that begins at
// an offset, 0 if there is none.
func (s *scanner) taken(at int) int {
	if at >= len(s.text) || s.text[at] != '[' {
		return 0
	}
	n := placeholderLength(s.text[at:])
	if rule, tagged := markRule(s.text[at : at+n]); n > 0 && (tagged && s.set.ids[rule] || s.text[at:at+n] == privateMark) {
		return n
	}
	return 0
}

func mayHaveMarks(text string) bool {
	for _, p := range []string{"[REDACTED:", "[WITHHELD:", "[CUT:", "[EXCLUDED:"} {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// markRule returns the rule a tagged placeholder names.
func markRule(mark string) (rule string, tagged bool) {
	body, ok := strings.CutPrefix(mark, "[REDACTED:")
	if !ok {
		return "", false
	}
	rule, _, tagged = strings.Cut(body, "#")
	return rule, tagged
}

// withheld stands for a text the gate could not judge.
func withheld(reason string) string { return "[WITHHELD:" + reason + "]" }

// macs computes keyed hashes of values; the hash states are reused because a
// busy gate makes thousands of them.
type macs struct{ pool sync.Pool }

func newMACs(key []byte) *macs {
	return &macs{sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}}
}

func (m *macs) hex(value string) string {
	h := m.pool.Get().(hash.Hash)
	defer m.pool.Put(h)
	h.Reset()
	h.Write([]byte(value))
	return hex.EncodeToString(h.Sum(nil))
}

// marked is the placeholder of a span of a text.
func (g *Gate) marked(s span, text string) string {
	mark := fmt.Sprintf("[REDACTED:%s#%s]", s.rule, g.macs.hex(s.in(text))[:4])
	if s.quoted {
		return `"` + mark + `"`
	}
	return mark
}
