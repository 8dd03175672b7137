package hooks

// decodeCursor decodes what Cursor passes to its hooks on stdin. It does not read user_email, which is in every
// payload: that is personal data.
func decodeCursor(o object) (Event, error) {
	e, err := cursorEnvelope(o)
	if err != nil {
		return e, err
	}
	switch e.Name {
	case "sessionStart":
		e.Kind, e.Source = SessionStart, "startup"
	case "sessionEnd":
		e.Kind, e.Reason = SessionEnd, o.text("reason")
	case "beforeSubmitPrompt":
		return claudePrompt(e, o)
	case "afterAgentResponse":
		e.Kind, e.Text = Answer, o.said("text")
	case "postToolUse", "postToolUseFailure":
		return cursorTool(e, o)
	default:
		// afterShellExecution, afterMCPExecution and afterFileEdit repeat what postToolUse says; afterAgentThought is not
		// an answer.
		e.Kind = Ignored
	}
	return e, nil
}

// maxRoots limits how many folders of a workspace are checked for capture settings.
const maxRoots = 64

func cursorEnvelope(o object) (Event, error) {
	name, err := o.needName("hook_event_name")
	if err != nil {
		return Event{}, err
	}
	session, err := o.needName("conversation_id")
	if err != nil {
		return Event{}, err
	}
	dir, roots := o.text("cwd"), o.texts("workspace_roots")
	roots = roots[:min(len(roots), maxRoots)]
	if dir == "" && len(roots) > 0 {
		dir = roots[0]
	}
	return Event{
		Name:       name,
		Session:    session,
		Dir:        dir,
		OtherDirs:  roots,
		Transcript: o.text("transcript_path"),
		Model:      o.text("model"),
		PromptID:   o.text("generation_id"),
		DurationMS: o.integer("duration"),
	}, nil
}

func cursorTool(e Event, o object) (Event, error) {
	tool, err := o.needName("tool_name")
	if err != nil {
		return e, err
	}
	e.Kind, e.Tool, e.CallID = Observation, tool, o.text("tool_use_id")
	e.Input, e.Output = embedded(o["tool_input"]), embedded(o["tool_output"])
	if e.Name == "postToolUseFailure" {
		e.Failed, e.Error = true, o.said("error_message", "error")
	}
	return e, nil
}

// embedded decodes a JSON object or array that was sent as a string, so that the gate sees its keys. Any other value is
// returned unchanged.
func embedded(v any) any {
	s, ok := v.(string)
	if !ok || len(s) < 2 || (s[0] != '{' && s[0] != '[') {
		return v
	}
	inside, err := parse([]byte(s))
	if err != nil {
		return v
	}
	return inside
}
