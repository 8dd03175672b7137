package api

import "time"

// Proposal is what a session may have taught and was not sure enough to be a memory.
type Proposal struct {
	ID         int64     `json:"id"`
	State      string    `json:"state"` // open, kept, dropped, never
	Title      string    `json:"title"`
	Body       string    `json:"body"`
	Primitive  string    `json:"primitive"`
	Kind       string    `json:"kind,omitempty"`
	Tags       []string  `json:"tags,omitempty"`
	Sentence   string    `json:"sentence,omitempty"` // what it comes from, as it was said
	Why        string    `json:"why"`                // it is not a memory on its own: a code
	Confidence float64   `json:"confidence"`
	Project    string    `json:"project,omitempty"`
	Session    string    `json:"session"` // agent/id
	Said       time.Time `json:"said"`
	Memory     int64     `json:"memory,omitempty"` // the entry that it became
}

// Proposals are those that wait, the newest first.
type Proposals struct {
	Proposals []Proposal `json:"proposals"`
	Open      int        `json:"open"`   // that wait and are shown, all of them
	Hidden    int        `json:"hidden"` // that nobody looked at for 30 days
	Labels    int        `json:"labels"` // reviews that shift the bar
}

// ReviewAct is what the user does with a proposal; words are given to keep it in others.
type ReviewAct struct {
	Title *string   `json:"title,omitempty"`
	Body  *string   `json:"body,omitempty"`
	Tags  *[]string `json:"tags,omitempty"`
}

// Reviewed is what came of it.
type Reviewed struct {
	Proposal Proposal       `json:"proposal"`
	Action   string         `json:"action"` // keep, edit, drop, never, undo
	Written  *MemoryWritten `json:"written,omitempty"`
}

// ReviewReset says how many labels there were.
type ReviewReset struct {
	Labels int `json:"labels"`
}
