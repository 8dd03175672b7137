package privacy

import (
	"strings"
	"sync"

	"keepmum/privacy/pair"
	"keepmum/privacy/sessions"
	"keepmum/privacy/value"
)

// Speaker says who wrote the text of an event.
type Speaker string

// The speakers. An event without one is not part of the conversation.
const (
	Agent Speaker = "agent"
	User  Speaker = "user"
)

// dialog remembers, for each session, which question the next words answer. It stores no words.
type dialog struct {
	mu   sync.Mutex
	byID *sessions.Map[note]
}

// note is the state of a session's conversation.
type note struct {
	asked  int  // how many prompts may still answer the agent's question for a secret
	typing bool // a terminal is waiting for a password
}

// maxReplies limits how many prompts can answer one question. It is more than one because a prompt is checked twice if
// the store was busy, and because an agent that was stopped gives no answer.
const maxReplies = 3

func newDialog() *dialog { return &dialog{byID: sessions.New(func() *note { return &note{} })} }

// listen records what the agent asks, and reports whether the user may be answering it.
func (t *dialog) listen(r Raw) (answers bool) {
	if r.Session == "" || r.Speaker == "" {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if r.Speaker == Agent {
		if pair.AsksForSecret(r.Fields["text"]) {
			t.byID.Need(r.Session).asked = maxReplies
		} else if n := t.byID.Get(r.Session); n != nil {
			n.asked = 0
		}
		return false
	}
	n := t.byID.Get(r.Session)
	if pair.Announces(r.Fields["text"]) {
		t.byID.Need(r.Session).asked = maxReplies + 1
		return false
	}
	if n == nil || n.asked == 0 {
		return false
	}
	n.asked--
	return true
}

// terminal records whether a tool's output ends with a password prompt, and reports whether the typed input answers
// one.
func (t *dialog) terminal(r Raw) (answers bool) {
	if r.Tool == "" {
		return false
	}
	text := outputText(r.Output, 0)
	asks, asked := passwordPrompt(text)
	if r.Session == "" {
		return asked
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.byID.Get(r.Session)
	if n == nil && !asks {
		return asked
	}
	n = t.byID.Need(r.Session)
	if keystrokes(r) != "" {
		asked, n.typing = asked || n.typing, false
	}
	n.typing = n.typing || asks
	return asked
}

// keystrokes returns the name of the member of a tool's input that it types into a terminal.
func keystrokes(r Raw) string {
	m, _ := r.Input.(map[string]any)
	tool := value.LowerASCII(r.Tool)
	for _, name := range []string{"stdin", "send", "type", "input", "terminal", "keys", "interact"} {
		if !strings.Contains(tool, name) {
			continue
		}
		for _, k := range []string{"chars", "text", "input", "keys", "data"} {
			if s, ok := m[k].(string); ok && strings.TrimSpace(s) != "" && !strings.Contains(strings.TrimSpace(s), "\n") {
				return k
			}
		}
	}
	return ""
}

// outputText returns the text of a tool's output, "" if there is none.
func outputText(v any, depth int) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		if len(v) > 0 && depth < 3 {
			return outputText(v[len(v)-1], depth+1)
		}
	case map[string]any:
		for _, k := range []string{"output", "stdout", "content", "text"} {
			if e, ok := v[k]; ok && depth < 3 {
				return outputText(e, depth+1)
			}
		}
	}
	return ""
}

// passwordPrompt reports whether a terminal's text ends with a password prompt, and whether its first lines contain one
// that was answered.
func passwordPrompt(text string) (asks, asked bool) {
	head := text[:min(len(text), 400)]
	for n := 0; n < 5 && !asked; n++ {
		line, rest, more := strings.Cut(head, "\n")
		asked = more && strings.TrimSpace(rest) != "" && promptLine(line)
		head = rest
	}
	tail := strings.TrimRight(text[max(0, len(text)-120):], " \r\n")
	return promptLine(tail[strings.LastIndexByte(tail, '\n')+1:]), asked
}

// promptLine reports whether a line asks for a password: "[sudo] password for me:".
func promptLine(line string) bool {
	line = strings.TrimSpace(line)
	if len(line) > 96 || !strings.HasSuffix(line, ":") || strings.ContainsAny(line, "{}\"=<") {
		return false
	}
	line = strings.ToLower(line)
	return strings.HasSuffix(line, "pin:") || value.ContainsAny(line, "password", "passphrase", "passcode", "passwort",
		"kennwort", "mot de passe", "contraseña", "senha", "wachtwoord", "secret", "token", "verification code",
		"пароль", "密码")
}
