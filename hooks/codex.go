package hooks

import "keepmum/lazyregexp"

// decodeCodex decodes what Codex passes to its hooks on stdin: Claude Code's envelope, with turn_id in place of
// prompt_id, and Codex's own tools.
func decodeCodex(o object) (Event, error) {
	if o.text("hook_event_name") == "PostToolUse" {
		return codexTool(o)
	}
	return decodeClaude(o)
}

// codexExit matches the exit code at the start of a tool's output.
var codexExit = lazyregexp.New(`^(?:Exit code: |Process exited with code )(-?\d+)`)

// codexRefused matches the output of a patch that Codex did not apply, above which there is no exit code.
var codexRefused = lazyregexp.New(`^(?:apply_patch verification failed|patch rejected)\b.*`)

// codexTool reads a tool call. Codex reports failures as successes. Some tools state the failure in their output; a
// shell command does not.
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
	} else if why := codexRefused.FindStringSubmatch(text); why != nil {
		e.Failed, e.Error = true, why[0]
	}
	return e, nil
}
