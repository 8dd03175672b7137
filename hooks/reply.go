package hooks

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf16"
)

// maxContext limits what is injected, in UTF-16 units, which agents count. Above 10,000 units Claude Code and Codex
// write the whole text to a file that others may read, and show the model only the beginning.
const maxContext = 9000

// Reply returns exactly the bytes that the agent expects on the hook's stdout to show context to the model, or nothing
// if the event allows no reply. On many events a reply is an error that the user sees, and on Stop it makes the agent
// continue.
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

// AnswersTool reports whether the reply to a tool call can carry context. OpenCode's plugin could only rewrite the
// tool's output, and Cursor's field never had an effect in tests.
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

// hookOutput is the reply for Claude Code and Codex. Codex drops the whole output if it has an extra field.
type hookOutput struct {
	Output hookSpecific `json:"hookSpecificOutput"`
}

type hookSpecific struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// cursorAnswer returns the reply for Cursor, which accepts context only at the start of a session.
func cursorAnswer(e Event, context string) []byte {
	if e.Kind != SessionStart {
		return nil
	}
	return encode(struct {
		Context string `json:"additional_context"`
	}{context})
}

// encode returns a value as a line of JSON.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // agents count < as one character, \u003c as six
	if err := enc.Encode(v); err != nil {
		return nil // encoding a string cannot fail
	}
	return b.Bytes()
}

// closing ends the fence around a context.
const closing = "</mum-context>"

// capContext cuts a context that is too long at the end of a line and closes its fence.
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

// units returns the length of a text in UTF-16 units.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
