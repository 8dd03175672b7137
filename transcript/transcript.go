package transcript

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// The agents whose files can be read.
const (
	Claude   = "claude"
	Codex    = "codex"
	OpenCode = "opencode"
	Cursor   = "cursor"
)

// Source is a session, or a database that contains many (then ID is empty).
type Source struct {
	Agent    string
	Path     string    // file or database
	ID       string    // the agent's own id for the session
	Parent   string    // the session that started this one, if the path or the database says so
	Dir      string    // working directory, if it is known without reading the session
	Size     int64     // bytes; for a database, including its write-ahead log
	Modified time.Time // for a session in a database: when the agent last changed it
}

// Session is what a reading learned about the session as a whole.
type Session struct {
	Agent, ID, Parent string
	Dir, Branch       string
	Title, Version    string
	Start, End        time.Time // of the entries in this reading; zero if nothing has a time
	Fresh             bool      // it was read from the start, so entries of earlier readings are invalid
	Stats             Stats
}

// Stats counts what a reading found.
type Stats struct {
	Lines   int64 // lines, or rows of a database
	Skipped int64 // of these, broken or longer than the limit
	Bytes   int64
	Entries int64
}

// Role says who is the author of an [Entry].
type Role string

// The roles.
const (
	User      Role = "user"      // typed by a person (in a subagent: by the agent that started it)
	Assistant Role = "assistant" // an answer, with all blocks of one message
	Tool      Role = "tool"      // a call with its result
	Summary   Role = "summary"   // written by the agent when it compacted the conversation
	// next to the conversation: thoughts, attachments, what a program put into a prompt
	Aside Role = "aside"
)

// Entry is one step of a session.
type Entry struct {
	At           time.Time // zero if the agent did not record it
	Role         Role
	Dir          string // its working directory, if the agent records it for each step
	Branch       string // the branch checked out, likewise
	Text         string
	Tool, CallID string // of a text: the tool that asked, or was answered
	Input        any    // decoded JSON, numbers as json.Number; nil if the call was in an earlier reading
	Output       any    // nil if there is no result yet
	Beside       any    // other data of the result, in the agent's own form; for an [Aside], its type
	Failed       bool
	Sidechain    bool   // said in or to a subagent
	Ref          string // line number, or row id
}

// Offset is where a reading ended. Its zero value is the start.
type Offset struct {
	Pos     int64  `json:"pos"`                // byte, time or row after the last one read
	Lines   int64  `json:"lines,omitempty"`    // lines before Pos
	Head    string `json:"head,omitempty"`     // hash of the file's beginning, or the id of the last row
	HeadLen int64  `json:"head_len,omitempty"` // length of that beginning
	Copied  bool   `json:"copied,omitempty"`   // Pos is inside a copy of another session
}

// Errors of a file or database as a whole. They are wrapped with its path.
var (
	ErrLocked  = errors.New("the database is locked by another program; try again later")
	ErrCorrupt = errors.New("the file is damaged or not a database")
)

// Sessions lists the sessions of a source, oldest first. A source that is a single session is returned unchanged. Only
// this and [Read] open files. Cursor may store one conversation both in a database and in a file, with the same ID.
func Sessions(ctx context.Context, src Source) ([]Source, error) {
	if src.ID != "" {
		return []Source{src}, nil
	}
	switch src.Agent {
	case OpenCode:
		return openCodeSessions(ctx, src)
	case Cursor:
		return cursorSessions(ctx, src)
	}
	return nil, fmt.Errorf("%s: a %q source needs a session id", src.Path, src.Agent)
}

// Read streams, in order, the entries of a session that come after from. A file that was replaced or truncated is read
// from the start ([Session.Fresh]). After an error, what was yielded is invalid, and from is returned. A line that is
// still being written is left for the next reading. A call without a result is yielded without Output; a later reading
// yields its result, with only the CallID. Codex writes a text two or three times in a row: if a reading ends between
// two copies, the next one yields the text again.
func Read(ctx context.Context, src Source, from Offset, yield func(Entry) error) (Session, Offset, error) {
	s := &sink{Session: Session{Agent: src.Agent, ID: src.ID, Parent: src.Parent, Dir: src.Dir}, yield: yield}
	end, err := read(ctx, src, from, s)
	if err != nil {
		return s.Session, from, err
	}
	return s.Session, end, nil
}

func read(ctx context.Context, src Source, from Offset, s *sink) (Offset, error) {
	database := !strings.HasPrefix(filepath.Ext(src.Path), ".json") // neither .json nor .jsonl
	switch {
	case src.ID == "":
		return from, fmt.Errorf("%s: list its sessions first", src.Path)
	case src.Agent == Claude:
		return readLines(ctx, src, from, &claudeReader{sink: s, file: src.Path})
	case src.Agent == Codex:
		return readLines(ctx, src, from, &codexReader{sink: s})
	case src.Agent == Cursor && !database:
		return readLines(ctx, src, from, &cursorLines{sink: s})
	case src.Agent == Cursor:
		return readCursor(ctx, src, from, s)
	case src.Agent == OpenCode && !database:
		return readOpenCodeFiles(ctx, src, from, s)
	case src.Agent == OpenCode:
		return readOpenCode(ctx, src, from, s)
	}
	return from, fmt.Errorf("%s: no reader for agent %q", src.Path, src.Agent)
}
