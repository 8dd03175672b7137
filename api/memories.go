package api

import (
	"errors"
	"time"
)

// Memory is one markdown memory.
type Memory struct {
	ID           string         `json:"id"`    // the name in its file
	Entry        int64          `json:"entry"` // the number by which it is found and shown
	Title        string         `json:"title"`
	Primitive    string         `json:"primitive"` // decision | learning
	Kind         string         `json:"kind,omitempty"`
	State        string         `json:"state"` // active | archived | superseded
	Pinned       bool           `json:"pinned,omitempty"`
	Confidence   float64        `json:"confidence"`
	Effective    float64        `json:"effective_confidence"` // what is left of it today
	Created      time.Time      `json:"created"`
	Updated      time.Time      `json:"updated"`
	Project      string         `json:"project,omitempty"` // "" = of no project
	ProjectID    int64          `json:"project_id,omitempty"`
	File         string         `json:"file"`
	Origin       string         `json:"origin"`            // who wrote it: a run, cli, an agent
	Foreign      bool           `json:"foreign,omitempty"` // it came with the repository
	Key          string         `json:"key,omitempty"`
	Branch       string         `json:"branch,omitempty"`   // on which alone it holds; absent = everywhere
	ValidFrom    time.Time      `json:"valid_from"`         // since when it holds, or held last
	ValidTo      *time.Time     `json:"valid_to,omitempty"` // absent = it holds
	Tags         []string       `json:"tags"`
	Sources      []MemorySource `json:"sources"`
	SupersededBy string         `json:"superseded_by,omitempty"`
	Accesses     int64          `json:"accesses"`
	Accessed     *time.Time     `json:"accessed,omitempty"`
	Body         string         `json:"body,omitempty"`    // of one that was asked for
	Snippet      string         `json:"snippet,omitempty"` // HTML, of one that was searched for
	Score        float64        `json:"score,omitempty"`
}

// MemorySource is where a memory comes from.
type MemorySource struct {
	Session string `json:"session"` // agent/id
	Ref     string `json:"ref,omitempty"`
}

// MemoryList answers GET /memories and GET /memories/search.
type MemoryList struct {
	Memories []Memory `json:"memories"`
	Total    int      `json:"total"`
}

// MemoryAdd is the body of POST /memories.
type MemoryAdd struct {
	Branch     string   `json:"branch,omitempty"` // on which alone it holds
	Title      string   `json:"title"`
	Body       string   `json:"body,omitempty"`       // a fact needs none
	Key        string   `json:"key,omitempty"`        // what it answers; another statement of the same key is replaced
	Category   string   `json:"category,omitempty"`   // the room, where the key has none
	ValidFrom  string   `json:"valid_from,omitempty"` // a day or a time: since when it holds, or that it held then
	Primitive  string   `json:"primitive,omitempty"`  // decision | learning (default)
	Kind       string   `json:"kind,omitempty"`       // of a learning; insight by default
	Tags       []string `json:"tags,omitempty"`
	Confidence float64  `json:"confidence,omitempty"` // 0 = 0.9, from an agent 0.6
	Origin     string   `json:"origin,omitempty"`     // user (default) | agent
	Agent      string   `json:"agent,omitempty"`      // who, of an agent
	Session    string   `json:"session,omitempty"`    // in which of its sessions
	Directory  string   `json:"directory,omitempty"`
	Project    string   `json:"project,omitempty"`
	Global     bool     `json:"global,omitempty"` // of no project
	New        bool     `json:"new,omitempty"`    // a memory of its own, also where one is similar

	Links    []MemoryLinkAdd `json:"links,omitempty"`
	Evidence []int64         `json:"evidence,omitempty"` // entries that say so
}

// CheckOrigin refuses who is neither the user nor an agent ("" = the user).
func CheckOrigin(origin string) error {
	if origin != "" && origin != "user" && origin != "agent" {
		return errors.New("origin must be user or agent")
	}
	return nil
}

// MemoryWritten answers what writes a memory.
type MemoryWritten struct {
	Memory   Memory `json:"memory"`
	Action   string `json:"action"`             // add | update | noop | supersede | history | edit | archive | restore | pin | unpin
	Reason   string `json:"reason,omitempty"`   // why it was not simply added
	Findings int    `json:"findings"`           // what the gate took out
	Replaced string `json:"replaced,omitempty"` // of a supersede: the memory that gave way

	Dependents []Memory `json:"dependents,omitempty"` // in use, and depend on what was replaced
}

// MemoryEdit is the body of POST /memories/{id}/edit; what is absent stays.
type MemoryEdit struct {
	Title      *string   `json:"title,omitempty"`
	Body       *string   `json:"body,omitempty"`
	Tags       *[]string `json:"tags,omitempty"`
	Confidence *float64  `json:"confidence,omitempty"`
	Kind       *string   `json:"kind,omitempty"`
	Key        *string   `json:"key,omitempty"`
	Updated    time.Time `json:"updated,omitzero"` // of the memory that the edit is based on; absent = whichever is there
}

// MemoryForget is the body of POST /memories/{id}/forget.
type MemoryForget struct {
	DryRun  bool   `json:"dry_run,omitempty"`
	Confirm string `json:"confirm,omitempty"` // the token of a dry run: nothing but what it showed is forgotten
}

// MemoryForgotten answers POST /memories/{id}/forget.
type MemoryForgotten struct {
	Memories []Memory `json:"memories"` // it, and the archived ones it replaced
	Token    string   `json:"token,omitempty"`
	Forgotten
}

// MemoryReindex is the body of POST /memories/reindex.
type MemoryReindex struct {
	All bool `json:"all,omitempty"` // also what did not change
}

// MemoryTree is what was found in one tree.
type MemoryTree struct {
	Dir     string         `json:"dir"`
	Project string         `json:"project,omitempty"`
	Added   int            `json:"added"`
	Changed int            `json:"changed"`
	Removed int            `json:"removed"`
	Same    int            `json:"same"`
	Broken  []MemoryBroken `json:"broken"`
}

// MemoryBroken is a file that is passed over.
type MemoryBroken struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Why  string `json:"why"`
}

// MemoryReindexed answers POST /memories/reindex.
type MemoryReindexed struct {
	Trees []MemoryTree `json:"trees"`
}

// MemoryAudit answers GET /memories/audit.
type MemoryAudit struct {
	Files    int             `json:"files"`
	Problems []MemoryProblem `json:"problems"`
}

// MemoryProblem is something in a file that somebody should look at.
type MemoryProblem struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Kind string `json:"kind"` // secret | broken | instruction | forgotten | foreign
	Why  string `json:"why"`
}

// Rejudge is the body of POST /memories/rejudge.
type Rejudge struct {
	Apply bool `json:"apply,omitempty"` // archive what is listed
}

// Rejudged is which memories of sync today's bar would not write.
type Rejudged struct {
	Memories []Memory `json:"memories"` // that would not be written
	Stay     int      `json:"stay"`     // that would be
	Unjudged int      `json:"unjudged"` // whose session is gone, or that a model worded
	Left     int      `json:"left"`     // the user's own, pinned or changed ones: not looked at
	Archived int      `json:"archived"`
}

// MemoryImport is the body of POST /memories/import.
type MemoryImport struct {
	From      string `json:"from"` // a directory, or a JSON file
	Directory string `json:"directory,omitempty"`
	Project   string `json:"project,omitempty"`
	Global    bool   `json:"global,omitempty"`
}

// MemoryImported answers POST /memories/import.
type MemoryImported struct {
	Added     []Memory       `json:"added"`
	Notes     int            `json:"notes,omitempty"` // of a session
	Same      int            `json:"same"`
	Refused   []MemoryBroken `json:"refused"`
	Automatic int            `json:"automatic,omitempty"` // findings that another tool made on its own: left out
	Empty     int            `json:"empty,omitempty"`     // entries that say nothing
	Over      int            `json:"over,omitempty"`      // there is no room for: memory.max_active
}

// MemoryExport answers GET /memories/export.
type MemoryExport struct {
	Files []MemoryFile `json:"files"`
}

// MemoryFile is a file as it may leave: what the gate keeps of it.
type MemoryFile struct {
	Project string `json:"project,omitempty"`
	Path    string `json:"path"` // below its tree
	Text    string `json:"text"`
}

// MemoryReset is the body of POST /memories/reset.
type MemoryReset struct {
	Scope     string `json:"scope"` // project | global | both
	Directory string `json:"directory,omitempty"`
	Project   string `json:"project,omitempty"`
	DryRun    bool   `json:"dry_run,omitempty"`
}

// MemoryResetDone answers POST /memories/reset.
type MemoryResetDone struct {
	Memories int      `json:"memories"`
	Dirs     []string `json:"dirs"`
	DryRun   bool     `json:"dry_run"`
	First    []Memory `json:"first,omitempty"` // of a dry run: the first of what would go
}

// Question is the body of POST /ask.
type Question struct {
	Question  string `json:"question"`
	Directory string `json:"directory,omitempty"`
	Project   string `json:"project,omitempty"` // * = all
	NoModel   bool   `json:"no_model,omitempty"`
	AsOf      string `json:"as_of,omitempty"` // a day (its end, UTC) or a time: what was known then
}

// Answer answers POST /ask.
type Answer struct {
	Answer    string     `json:"answer,omitempty"` // of a model; "" = the passages speak for themselves
	Model     string     `json:"model,omitempty"`
	Why       string     `json:"why,omitempty"` // why no model answered
	Known     bool       `json:"known"`         // something relevant was found
	Citations []Citation `json:"citations"`
}

// Citation is a passage that an answer rests on.
type Citation struct {
	Entry      int64     `json:"entry"`
	ID         string    `json:"id,omitempty"` // of a memory
	Type       string    `json:"type"`         // as of a Moment
	Date       time.Time `json:"date"`
	Title      string    `json:"title"`
	Text       string    `json:"text"`
	Project    string    `json:"project,omitempty"`
	Agent      string    `json:"agent,omitempty"`
	Session    string    `json:"session,omitempty"`
	ReplacedBy int64     `json:"replaced_by,omitempty"` // a later entry that changed it or took it back
	Cited      bool      `json:"cited"`                 // the model's answer rests on it
}

// MemoryWhy answers GET /memories/{id}/why.
type MemoryWhy struct {
	Memory   Memory          `json:"memory"`
	Sessions []SourceSession `json:"sessions"`
}

// SourceSession is a session that a memory comes from.
type SourceSession struct {
	Session string   `json:"session"` // agent/id
	Kept    bool     `json:"kept"`    // its events are here; else it was read from the agent's own file
	Refs    []string `json:"refs,omitempty"`
	Moments []Moment `json:"moments"` // what is named, or how the session began
}

// Blast answers GET /blast/{what}.
type Blast struct {
	Sessions  []string `json:"sessions"`  // agent/id
	Memories  []Memory `json:"memories"`  // learned from it
	Stands    []Memory `json:"stands"`    // in use, and depend on one of those
	Summaries []Moment `json:"summaries"` // made of it
	Told      []int64  `json:"told"`      // receipts of contexts that it was in
}
