package extract

import (
	"time"

	"keepmum/privacy"
)

// Role says who speaks in a Step.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
	Compacted Role = "summary" // the agent's own summary of what went before
)

// Session is a session, cleaned and compacted: reasoning, wrappers and the
// outputs of tools are gone.
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
	Command   privacy.Clean   // what a shell was told
	Files     []privacy.Clean // what a tool read or wrote
	Edit      bool            // the tool changed the files
	Failed    bool
	Error     privacy.Clean // the line of the output that says why it failed
	Sidechain bool          // in a subagent
	Ref       privacy.Clean // line or row it is in
	Branch    privacy.Clean // that was checked out, where the agent says so of each step
}
