package api

import "time"

// Note is the body of POST /note: what someone records about the current work.
type Note struct {
	Type      string `json:"type"` // task | finding | decision | next | checkpoint | done
	Text      string `json:"text,omitempty"`
	File      string `json:"file,omitempty"`     // file that a finding is about
	Progress  *int   `json:"progress,omitempty"` // of a task, 0..100
	Origin    string `json:"origin,omitempty"`   // user (default) | agent
	Agent     string `json:"agent,omitempty"`    // whose active session it goes to, or its MCP client; absent = any
	Session   string `json:"session,omitempty"`  // session of the agent; absent = the active one in the directory
	Directory string `json:"directory"`
}

// Noted answers POST /note.
type Noted struct {
	NoteID   int64  `json:"note_id"`
	Row      int64  `json:"row"`
	Session  string `json:"session"` // agent/id of its session
	Own      bool   `json:"own"`     // no session was active: it is in one of its own
	Findings int    `json:"findings"`
}

// NoteInfo is a stored note.
type NoteInfo struct {
	ID       int64     `json:"id"`
	At       time.Time `json:"at"`
	Type     string    `json:"type"`
	Text     string    `json:"text"`
	File     string    `json:"file,omitempty"`
	FileIs   string    `json:"file_is,omitempty"` // unchanged, changed or gone, compared by content; absent = unknown
	Progress *int      `json:"progress,omitempty"`
	Agent    string    `json:"agent,omitempty"` // absent = the user wrote it
}

// SessionDigest sums up what was done in a session.
type SessionDigest struct {
	SessionInfo
	Outcome string     `json:"outcome"` // done | failed | open
	Digest  []string   `json:"digest"`
	Tokens  int        `json:"tokens"`
	Notes   []NoteInfo `json:"notes"`
	Edited  []string   `json:"edited"`
	Files   []FileRef  `json:"files"` // files that this session was the last to read or change

	Superseded []Replaced `json:"superseded,omitempty"` // of one session: what it taught and has been replaced since
	Resumed    bool       `json:"resumed,omitempty"`    // the next session start is told about it
}

// FileRef is a file with a short number.
type FileRef struct {
	Number string `json:"number"` // F12
	Path   string `json:"path"`
	Is     string `json:"is"` // unchanged | changed | gone since then, compared by content
}

// Replaced is a memory that was replaced by another one.
type Replaced struct {
	Entry   int64  `json:"entry"`
	Title   string `json:"title"`
	By      int64  `json:"by,omitempty"`
	ByTitle string `json:"by_title,omitempty"`
}

// SessionTrace answers GET /sessions/trace: each step from an event to what the next session start is told.
type SessionTrace struct {
	SessionInfo
	Steps []Check `json:"steps"`
}

// SessionDigests answers GET /sessions/digests, latest first.
type SessionDigests struct {
	Sessions []SessionDigest `json:"sessions"`
}
