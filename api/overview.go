package api

import "time"

// Overview answers GET /overview: what a project is, the active memories, what was done last, what failed, and what is
// known about a task.
type Overview struct {
	Project   string         `json:"project"`
	Directory string         `json:"directory,omitempty"`
	Languages []Language     `json:"languages"` // most files first
	Entries   []string       `json:"entries"`   // files in which programs start
	Build     []string       `json:"build"`     // commands, as in the project's own files
	Test      []string       `json:"test"`
	Holds     []Memory       `json:"holds"` // active memories: pinned ones first, then the most trusted
	More      int            `json:"more,omitempty"`
	Last      *SessionDigest `json:"last,omitempty"` // what was done last
	Failed    []FailedRun    `json:"failed"`
	Task      string         `json:"task,omitempty"`
	About     *About         `json:"about,omitempty"` // what is known about the task
}

// Language is the number of files of a language.
type Language struct {
	Name  string `json:"name"`
	Files int    `json:"files"`
}

// FailedRun is a command that failed in a session and did not succeed later.
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
	File    string   `json:"file,omitempty"` // its number, if it was requested by number
	Path    string   `json:"path"`
	Outline []string `json:"outline"` // one line each, with its line number
}
