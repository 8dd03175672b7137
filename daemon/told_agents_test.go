package daemon

import "strings"

// dialect makes the events of one session as its agent sends them.
type dialect struct {
	prompt     func(id, text string) map[string]any
	tool       func(id string, turn toldTurn) map[string]any
	answer     func(id, text string) map[string]any
	start, end func() map[string]any
}

func toldDialect(agent, session, dir string) dialect {
	switch agent {
	case "opencode":
		return openCodeDialect(session, dir)
	case "cursor":
		return cursorDialect(session, dir)
	}
	event := func(name string, fields map[string]any) map[string]any {
		fields["hook_event_name"], fields["session_id"], fields["cwd"] = name, session, dir
		return fields
	}
	return dialect{
		start: func() map[string]any { return event("SessionStart", map[string]any{"source": "startup"}) },
		end:   func() map[string]any { return event("SessionEnd", map[string]any{"reason": "other"}) },
		prompt: func(id, text string) map[string]any {
			return event("UserPromptSubmit", map[string]any{"prompt": text, "prompt_id": id, "turn_id": id})
		},
		answer: func(id, text string) map[string]any {
			return event("Stop", map[string]any{"last_assistant_message": text, "turn_id": id})
		},
		tool: func(id string, turn toldTurn) map[string]any {
			return event("PostToolUse",
				map[string]any{"tool_name": turn.Tool, "tool_use_id": session + id, "tool_input": toolInput(turn),
					"tool_response": turn.Output})
		},
	}
}

func cursorDialect(session, dir string) dialect {
	event := func(name, id string, fields map[string]any) map[string]any {
		fields["hook_event_name"], fields["conversation_id"], fields["cwd"] = name, session, dir
		fields["generation_id"] = id
		return fields
	}
	return dialect{
		start: func() map[string]any { return event("sessionStart", "", map[string]any{}) },
		end:   func() map[string]any { return event("sessionEnd", "", map[string]any{"reason": "completed"}) },
		prompt: func(id, text string) map[string]any {
			return event("beforeSubmitPrompt", id, map[string]any{"prompt": text})
		},
		answer: func(id, text string) map[string]any {
			return event("afterAgentResponse", id, map[string]any{"text": text})
		},
		tool: func(id string, turn toldTurn) map[string]any {
			return event("postToolUse", id, map[string]any{"tool_name": turn.Tool, "tool_use_id": session + id,
				"tool_input": toolInput(turn), "tool_output": turn.Output})
		},
	}
}

func toolInput(turn toldTurn) map[string]any {
	switch turn.Tool {
	case "Bash":
		return map[string]any{"command": turn.Input}
	case "Grep":
		return map[string]any{"pattern": turn.Input}
	}
	return map[string]any{"file_path": turn.Input}
}

func openCodeDialect(session, dir string) dialect {
	event := func(kind string, out map[string]any) map[string]any {
		return map[string]any{"hook": "event", "directory": dir,
			"input": map[string]any{"type": kind, "properties": map[string]any{"sessionID": session}}, "output": out}
	}
	return dialect{
		start: func() map[string]any { return event("session.created", nil) },
		end:   func() map[string]any { return event("session.updated", nil) },
		prompt: func(id, text string) map[string]any {
			return map[string]any{"hook": "chat.message", "directory": dir, "input": map[string]any{"sessionID": session},
				"output": map[string]any{"message": map[string]any{"id": session + id},
					"parts": []any{map[string]any{"type": "text", "text": text}}}}
		},
		answer: func(id, text string) map[string]any {
			return event("session.idle", map[string]any{"text": text, "messageID": session + id})
		},
		tool: func(id string, turn toldTurn) map[string]any {
			return map[string]any{"hook": "tool.execute.after", "directory": dir,
				"input": map[string]any{"sessionID": session, "tool": strings.ToLower(turn.Tool), "callID": session + id,
					"args": toolInput(turn)}, "output": map[string]any{"output": turn.Output}}
		},
	}
}
