package store

// Kind is the kind of a document.
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

// Kinds returns all kinds of document.
func Kinds() []Kind {
	return []Kind{KindObservation, KindPrompt, KindSession, KindSummary, KindMemory, KindCommit, KindNote}
}

// Role says who wrote a prompt document, and how to treat text written by others.
type Role string

// The roles. The zero value means [RoleUser].
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	// RoleInstruction marks a commit whose message reads like an instruction to a model: it is stored and never told to
	// an agent.
	RoleInstruction Role = "instruction"
)
