package api

import "time"

// CompressRequest is the body of POST /compress.
type CompressRequest struct {
	Redo  bool   `json:"redo,omitempty"`  // also repeat finished jobs
	Model string `json:"model,omitempty"` // "" = the configured one
}

// Compressed answers POST /compress.
type Compressed struct {
	Waiting int64 `json:"waiting"` // jobs that a model will be asked about
}

// Preview answers GET /compress/preview: the exact bytes that would be sent.
type Preview struct {
	Provider string    `json:"provider,omitempty"`
	Host     string    `json:"host,omitempty"`
	Model    string    `json:"model,omitempty"`
	Digest   string    `json:"digest,omitempty"`
	Payload  string    `json:"payload,omitempty"`
	SHA256   string    `json:"sha256,omitempty"`
	Why      string    `json:"why,omitempty"`  // why nothing would be sent; with a payload: why no model is available
	Held     []Finding `json:"held,omitempty"` // why the second gate would hold it back
}

// Finding is a doubt of the second gate: a rule and a position.
type Finding struct {
	Rule  string `json:"rule"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// Job is one unit of compression.
type Job struct {
	ID       int64     `json:"id"`
	Kind     string    `json:"kind"` // turn, session
	State    string    `json:"state"`
	Attempts int       `json:"attempts"`
	Error    string    `json:"error,omitempty"`
	Updated  time.Time `json:"updated"`
}

// JobList answers GET /queue, newest first: jobs that wait for a summary, and sessions that wait for sync.
type JobList struct {
	Jobs []Job     `json:"jobs"`
	Sync []SyncJob `json:"sync"`
}

// Quarantined is a job that the second gate held back.
type Quarantined struct {
	ID       int64     `json:"id"`
	Job      int64     `json:"job"`
	At       time.Time `json:"at"`
	Findings []Finding `json:"findings"`
}

// QuarantineList answers GET /quarantine, newest first.
type QuarantineList struct {
	Quarantine []Quarantined `json:"quarantine"`
}
