package store

// Kind is what a document is.
type Kind string

// The kinds of document.
const (
	KindObservation Kind = "observation"
	KindPrompt      Kind = "prompt"
	KindSession     Kind = "session"
	KindSummary     Kind = "summary"
	KindMemory      Kind = "memory"
	KindCommit      Kind = "commit"
	KindNote        Kind = "note"
)

// Role says who wrote a prompt document, and how the text of others is to be taken.
type Role string

// The roles. The zero value means [RoleUser].
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	// RoleInstruction marks a commit whose message reads as an instruction to a
	// model: it is kept and never told.
	RoleInstruction Role = "instruction"
)
