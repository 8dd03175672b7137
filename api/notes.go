package api

import "time"

// Note is the body of POST /note: what somebody writes down about what is being done.
type Note struct {
	Type      string `json:"type"` // task | finding | decision | next | checkpoint | done
	Text      string `json:"text,omitempty"`
	File      string `json:"file,omitempty"`     // of a finding
	Progress  *int   `json:"progress,omitempty"` // of a task, 0..100
	Origin    string `json:"origin,omitempty"`   // user (default) | agent
	Session   string `json:"session,omitempty"`  // of the agent; absent = the one that is live in the directory
	Directory string `json:"directory"`
}

// Noted answers POST /note.
type Noted struct {
	NoteID   int64  `json:"note_id"`
	Row      int64  `json:"row"`
	Session  string `json:"session"` // agent/id that it belongs to
	Own      bool   `json:"own"`     // no session was live: it is one of the user's own notes
	Findings int    `json:"findings"`
}

// NoteInfo is a note as it was kept.
type NoteInfo struct {
	ID       int64     `json:"id"`
	At       time.Time `json:"at"`
	Type     string    `json:"type"`
	Text     string    `json:"text"`
	File     string    `json:"file,omitempty"`
	FileIs   string    `json:"file_is,omitempty"` // unchanged, changed or gone, by its content; absent = not known
	Progress *int      `json:"progress,omitempty"`
	Agent    string    `json:"agent,omitempty"` // absent = the user wrote it
}

// SessionDigest is what was being done in a session.
type SessionDigest struct {
	SessionInfo
	Outcome string     `json:"outcome"` // done | failed | open
	Digest  []string   `json:"digest"`
	Tokens  int        `json:"tokens"`
	Notes   []NoteInfo `json:"notes"`
	Edited  []string   `json:"edited"`
	Files   []FileRef  `json:"files"` // read or changed last, and by no later session

	Superseded []Replaced `json:"superseded,omitempty"` // of one session: what it taught and was replaced since
	Resumed    bool       `json:"resumed,omitempty"`    // the next start tells it
}

// FileRef is a file that has a number.
type FileRef struct {
	Number string `json:"number"` // F12
	Path   string `json:"path"`
	Is     string `json:"is"` // unchanged | changed | gone since then, by content
}

// Replaced is a memory that gave way to another one.
type Replaced struct {
	Entry   int64  `json:"entry"`
	Title   string `json:"title"`
	By      int64  `json:"by,omitempty"`
	ByTitle string `json:"by_title,omitempty"`
}

// SessionTrace answers GET /sessions/trace: each step from an event to what the next start is told.
type SessionTrace struct {
	SessionInfo
	Steps []Check `json:"steps"`
}

// SessionDigests answers GET /sessions/digests, the latest first.
type SessionDigests struct {
	Sessions []SessionDigest `json:"sessions"`
}
