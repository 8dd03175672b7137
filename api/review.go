package api

import "time"

// Proposal is something that a session may have taught, but not clearly enough for a memory.
type Proposal struct {
	ID         int64     `json:"id"`
	State      string    `json:"state"` // open, kept, dropped, never
	Title      string    `json:"title"`
	Body       string    `json:"body"`
	Primitive  string    `json:"primitive"`
	Kind       string    `json:"kind,omitempty"`
	Tags       []string  `json:"tags,omitempty"`
	Sentence   string    `json:"sentence,omitempty"` // the original sentence that it comes from
	Why        string    `json:"why"`                // code of the reason why it is not a memory yet
	Confidence float64   `json:"confidence"`
	Project    string    `json:"project,omitempty"`
	ProjectID  int64     `json:"project_id,omitempty"` // several projects may have one name
	Session    string    `json:"session"`              // agent/id
	Said       time.Time `json:"said"`
	Memory     int64     `json:"memory,omitempty"` // the entry that it became
}

// Proposals are the open ones, newest first.
type Proposals struct {
	Proposals []Proposal `json:"proposals"`
	Open      int        `json:"open"`   // number of open and visible proposals, including those not in this list
	Hidden    int        `json:"hidden"` // hidden because nobody reviewed them for 30 days
	Labels    int        `json:"labels"` // reviews that adjust the threshold
}

// ReviewAct is the body of a review: the fields that are present replace those of the proposal.
type ReviewAct struct {
	Title *string   `json:"title,omitempty"`
	Body  *string   `json:"body,omitempty"`
	Tags  *[]string `json:"tags,omitempty"`
}

// Reviewed is the result.
type Reviewed struct {
	Proposal Proposal       `json:"proposal"`
	Action   string         `json:"action"` // keep, edit, drop, never, undo
	Written  *MemoryWritten `json:"written,omitempty"`
}

// ReviewReset is the number of labels that were removed.
type ReviewReset struct {
	Labels int `json:"labels"`
}
