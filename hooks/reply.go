package hooks

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf16"
)

// maxContext bounds what is injected, in UTF-16 units as the agents count.
// Above 10,000 Claude Code and Codex write the whole text to a file that others
// may read and show the model a stump of it.
const maxContext = 9000

// Reply returns exactly what the agent expects on the hook's stdout so that
// the model sees context; nothing where nothing may be said. On many events an
// answer is an error that the user sees, and on Stop it makes the agent continue.
func Reply(agent string, e Event, context string) []byte {
	if context == "" || e.Kind != SessionStart && e.Kind != Prompt && !AnswersTool(agent, e) {
		return nil
	}
	context = capContext(context)
	switch agent {
	case Claude, Codex:
		return encode(hookOutput{hookSpecific{e.Name, context}})
	case Cursor:
		return cursorAnswer(e, context)
	case OpenCode:
		return encode(struct {
			Context string `json:"context"`
		}{context})
	}
	return nil
}

// AnswersTool reports whether something may be said in the answer to the use of a tool. OpenCode's
// plugin could only rewrite what the tool printed, and Cursor's field was never seen to work.
func AnswersTool(agent string, e Event) bool {
	if e.Kind != Observation {
		return false
	}
	switch agent {
	case Claude:
		return e.Name == "PostToolUse" || e.Name == "PostToolUseFailure"
	case Codex:
		return e.Name == "PostToolUse"
	}
	return false
}

// hookOutput is what Claude Code and Codex read. Codex drops the whole output
// if there is one field more.
type hookOutput struct {
	Output hookSpecific `json:"hookSpecificOutput"`
}

type hookSpecific struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// cursorAnswer: Cursor takes context at the start of a session only.
func cursorAnswer(e Event, context string) []byte {
	if e.Kind != SessionStart {
		return nil
	}
	return encode(struct {
		Context string `json:"additional_context"`
	}{context})
}

func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // < costs one character for the agent's limit, \u003c six
	if err := enc.Encode(v); err != nil {
		return nil // strings always encode
	}
	return b.Bytes()
}

const closing = "</mum-context>"

// capContext cuts a context that is too long at the end of a line and closes
// its fence again.
func capContext(s string) string {
	if units(s) <= maxContext {
		return s
	}
	fenced := strings.HasSuffix(strings.TrimSpace(s), closing)
	room := maxContext - len("\n"+closing)
	n := 0
	for i, r := range s {
		if n += utf16.RuneLen(r); n > room {
			s = s[:i]
			break
		}
	}
	if i := strings.LastIndexByte(s, '\n'); i > len(s)/2 {
		s = s[:i]
	}
	if fenced {
		s += "\n" + closing
	}
	return s
}

func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
