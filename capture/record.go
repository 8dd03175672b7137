package capture

import (
	"encoding/json"
	"time"

	"keepmum/hooks"
	"keepmum/privacy"
)

// record has the field names of [hooks.Event], so that a cleaned event is read back as a raw one and passes the gate
// again.
type record struct {
	Agent      privacy.Clean   `json:"agent"`
	Kind       hooks.Kind      `json:"kind"`
	Name       privacy.Clean   `json:"name"`
	Session    privacy.Clean   `json:"session"`
	Parent     privacy.Clean   `json:"parent"`
	Subagent   privacy.Clean   `json:"subagent"`
	SubType    privacy.Clean   `json:"sub_type"`
	Dir        privacy.Clean   `json:"dir"`
	Branch     privacy.Clean   `json:"branch"`
	Transcript privacy.Clean   `json:"transcript"`
	Model      privacy.Clean   `json:"model"`
	Source     privacy.Clean   `json:"source"`
	Reason     privacy.Clean   `json:"reason"`
	Text       privacy.Clean   `json:"text"`
	PromptID   privacy.Clean   `json:"prompt_id"`
	Tool       privacy.Clean   `json:"tool"`
	CallID     privacy.Clean   `json:"call_id"`
	NoteFile   privacy.Clean   `json:"note_file"`
	Progress   int             `json:"progress,omitempty"`
	Input      json.RawMessage `json:"input,omitempty"`
	Output     json.RawMessage `json:"output,omitempty"`
	Failed     bool            `json:"failed"`
	Error      privacy.Clean   `json:"error"`
	DurationMS int64           `json:"duration_ms"`
	At         time.Time       `json:"at"`
}

// MarshalJSON writes the cleaned event in the form of [hooks.Event].
func (e Event) MarshalJSON() ([]byte, error) {
	return json.Marshal(record{
		Agent: e.Agent, Kind: e.Kind, Name: e.Name, Session: e.Session, Parent: e.Parent,
		Subagent: e.Subagent, SubType: e.SubType, Dir: e.Dir, Branch: e.Project.Branch,
		Transcript: e.Transcript, Model: e.Model, Source: e.Source, Reason: e.Reason, Text: e.Text,
		PromptID: e.PromptID, Tool: e.Tool, CallID: e.CallID, Input: raw(e.Input), Output: raw(e.Output),
		NoteFile: e.NoteFile, Progress: e.Progress, Failed: e.Failed, Error: e.Error, DurationMS: e.DurationMS, At: e.At,
	})
}

func raw(t privacy.Tree) json.RawMessage {
	if t.IsZero() {
		return nil
	}
	return json.RawMessage(t.JSON().String())
}
