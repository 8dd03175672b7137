// Package hooks answers one question: what does each coding agent say, and what may be said back?
//
// It holds the agents' hook dialects (decode a payload into an [Event], encode
// the answer the agent expects), the scripts that agents run, and the edits
// that connect an agent to keepmum and disconnect it again.
package hooks
