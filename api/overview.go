package api

import "time"

// Overview answers GET /overview: what a project is, what holds, what was done last, what
// failed, and what is known about a task.
type Overview struct {
	Project   string         `json:"project"`
	Directory string         `json:"directory,omitempty"`
	Languages []Language     `json:"languages"` // most files first
	Entries   []string       `json:"entries"`   // where programs begin
	Build     []string       `json:"build"`     // commands, as the project's own files name them
	Test      []string       `json:"test"`
	Holds     []Memory       `json:"holds"` // pinned ones first, then the most trusted
	More      int            `json:"more,omitempty"`
	Last      *SessionDigest `json:"last,omitempty"` // what was done last
	Failed    []FailedRun    `json:"failed"`
	Task      string         `json:"task,omitempty"`
	About     *About         `json:"about,omitempty"` // of a task
}

// Language is how many files there are of a language.
type Language struct {
	Name  string `json:"name"`
	Files int    `json:"files"`
}

// FailedRun is a command that failed in a session, and did not succeed after.
type FailedRun struct {
	Entry   int64     `json:"entry"`
	Row     int64     `json:"session_row"`
	At      time.Time `json:"at"`
	Command string    `json:"command"`
}

// About is what is known about a task.
type About struct {
	Files    []string      `json:"files"`
	Memories []Memory      `json:"memories"`
	Sessions []SessionInfo `json:"sessions"`
}

// Outline answers GET /outline: what a file declares.
type Outline struct {
	File    string   `json:"file,omitempty"` // its number, if it was asked for by that
	Path    string   `json:"path"`
	Outline []string `json:"outline"` // a line each, with its number
}
