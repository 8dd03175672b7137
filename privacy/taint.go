package privacy

import (
	"crypto/rand"
	"encoding/binary"
	"regexp"
	"slices"
	"strings"
	"sync"

	"keepmum/privacy/sessions"
	"keepmum/privacy/shell"
)

const ruleMemory = "seen-secret"

// memory remembers per session, as keyed hashes, the values judged secret, so
// that they are taken out wherever they come back.
type memory struct {
	mu   sync.RWMutex
	byID *sessions.Map[valueSet]
}

// newMemory makes a memory with a key of its own, which nobody else has: its
// hashes are compared with nothing outside.
func newMemory() *memory {
	key := make([]byte, 40)
	rand.Read(key)
	mul := binary.LittleEndian.Uint64(key[32:])
	return &memory{byID: sessions.New(func() *valueSet { return newValueSet(key[:32], mul) })}
}

// learn remembers values, in the forms in which they may come back.
func (m *memory) learn(session string, values []string) {
	if session == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(values) == 0 {
		m.byID.Get(session) // it is in use: others are forgotten first
		return
	}
	set := m.byID.Need(session)
	for _, v := range values {
		for _, f := range forms(v) {
			set.add(f)
		}
	}
}

// spans finds the remembered values of a session. It fails when it cannot
// look at all of the text.
func (m *memory) spans(session, text string) ([]span, error) {
	if session == "" || len(text) < minSecret {
		return nil, nil
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	set := m.byID.Peek(session)
	found, err := set.find(text)
	return asSpans(found, ruleMemory), err
}

// Known takes out of a cleaned text what was judged a secret of its session since.
func (g *Gate) Known(session string, text *Clean) (out []Finding) {
	if g.mode == ModeNone {
		return nil
	}
	spans, err := g.memory.spans(session, text.s)
	if err != nil {
		text.s = withheld(reason(err))
		return nil
	}
	spans = subtract(merge(spans), g.ownMarks(text.s))
	for _, s := range spans {
		out = append(out, Finding{Rule: s.rule, Field: "text", Bytes: s.end - s.start, MAC: g.macs.hex(s.in(text.s))})
	}
	if len(spans) > 0 {
		text.s = replace(text.s, spans, func(s span) string { return g.marked(s, text.s) })
	}
	return out
}

func asSpans(places [][2]int, rule string) []span {
	var out []span
	for _, p := range places {
		out = append(out, span{start: p[0], end: p[1], rule: rule})
	}
	return out
}

// environmentName finds the name at the beginning of a line of an environment.
var environmentName = regexp.MustCompile(`^[ \t]*(?:(?:export|readonly|local|typeset|set|declare(?: -[-A-Za-z]+)?)[ \t]+)*(?:- )?["']?([A-Za-z_][A-Za-z0-9_.-]{0,63})["']?[ \t]*[=:]`)

// oneSetting matches a value with nothing behind it: a line may hold more of them.
var oneSetting = regexp.MustCompile(`^["']?[\w./:~+-]*["']?,?$`)

// namesOnly keeps the names of an environment and drops every value, and
// every line that has no name.
func (w *withholding) namesOnly(text string) string {
	w.secrets = append(w.secrets, harvest(text)...)
	var out []string
	dropped := 0
	for line := range strings.SplitSeq(text, "\n") {
		kept, lost := nameOnly(line)
		dropped += lost
		if kept == excludedOutput && len(out) > 0 && out[len(out)-1] == kept {
			continue
		}
		out = append(out, kept)
	}
	if dropped == 0 {
		return text
	}
	w.findings = append(w.findings, Finding{Rule: ruleExcluded, Field: w.field, Bytes: dropped})
	return strings.Join(out, "\n")
}

// nameOnly returns what may be kept of a line, and how many bytes may not.
func nameOnly(line string) (kept string, lost int) {
	line = strings.TrimRight(line, "\r")
	if strings.TrimSpace(line) == "" || line == excludedOutput {
		return line, 0
	}
	m := environmentName.FindStringSubmatchIndex(line)
	if m == nil || looksRandom(line[m[2]:m[3]]) {
		return excludedOutput, len(line)
	}
	value := strings.TrimSpace(line[m[1]:])
	if shell.HarmlessVariable(line[m[2]:m[3]]) && oneSetting.MatchString(value) {
		return line, 0
	}
	if value == "" || value == excludedOutput || slices.Contains([]string{"{", "[", "|", ">"}, value) {
		return line, 0
	}
	return line[:m[1]] + excludedOutput, len(line) - m[1]
}
