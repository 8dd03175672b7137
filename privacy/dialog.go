package privacy

import (
	"strings"
	"sync"

	"keepmum/privacy/pair"
	"keepmum/privacy/sessions"
	"keepmum/privacy/value"
)

// Speaker says whose words the text of an event is.
type Speaker string

// The speakers; an event without one is no part of the conversation.
const (
	Agent Speaker = "agent"
	User  Speaker = "user"
)

// dialog remembers per session what the next words answer. It holds no words.
type dialog struct {
	mu   sync.Mutex
	byID *sessions.Map[note]
}

// note is what is known about a session's conversation.
type note struct {
	asked  int  // prompts that may still answer the agent's question for a secret
	typing bool // a terminal waits for a password
}

// maxReplies is how many prompts may answer one question: a prompt is judged
// twice when the store was busy, and agents that were stopped say nothing.
const maxReplies = 3

func newDialog() *dialog { return &dialog{byID: sessions.New(func() *note { return &note{} })} }

// listen notes what the agent asks, and reports whether the user may be answering it.
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

// terminal notes whether a tool's output ends with a question for a password,
// and reports whether what was typed answers one.
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

// keystrokes returns the member of a tool's input that holds what it types into a terminal.
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

// outputText returns the text of a tool's output, "" when there is none.
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

// passwordPrompt reports whether a terminal's text ends with a question for a
// password, and whether such a question was answered in its first lines.
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
	for _, w := range []string{"password", "passphrase", "passcode", "passwort", "kennwort", "mot de passe", "contraseña", "senha", "wachtwoord", "secret", "token", "verification code", "пароль", "密码"} {
		if strings.Contains(line, w) {
			return true
		}
	}
	return strings.HasSuffix(line, "pin:")
}
