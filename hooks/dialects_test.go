package hooks

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestASessionOfOpenCodeThatIsNamedOnlyInsideItsEventIsRead(t *testing.T) {
	for given, want := range map[string]Event{
		`{"type":"session.created","properties":{"info":{"id":"ses_1","directory":"/home/dev/inn"}}}`: {
			Agent: OpenCode, Kind: SessionStart, Name: "session.created", Session: "ses_1", Dir: "/home/dev/inn",
			Source: "startup"},
		`{"type":"session.created","properties":{"info":{"id":"ses_2","parentID":"ses_1","agent":"general"}}}`: {
			Agent: OpenCode, Kind: Subagent, Name: "session.created", Session: "ses_1", Subagent: "ses_2",
			SubType: "general", Source: "startup", CallID: "ses_2/start"},
		`{"type":"session.deleted","properties":{"info":{"id":"ses_1"}}}`: {
			Agent: OpenCode, Kind: SessionEnd, Name: "session.deleted", Session: "ses_1", Reason: "deleted"},
		`{"type":"message.part.updated","properties":{"part":{"type":"tool","tool":"edit","callID":"c","sessionID":"ses_1",` +
			`"state":{"status":"error","error":"no file"}}}}`: {Agent: OpenCode, Kind: Observation,
			Name: "message.part.updated", Session: "ses_1", Tool: "edit", CallID: "c", Failed: true, Error: "no file"},
		`{"type":"message.updated","properties":{"info":{"id":"msg_1"}}}`: {Agent: OpenCode, Kind: Ignored,
			Name: "message.updated"},
	} {
		got, err := Decode(OpenCode, []byte(`{"hook":"event","input":`+given+`}`))
		if diff := cmp.Diff([]Event{want}, got); diff != "" || err != nil {
			t.Error(given, err, diff)
		}
	}
}

func TestWhatIsSaidInContentBlocksIsRead(t *testing.T) {
	const blocks = `[{"type":"text","text":"hello"},{"type":"text","text":"world"}]`
	const image = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}`
	for _, tt := range []struct {
		agent, payload string
		want           Event
	}{
		{Claude, `"hook_event_name":"UserPromptSubmit","prompt":` + blocks, Event{Kind: Prompt, Text: "hello\nworld"}},
		{Claude, `"hook_event_name":"UserPromptSubmit","prompt":[` + image + `,{"type":"text","text":"what is it?"}]`,
			Event{Kind: Prompt, Text: "what is it?"}},
		{Claude, `"hook_event_name":"UserPromptSubmit","prompt":[` + image + `]`, Event{Kind: Ignored}},
		{Claude, `"hook_event_name":"UserPromptSubmit","prompt":""`, Event{Kind: Ignored}},
		{Cursor, `"hook_event_name":"beforeSubmitPrompt","prompt":"","attachments":[{"type":"file"}]`, Event{Kind: Ignored}},
		{Claude, `"hook_event_name":"Stop","last_assistant_message":` + blocks, Event{Kind: Answer, Text: "hello\nworld"}},
		{Claude, `"hook_event_name":"PostToolUse","tool_name":"T","tool_response":` + blocks,
			Event{Kind: Observation, Tool: "T", Output: "hello\nworld"}},
		{Claude, `"hook_event_name":"PostToolUse","tool_name":"T","tool_response":[]`,
			Event{Kind: Observation, Tool: "T", Output: []any{}}},
		{Codex, `"hook_event_name":"PostToolUse","tool_name":"T","tool_response":[{"type":"output_text","text":"Exit code: 1\n"}]`,
			Event{Kind: Observation, Tool: "T", Output: "Exit code: 1\n", Failed: true, Error: "exit code 1"}},
		{Codex, `"hook_event_name":"PostToolUse","tool_name":"T","tool_response":"apply_patch verification failed: no\nfoo"`,
			Event{Kind: Observation, Tool: "T", Output: "apply_patch verification failed: no\nfoo", Failed: true,
				Error: "apply_patch verification failed: no"}},
		{Claude, `"hook_event_name":"PostToolUseFailure","tool_name":"T","error":` + blocks,
			Event{Kind: Observation, Tool: "T", Failed: true, Error: "hello\nworld"}},
	} {
		got, err := Decode(tt.agent, []byte(`{"session_id":"s","conversation_id":"s",`+tt.payload+`}`))
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %v, %v", tt.payload, got, err)
			continue
		}
		tt.want.Agent, tt.want.Session, tt.want.Name = tt.agent, "s", got[0].Name
		if diff := cmp.Diff(tt.want, got[0]); diff != "" {
			t.Error(tt.payload, diff)
		}
	}
	media := []byte(`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"T","tool_response":[` + image + `]}`)
	if got, err := Decode(Claude, media); err != nil || got[0].Output == nil || got[0].Output == "" {
		t.Errorf("what is not text is gone: %+v, %v", got, err)
	}
}

func TestAToolOfCursorLosesNothingOfItsOutput(t *testing.T) {
	for given, want := range map[string]any{
		`{"a":"1"}`:          map[string]any{"a": "1"},
		`{"a":"1"},"b":"2"`:  `{"a":"1"},"b":"2"`,
		`{"a":"1"} {"b":2}`:  `{"a":"1"} {"b":2}`,
		`[INFO] 3 tests ran`: `[INFO] 3 tests ran`,
		`{"a":"1"}}`:         `{"a":"1"}}`,
	} {
		payload, err := json.Marshal(map[string]string{"hook_event_name": "postToolUse", "conversation_id": "s",
			"tool_name": "Shell", "tool_output": given})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(Cursor, payload)
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: %v, %v", given, got, err)
		}
		if diff := cmp.Diff(want, got[0].Output); diff != "" {
			t.Error(given, diff)
		}
	}
}
