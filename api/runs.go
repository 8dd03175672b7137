package api

import "time"

// RunList is a list of runs, latest first.
type RunList struct {
	Runs  []RunTotals `json:"runs"`
	Total int         `json:"total"`
}

// RunTotals sums up a run.
type RunTotals struct {
	RunID        string         `json:"run_id"`
	Does         string         `json:"does"` // sync, maintain, compress, ask
	Started      time.Time      `json:"started"`
	Seconds      float64        `json:"duration_seconds"`
	Outcome      string         `json:"outcome"` // done, partial, failed, stopped, unfinished; answered, passages, unknown
	Why          string         `json:"why,omitempty"`
	Sessions     int            `json:"sessions"`
	Fates        map[string]int `json:"fates"` // number of candidates, memories, summaries and passages by fate
	Calls        int            `json:"model_calls"`
	ModelSeconds float64        `json:"model_seconds"`
	In           int            `json:"tokens_in"`
	Out          int            `json:"tokens_out"`
	Cost         float64        `json:"cost,omitempty"`
}

// RunTrace is a run with its lines.
type RunTrace struct {
	RunTotals
	Lines []RunLine `json:"lines"`
}

// RunWhy explains what happened to a session.
type RunWhy struct {
	Session string    `json:"session"`
	RunID   string    `json:"run_id,omitempty"` // the run that read it last
	Why     string    `json:"why"`
	Next    string    `json:"next"` // the command to run
	Lines   []RunLine `json:"lines"`
}

// RunLine is a line of a trace.
type RunLine struct {
	Kind       string    `json:"t"`
	At         time.Time `json:"at"`
	Run        string    `json:"run,omitempty"`
	Does       string    `json:"does,omitempty"`
	Session    string    `json:"session,omitempty"`
	Project    string    `json:"project,omitempty"`
	Branch     string    `json:"branch,omitempty"`
	Title      string    `json:"title,omitempty"`
	Form       string    `json:"form,omitempty"`
	Action     string    `json:"action,omitempty"`
	Reason     string    `json:"reason,omitempty"`
	Memory     string    `json:"memory,omitempty"`
	Into       string    `json:"into,omitempty"`
	By         string    `json:"by,omitempty"`
	Role       string    `json:"role,omitempty"`
	Provider   string    `json:"provider,omitempty"`
	Host       string    `json:"host,omitempty"`
	Model      string    `json:"model,omitempty"`
	Outcome    string    `json:"outcome,omitempty"`
	Entry      int64     `json:"entry,omitempty"`
	Steps      int       `json:"steps,omitempty"`
	Candidates int       `json:"candidates,omitempty"`
	Confidence float64   `json:"confidence,omitempty"`
	Score      float64   `json:"score,omitempty"`
	Seconds    float64   `json:"seconds,omitempty"`
	In         int       `json:"tokens_in,omitempty"`
	Out        int       `json:"tokens_out,omitempty"`
	Cost       float64   `json:"cost,omitempty"`
}
