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
