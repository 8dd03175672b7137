package api

import (
	"errors"
	"time"
)

// Memory is one markdown memory.
type Memory struct {
	ID           string         `json:"id"`    // the name in its file
	Entry        int64          `json:"entry"` // number by which it is found and displayed
	Title        string         `json:"title"`
	Primitive    string         `json:"primitive"` // decision | learning
	Kind         string         `json:"kind,omitempty"`
	State        string         `json:"state"` // active | archived | superseded
	Pinned       bool           `json:"pinned,omitempty"`
	Confidence   float64        `json:"confidence"`
	Effective    float64        `json:"effective_confidence"` // confidence today, after decay
	Created      time.Time      `json:"created"`
	Updated      time.Time      `json:"updated"`
	Project      string         `json:"project,omitempty"` // "" = global
	ProjectID    int64          `json:"project_id,omitempty"`
	File         string         `json:"file"`
	Origin       string         `json:"origin"`            // who wrote it: a run, cli, an agent
	Foreign      bool           `json:"foreign,omitempty"` // it came with the repository
	By           string         `json:"by,omitempty"`      // whose word it is: user | agent | repository; absent = of a session
	Key          string         `json:"key,omitempty"`
	Branch       string         `json:"branch,omitempty"`   // the only branch on which it is valid; absent = all
	ValidFrom    time.Time      `json:"valid_from"`         // start of its validity, or of its last period of validity
	ValidTo      *time.Time     `json:"valid_to,omitempty"` // absent = it is valid
	Tags         []string       `json:"tags"`
	Sources      []MemorySource `json:"sources"`
	SupersededBy string         `json:"superseded_by,omitempty"`
	Accesses     int64          `json:"accesses"`
	Accessed     *time.Time     `json:"accessed,omitempty"`
	Body         string         `json:"body,omitempty"`    // only if the memory was requested by id
	Snippet      string         `json:"snippet,omitempty"` // HTML, only in search results
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
	Branch     string   `json:"branch,omitempty"` // the only branch on which it is valid
	Title      string   `json:"title"`
	Body       string   `json:"body,omitempty"`       // optional for a fact
	Key        string   `json:"key,omitempty"`        // what it answers; replaces a memory with the same key
	Category   string   `json:"category,omitempty"`   // the room, if the key has none
	ValidFrom  string   `json:"valid_from,omitempty"` // a day or a time: valid since then, or valid at that time
	Primitive  string   `json:"primitive,omitempty"`  // decision | learning (default)
	Kind       string   `json:"kind,omitempty"`       // of a learning; default insight
	Tags       []string `json:"tags,omitempty"`
	Confidence float64  `json:"confidence,omitempty"` // 0 = 0.9, or 0.6 from an agent
	Origin     string   `json:"origin,omitempty"`     // user (default) | agent
	Agent      string   `json:"agent,omitempty"`      // which agent
	Session    string   `json:"session,omitempty"`    // which of the agent's sessions
	Directory  string   `json:"directory,omitempty"`
	Project    string   `json:"project,omitempty"`
	Global     bool     `json:"global,omitempty"` // belongs to no project
	New        bool     `json:"new,omitempty"`    // add a new memory even if there is a similar one

	Links    []MemoryLinkAdd `json:"links,omitempty"`
	Evidence []int64         `json:"evidence,omitempty"` // entries that support it
}

// CheckOrigin rejects an origin that is neither the user nor an agent ("" = the user).
func CheckOrigin(origin string) error {
	if origin != "" && origin != "user" && origin != "agent" {
		return errors.New("origin must be user or agent")
	}
	return nil
}

// MemoryWritten answers requests that write a memory.
type MemoryWritten struct {
	Memory   Memory `json:"memory"`
	Action   string `json:"action"`             // add, update, noop, supersede, history, edit, archive, restore, pin, unpin
	Reason   string `json:"reason,omitempty"`   // why it was not simply added
	Findings int    `json:"findings"`           // number of redactions
	Replaced string `json:"replaced,omitempty"` // the memory that was replaced by it, if one was

	Dependents []Memory `json:"dependents,omitempty"` // active memories that depend on the replaced one
}

// MemoryEdit is the body of POST /memories/{id}/edit; absent fields stay as they are.
type MemoryEdit struct {
	Title      *string   `json:"title,omitempty"`
	Body       *string   `json:"body,omitempty"`
	Tags       *[]string `json:"tags,omitempty"`
	Confidence *float64  `json:"confidence,omitempty"`
	Kind       *string   `json:"kind,omitempty"`
	Key        *string   `json:"key,omitempty"`
	Updated    time.Time `json:"updated,omitzero"` // version that the edit is based on; absent = the current one
}

// MemoryForget is the body of POST /memories/{id}/forget.
type MemoryForget struct {
	DryRun  bool   `json:"dry_run,omitempty"`
	Confirm string `json:"confirm,omitempty"` // token of a dry run: forget only what it showed
}

// MemoryForgotten answers POST /memories/{id}/forget.
type MemoryForgotten struct {
	Memories []Memory `json:"memories"` // the memory, and the archived ones that it replaced
	Token    string   `json:"token,omitempty"`
	Forgotten
}

// MemoryReindex is the body of POST /memories/reindex.
type MemoryReindex struct {
	All bool `json:"all,omitempty"` // also what has not changed
}

// MemoryTree is the result for one tree of memory files.
type MemoryTree struct {
	Dir     string         `json:"dir"`
	Project string         `json:"project,omitempty"`
	Added   int            `json:"added"`
	Changed int            `json:"changed"`
	Removed int            `json:"removed"`
	Same    int            `json:"same"`
	Broken  []MemoryBroken `json:"broken"`
}

// MemoryBroken is a file that is skipped.
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

// MemoryProblem is a problem in a file that someone should check.
type MemoryProblem struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Kind string `json:"kind"` // secret | broken | instruction | forgotten | foreign
	Why  string `json:"why"`
}

// Rejudge is the body of POST /memories/rejudge.
type Rejudge struct {
	Apply bool `json:"apply,omitempty"` // archive the listed memories
}

// Rejudged lists the memories of sync that would not be written with the current threshold.
type Rejudged struct {
	Memories []Memory `json:"memories"` // would not be written
	Stay     int      `json:"stay"`     // would be written
	Unjudged int      `json:"unjudged"` // their session is missing, or a model worded them
	Left     int      `json:"left"`     // not checked: written by the user, pinned or changed
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
	Notes     int            `json:"notes,omitempty"`     // notes of sessions
	Summaries int            `json:"summaries,omitempty"` // of sessions
	Same      int            `json:"same"`
	Refused   []MemoryBroken `json:"refused"`
	Automatic int            `json:"automatic,omitempty"` // skipped: findings that another tool made on its own
	Empty     int            `json:"empty,omitempty"`     // skipped: empty entries
	Over      int            `json:"over,omitempty"`      // skipped: memory.max_active is reached
}

// MemoryExport answers GET /memories/export.
type MemoryExport struct {
	Files  []MemoryFile `json:"files"`
	Unread []string     `json:"unread,omitempty"` // files that could not be read, so they are missing
}

// MemoryFile is a file for export: what the gate lets through.
type MemoryFile struct {
	Project string `json:"project,omitempty"`
	Path    string `json:"path"` // relative to its tree
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
	AsOf      string `json:"as_of,omitempty"` // a day (its end, UTC) or a time: answer with what was known then
}

// Answer answers POST /ask.
type Answer struct {
	Answer    string     `json:"answer,omitempty"` // answer of a model; "" = there are only passages
	Model     string     `json:"model,omitempty"`
	Why       string     `json:"why,omitempty"` // why no model answered
	Known     bool       `json:"known"`         // something relevant was found
	Citations []Citation `json:"citations"`
}

// Citation is a passage that supports an answer.
type Citation struct {
	Entry      int64     `json:"entry"`
	ID         string    `json:"id,omitempty"`     // id of a memory
	Type       string    `json:"type"`             // one of the types of a Moment
	Origin     string    `json:"origin,omitempty"` // who wrote it: user | agent | tool | git | repository | team | web
	Date       time.Time `json:"date"`
	Title      string    `json:"title"`
	Text       string    `json:"text"`
	Project    string    `json:"project,omitempty"`
	Agent      string    `json:"agent,omitempty"`
	Session    string    `json:"session,omitempty"`
	ReplacedBy int64     `json:"replaced_by,omitempty"` // a later entry that changed or revoked it
	Branch     string    `json:"branch,omitempty"`      // where it was said: not merged, not checked out
	Cited      bool      `json:"cited"`                 // the model's answer cites it
}

// MemoryWhy answers GET /memories/{id}/why.
type MemoryWhy struct {
	Memory   Memory          `json:"memory"`
	Sessions []SourceSession `json:"sessions"`
}

// SourceSession is a session that a memory comes from.
type SourceSession struct {
	Session string   `json:"session"` // agent/id
	Kept    bool     `json:"kept"`    // its events are stored; otherwise it was read from the agent's own file
	Refs    []string `json:"refs,omitempty"`
	Moments []Moment `json:"moments"` // the named entries, or the start of the session
}

// Blast answers GET /blast/{what}: everything derived from an entry.
type Blast struct {
	Sessions  []string `json:"sessions"`  // agent/id
	Memories  []Memory `json:"memories"`  // learned from it
	Stands    []Memory `json:"stands"`    // active memories that depend on those
	Summaries []Moment `json:"summaries"` // derived from it
	Told      []int64  `json:"told"`      // receipts of contexts that contained it
}
