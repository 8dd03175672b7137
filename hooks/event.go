package hooks

import "time"

// Kind says what happened; kinds are the same for all agents.
type Kind string

// The kinds of event.
const (
	SessionStart Kind = "session_start"
	SessionEnd   Kind = "session_end"
	Prompt       Kind = "prompt"      // Text is what the user asked
	Answer       Kind = "answer"      // Text is the assistant's last message of a turn
	Observation  Kind = "observation" // a tool was used: Tool, Input, Output, Failed, Error
	Compaction   Kind = "compaction"  // Text is the summary, if the agent sends it
	Subagent     Kind = "subagent"    // a subagent started or stopped; Text is its last message
	Note         Kind = "note"        // someone recorded what is being done; Source is the type of note
	Ignored      Kind = "ignored"     // unknown, or not worth keeping
)

// Event is one thing that an agent reported. Its strings are raw: they have not passed the gate and must not be written
// anywhere. The JSON form is that of the spool, where every string has passed the gate.
type Event struct {
	Agent      string   `json:"agent"`
	Kind       Kind     `json:"kind"`
	Name       string   `json:"name,omitempty"` // the agent's own name for the event
	Session    string   `json:"session,omitempty"`
	Parent     string   `json:"parent,omitempty"`   // session that started this one
	Subagent   string   `json:"subagent,omitempty"` // id of the subagent within the session
	SubType    string   `json:"sub_type,omitempty"` // kind of subagent
	Dir        string   `json:"dir,omitempty"`
	OtherDirs  []string `json:"-"` // other folders of the workspace
	Branch     string   `json:"branch,omitempty"`
	Transcript string   `json:"transcript,omitempty"` // the agent's own session file
	Model      string   `json:"model,omitempty"`
	// why a session started (startup, resume, clear, compact, fork), or where a prompt came from
	Source   string `json:"source,omitempty"`
	Reason   string `json:"reason,omitempty"` // why a session ended
	Text     string `json:"text,omitempty"`
	PromptID string `json:"prompt_id,omitempty"`
	Tool     string `json:"tool,omitempty"`
	// the agent's id of the tool call or message; identifies a repeated event
	CallID     string    `json:"call_id,omitempty"`
	Input      any       `json:"input,omitempty"`
	Output     any       `json:"output,omitempty"`
	NoteFile   string    `json:"note_file,omitempty"` // file that a note is about
	Progress   int       `json:"progress,omitempty"`  // of a note; negative = not stated
	Failed     bool      `json:"failed,omitempty"`
	Error      string    `json:"error,omitempty"`
	DurationMS int64     `json:"duration_ms,omitempty"`
	At         time.Time `json:"at,omitzero"` // when the agent says it happened; zero = now
	Until      time.Time `json:"-"`           // when the agent stops waiting for context; zero = not stated
}
