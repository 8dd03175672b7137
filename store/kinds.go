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
)

// Role says who wrote a prompt document.
type Role string

// The roles. The zero value means [RoleUser].
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)
