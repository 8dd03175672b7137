package hooks

import (
	"errors"
	"strings"
)

// decodeClaude decodes what Claude Code passes to its hooks on stdin.
func decodeClaude(o object) (Event, error) {
	e, err := claudeEnvelope(o)
	if err != nil {
		return e, err
	}
	switch e.Name {
	case "SessionStart":
		e.Kind = SessionStart
	case "SessionEnd":
		e.Kind, e.Reason = SessionEnd, o.text("reason")
	case "UserPromptSubmit":
		return claudePrompt(e, o)
	case "PostToolUse", "PostToolUseFailure":
		return claudeTool(e, o)
	case "Stop":
		// Another program's stop hook can make the agent continue, so one prompt can have several answers. The prompt's
		// id therefore does not identify an answer.
		e.Kind, e.Text = Answer, o.said("last_assistant_message")
	case "SubagentStart", "SubagentStop":
		claudeSubagent(&e, o)
	case "PreCompact":
		claudeMark(&e)
	case "PostCompact":
		e.Kind, e.Text, e.Source = Compaction, compacted(o.said("compact_summary")), o.text("trigger")
	default:
		// PreToolUse and PostToolBatch repeat what PostToolUse says; the others (33 event types in all, more with each
		// release) carry nothing worth keeping.
		e.Kind = Ignored
	}
	return e, nil
}

// claudeEnvelope reads the fields that all events share. It also serves Codex, whose hooks copy these fields.
func claudeEnvelope(o object) (Event, error) {
	name, err := o.needName("hook_event_name")
	if err != nil {
		return Event{}, err
	}
	session, err := o.needName("session_id")
	if err != nil {
		return Event{}, err
	}
	return Event{
		Name:       name,
		Session:    session,
		Subagent:   o.text("agent_id"),
		SubType:    o.text("agent_type"),
		Dir:        o.text("cwd"),
		Transcript: o.text("transcript_path"),
		Model:      o.text("model"),
		Source:     o.text("source"),
		PromptID:   o.text("prompt_id", "turn_id"),
		DurationMS: o.integer("duration_ms"),
	}, nil
}

// claudePrompt reads what the user said. What the user adds while the agent works belongs to the same turn, so the
// turn's id does not identify a prompt. A prompt without text is one whose words are in an attachment.
func claudePrompt(e Event, o object) (Event, error) {
	prompt, ok := o["prompt"]
	if !ok {
		return e, errors.New("prompt is missing")
	}
	switch prompt.(type) {
	case nil, string, []any:
		e.Kind, e.Text = Prompt, o.said("prompt")
		return e, nil
	default:
		return e, errors.New("prompt is not a text")
	}
}

// claudeTool reads a tool call and its result.
func claudeTool(e Event, o object) (Event, error) {
	tool, err := o.needName("tool_name")
	if err != nil {
		return e, err
	}
	e.Kind, e.Tool, e.CallID = Observation, tool, o.text("tool_use_id")
	e.Input, e.Output = o["tool_input"], o["tool_response"]
	if text, all := said(e.Output); all {
		e.Output = text
	}
	if e.Name == "PostToolUseFailure" {
		e.Failed, e.Error = true, o.said("error")
	}
	return e, nil
}

// CompactionMark is the author of the checkpoint that is set before an agent compacts its context.
const CompactionMark = "compaction"

// claudeMark turns a coming compaction of the context into a checkpoint. The compaction of a subagent is ignored,
// because it does not concern the session.
func claudeMark(e *Event) {
	e.Kind = Ignored
	if e.Subagent == "" {
		e.Kind, e.Source, e.SubType, e.Progress = Note, "checkpoint", CompactionMark, -1
	}
}

// compacted returns the summary from the text of a compaction, without the model's analysis before it.
func compacted(text string) string {
	if _, after, ok := strings.Cut(text, "</analysis>"); ok {
		text = after
	}
	if _, after, ok := strings.Cut(text, "<summary>"); ok {
		text, _, _ = strings.Cut(after, "</summary>")
	}
	return strings.TrimSpace(text)
}

// claudeSubagent reads the start and the end of a subagent. A subagent without a type is internal to the agent and
// ignored: it writes the summary of a compaction, which PostCompact delivers anyway.
func claudeSubagent(e *Event, o object) {
	e.Kind, e.CallID = Subagent, e.Subagent+"/"+e.Name
	if e.SubType == "" {
		e.Kind = Ignored
		return
	}
	if e.Name == "SubagentStop" {
		e.Text = o.said("last_assistant_message")
		if t := o.text("agent_transcript_path"); t != "" {
			e.Transcript = t
		}
		if e.PromptID != "" { // with the text it identifies the report: a subagent that is resumed reports again
			e.CallID = ""
		}
	}
}
