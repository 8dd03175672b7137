package privacy

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"regexp"
	"strings"
	"sync"
)

// placeholders is the grammar of what the gate leaves behind. A text that only
// resembles one (a long or odd rule name) is not spared.
var placeholders = regexp.MustCompile(`\[(?:REDACTED:(?:private|[a-z0-9][a-z0-9-]{1,47}#[0-9a-f]{4})|WITHHELD:[a-z-]{1,24}|CUT:[0-9]{1,12} bytes|EXCLUDED:[a-z-]{1,24})\]`)

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
	for _, m := range placeholders.FindAllStringIndex(text, -1) {
		if rule, tagged := markRule(text[m[0]:m[1]]); !tagged || g.knowsRule(rule) {
			out = append(out, [2]int{m[0], m[1]})
		}
	}
	return out
}

// taken returns the length of the placeholder of a built-in rule that begins at
// an offset, 0 if there is none.
func (s *scanner) taken(at int) int {
	const tag = len("#1a2b]")
	rest := s.text[at:]
	body, ok := strings.CutPrefix(rest[:min(len(rest), 64)], redactedMark)
	if !ok {
		return 0
	}
	if strings.HasPrefix(rest, privateMark) {
		return len(privateMark)
	}
	rule, hash, ok := strings.Cut(body, "#")
	if !ok || len(hash) < tag-1 || hash[4] != ']' || !hexDashes(hash[:4]) || !s.set.ids[rule] {
		return 0
	}
	return len(redactedMark) + len(rule) + tag
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
