package extract

import (
	"time"

	"keepmum/privacy"
)

// Role says who is the author of a Step.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
	Compacted Role = "summary" // the agent's own summary of what happened before
)

// Session is a session, cleaned and compacted: without reasoning, wrappers and tool output.
type Session struct {
	Agent, ID, Project, Branch privacy.Clean
	Start, End                 time.Time
	Steps                      []Step
	dialogue                   *dialogue // its messages, if they were read already
}

// dialogue is the messages of some steps.
type dialogue struct {
	steps []Step
	talk  []exchange
}

// Heard returns the same session with its messages read, for whoever asks several questions about it.
func (s Session) Heard() Session {
	s.dialogue = &dialogue{s.Steps, converse(s)}
	return s
}

// of reports whether these are the messages of some steps.
func (d *dialogue) of(steps []Step) bool {
	return d != nil && len(steps) > 0 && len(steps) == len(d.steps) && &steps[0] == &d.steps[0]
}

// Step is something that was said or done.
type Step struct {
	At        time.Time
	Role      Role
	Text      privacy.Clean   // what was said
	Tool      privacy.Clean   // its name
	Command   privacy.Clean   // the command that a shell ran
	Files     []privacy.Clean // what a tool read or wrote
	Edit      bool            // the tool changed the files
	Failed    bool
	Error     privacy.Clean // the line of the output that says why it failed
	Sidechain bool          // in a subagent
	Ref       privacy.Clean // its line or row
	Branch    privacy.Clean // the branch that was checked out, if the agent records it for each step
}
