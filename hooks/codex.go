package hooks

import (
	"keepmum/lazyregexp"
)

// decodeCodex reads what Codex gives its hooks on stdin: Claude Code's
// envelope with turn_id for prompt_id, and its own tools.
func decodeCodex(o object) (Event, error) {
	if o.text("hook_event_name") == "PostToolUse" {
		return codexTool(o)
	}
	e, err := decodeClaude(o)
	if e.Kind == Compaction {
		// Codex does not tell the summary, and compacts more than once in a turn.
		e.CallID = ""
	}
	return e, err
}

var codexExit = lazyregexp.New(`^(?:Exit code: |Process exited with code )(-?\d+)`)

// codexTool reads a tool call. Codex reports failures as successes; some tools
// say in their text that they failed, a shell command does not.
func codexTool(o object) (Event, error) {
	e, err := claudeEnvelope(o)
	if err != nil {
		return e, err
	}
	e, err = claudeTool(e, o)
	if err != nil {
		return e, err
	}
	text, _ := e.Output.(string)
	if m := codexExit.FindStringSubmatch(text); m != nil && m[1] != "0" {
		e.Failed, e.Error = true, "exit code "+m[1]
	}
	return e, nil
}
