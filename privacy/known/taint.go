package known

import (
	"slices"
	"strings"
	"sync"

	"keepmum/lazyregexp"
	"keepmum/privacy/scan"
	"keepmum/privacy/sessions"
	"keepmum/privacy/shell"
)

// Memory remembers the secret values of each session as keyed hashes, so that they are redacted wherever they reappear.
type Memory struct {
	mu   sync.RWMutex
	ByID *sessions.Map[ValueSet]
}

// NewMemory returns a memory of no sessions.
func NewMemory() *Memory { return &Memory{ByID: sessions.New(NewRandomSet)} }

// Learn remembers values in all forms in which they may reappear.
func (m *Memory) Learn(session string, values []string) {
	if session == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(values) == 0 {
		m.ByID.Get(session) // mark it as used, so that others are forgotten first
		return
	}
	set := m.ByID.Need(session)
	for _, v := range values {
		AddForms(set, v)
	}
}

// Spans finds the remembered values of a session. It fails if it cannot search the whole text.
func (m *Memory) Spans(session, text string) ([]scan.Span, error) {
	if session == "" || len(text) < scan.MinSecret {
		return nil, nil
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	set := m.ByID.Peek(session)
	found, err := set.Find(text)
	return AsSpans(found, scan.RuleMemory), err
}

// AsSpans returns positions as spans of a rule.
func AsSpans(places [][2]int, rule string) []scan.Span {
	var out []scan.Span
	for _, p := range places {
		out = append(out, scan.Span{Start: p[0], End: p[1], Rule: rule})
	}
	return out
}

// environmentName matches the name at the start of a line of an environment.
var environmentName = lazyregexp.New(`^[ \t]*(?:(?:export|readonly|local|typeset|set|declare(?: -[-A-Za-z]+)?)[ \t]+)*(?:- )?["']?([A-Za-z_][A-Za-z0-9_.-]{0,63})["']?[ \t]*[=:]`)

// oneSetting matches a value with nothing after it; a line may contain several settings.
var oneSetting = lazyregexp.New(`^["']?[\w./:~+-]*["']?,?$`)

// NameOnly returns what may be kept of a line of an environment, its name, and the number of bytes that may not.
func NameOnly(line string) (kept string, lost int) {
	line = strings.TrimRight(line, "\r")
	if strings.TrimSpace(line) == "" || line == ExcludedOutput {
		return line, 0
	}
	m := environmentName.FindStringSubmatchIndex(line)
	if m == nil || looksRandom(line[m[2]:m[3]]) {
		return ExcludedOutput, len(line)
	}
	value := strings.TrimSpace(line[m[1]:])
	if shell.HarmlessVariable(line[m[2]:m[3]]) && oneSetting.MatchString(value) {
		return line, 0
	}
	if value == "" || value == ExcludedOutput || slices.Contains([]string{"{", "[", "|", ">"}, value) {
		return line, 0
	}
	return line[:m[1]] + ExcludedOutput, len(line) - m[1]
}
