package api

import (
	"encoding/json"
	"time"
)

// Observe is the body of POST /observe: one tool call.
type Observe struct {
	SessionID    string    `json:"session_id"`
	ToolName     string    `json:"tool_name"`
	ToolInput    any       `json:"tool_input,omitempty"`
	ToolOutput   any       `json:"tool_output,omitempty"`
	PromptNumber int       `json:"prompt_number,omitempty"`
	Project      string    `json:"project,omitempty"`
	Directory    string    `json:"directory,omitempty"`
	Agent        string    `json:"agent,omitempty"`
	At           time.Time `json:"at,omitzero"`
}

// Observed answers POST /observe.
type Observed struct {
	Status        string `json:"status"` // ok | excluded | skipped
	ObservationID int64  `json:"observation_id,omitempty"`
	Reason        string `json:"reason,omitempty"`
	Findings      int    `json:"findings"`
}

// Prompt is the body of POST /prompt: what the user asked or, with role "assistant", what was answered.
type Prompt struct {
	SessionID   string    `json:"session_id"`
	Text        string    `json:"text"`
	Role        string    `json:"role,omitempty"` // user (default) | assistant
	Project     string    `json:"project,omitempty"`
	Directory   string    `json:"directory,omitempty"`
	Agent       string    `json:"agent,omitempty"`
	At          time.Time `json:"at,omitzero"`
	WithContext bool      `json:"with_context,omitempty"`
}

// Prompted answers POST /prompt.
type Prompted struct {
	Status      string `json:"status"` // ok | skipped
	PromptID    int64  `json:"prompt_id,omitempty"`
	Findings    int    `json:"findings"`
	Context     string `json:"context,omitempty"`
	Reason      string `json:"reason,omitempty"` // fts | recency | same_topic | empty | quarantined | timeout | disabled
	Entries     int    `json:"entries"`
	InjectionID int64  `json:"injection_id,omitempty"`
}

// SessionStart is the body of POST /session/start.
type SessionStart struct {
	SessionID string    `json:"session_id"`
	Project   string    `json:"project,omitempty"`
	Directory string    `json:"directory,omitempty"`
	Branch    string    `json:"branch,omitempty"`
	Agent     string    `json:"agent,omitempty"`
	Source    string    `json:"source,omitempty"`
	At        time.Time `json:"at,omitzero"`
}

// SessionEnd is the body of POST /session/end.
type SessionEnd struct {
	SessionID string    `json:"session_id"`
	Agent     string    `json:"agent,omitempty"`
	Directory string    `json:"directory,omitempty"`
	Project   string    `json:"project,omitempty"`
	Reason    string    `json:"reason,omitempty"`
	At        time.Time `json:"at,omitzero"`
}

// Done answers requests that return no data.
type Done struct {
	Status string `json:"status"`
}

// Result is one hit of a search.
type Result struct {
	ID      int64     `json:"id"`
	Type    string    `json:"type"`
	Date    time.Time `json:"date"`
	Tool    string    `json:"tool,omitempty"`
	Title   string    `json:"title"`
	Snippet string    `json:"snippet"`
	Files   []string  `json:"files,omitempty"`
	Project string    `json:"project"`
	Session string    `json:"session"`
	Branch  string    `json:"branch,omitempty"`
	Agent   string    `json:"agent,omitempty"`
	Origin  string    `json:"origin,omitempty"` // who wrote it: user | agent | tool | git | repository | team | web
	// someone else wrote it, and it reads like an instruction: not for agents
	Withheld bool    `json:"withheld,omitempty"`
	Score    float64 `json:"score"`
	// a later entry that changed it or took it back; only if asked for
	ReplacedBy int64 `json:"replaced_by,omitempty"`

	ProjectID int64 `json:"project_id,omitempty"` // several projects may have one name
}

// SearchResults answers GET /search.
type SearchResults struct {
	Results     []Result          `json:"results"`
	Total       int               `json:"total"`
	TookMS      float64           `json:"took_ms"`
	Corrections map[string]string `json:"corrections,omitempty"` // word → the word searched instead
	NoWords     bool              `json:"no_words,omitempty"`    // q has no word to search for
	// The history of a repository in use was not read yet, or not completely: commits may be missing.
	CommitsUnread bool `json:"commits_unread,omitempty"`
}

// Context answers GET /context.
type Context struct {
	Context string `json:"context"`
	Entries int    `json:"entries"`
	Reason  string `json:"reason"`
}

// Observation is a complete entry of any type.
type Observation struct {
	ID       int64           `json:"id"`
	Type     string          `json:"type"`
	Role     string          `json:"role,omitempty"`     // of a prompt: user | assistant
	Origin   string          `json:"origin,omitempty"`   // who wrote it: user | agent | tool | web | git | repository | team
	Withheld bool            `json:"withheld,omitempty"` // as in a Result
	Text     string          `json:"text,omitempty"`     // of a prompt, a summary, a memory, a commit
	Date     time.Time       `json:"date"`
	Agent    string          `json:"agent"`
	Project  string          `json:"project"`
	Session  string          `json:"session"`
	Branch   string          `json:"branch,omitempty"`
	Tool     string          `json:"tool"`
	Title    string          `json:"title"`
	Input    json.RawMessage `json:"input,omitempty"`
	Output   json.RawMessage `json:"output,omitempty"`
	Files    []string        `json:"files,omitempty"`
	Failed   bool            `json:"failed,omitempty"`
	Excluded bool            `json:"excluded,omitempty"`

	State      string  `json:"state,omitempty"`       // of a memory: active | archived | superseded
	ReplacedBy int64   `json:"replaced_by,omitempty"` // the memory that is valid instead of it
	Confidence float64 `json:"confidence,omitempty"`  // of a memory, today
	Evidence   []int64 `json:"evidence,omitempty"`    // the entries that a memory was learned from

	ProjectID   int64  `json:"project_id,omitempty"`  // several projects may have one name
	Commit      string `json:"commit,omitempty"`      // git hash of a commit
	Instruction bool   `json:"instruction,omitempty"` // a commit that reads like an instruction to a model: never told
}

// Observations answers GET /observation/{ids}.
type Observations struct {
	Observations []Observation `json:"observations"`
	Missing      []int64       `json:"missing,omitempty"`
}

// Moment is one entry of a timeline.
type Moment struct {
	ID    int64     `json:"id"`
	Type  string    `json:"type"` // observation | prompt | answer | summary | memory
	Date  time.Time `json:"date"`
	Tool  string    `json:"tool,omitempty"`
	Title string    `json:"title"`

	Withheld bool `json:"withheld,omitempty"` // as in a Result
}

// Timeline answers GET /timeline/{id}: what happened before and after an entry in its session.
type Timeline struct {
	ID      int64    `json:"id"` // the entry in the middle; of a memory, the first one that it was learned from
	Session string   `json:"session"`
	Project string   `json:"project"`
	Moments []Moment `json:"moments"`
}

// Health answers GET /health, without a token.
type Health struct {
	OK      bool   `json:"ok"`
	Version string `json:"version"`
}

// Status answers GET /status.
type Status struct {
	OK       bool              `json:"ok"`
	Problems []string          `json:"problems,omitempty"`
	Blocked  []Blocked         `json:"blocked,omitempty"` // projects for which something is not done
	Version  string            `json:"version"`
	PID      int               `json:"pid"`
	Instance string            `json:"instance"` // different after each start
	Home     string            `json:"home"`
	Socket   string            `json:"socket"`
	Address  string            `json:"address,omitempty"`
	Started  time.Time         `json:"started"`
	Mode     string            `json:"privacy_mode"`
	Rules    string            `json:"rules_version"`
	Capture  Capture           `json:"capture"`
	Queue    map[string]int64  `json:"queue"`
	Compress map[string]string `json:"compress,omitempty"`
	Sync     SyncStatus        `json:"sync"`
	Team     *TeamGlance       `json:"team,omitempty"` // absent if this machine is not in a team
	// the database cannot be read, so what it says is missing here: blocked, queue, sync, team, egress, asked
	Unread bool `json:"unread,omitempty"`
	// Integrity of the database: ok, or the problem; absent until the first check has finished.
	Integrity string    `json:"integrity,omitempty"`
	Spool     int       `json:"spool"`               // events waiting on disk
	SpoolBad  int       `json:"spool_bad,omitempty"` // events that were rejected permanently and set aside in the spool
	Lost      int64     `json:"lost"`                // events that could neither be stored nor spooled, in total
	LastLost  time.Time `json:"last_lost,omitzero"`
	// events that were stored without their text, because the settings could not be used, in total
	Withheld     int64     `json:"withheld"`
	LastWithheld time.Time `json:"last_withheld,omitzero"`
	Egress       int64     `json:"egress"` // how often text left this machine
	Asked        int64     `json:"asked"`  // how often a model was asked, on this machine or elsewhere
}

// Blocked is a project for which something is not done.
type Blocked struct {
	Project string `json:"project"`
	Why     string `json:"why"`
	Next    string `json:"next"` // the command to run
}

// Capture counts what this daemon captured since it started.
type Capture struct {
	Enabled  bool             `json:"enabled"`
	Events   map[string]int64 `json:"events"` // kind → number
	Excluded int64            `json:"excluded"`
	Paused   bool             `json:"paused"`
	Until    time.Time        `json:"paused_until,omitzero"` // zero = until resumed
	Skipped  map[string]int64 `json:"skipped"`               // reason → number of events that were not stored
	Redacted int64            `json:"redacted"`              // number of findings
	Refused  int64            `json:"refused"`               // payloads that could not be read
	// requests larger than 10 MiB, which are not stored
	TooLarge int64 `json:"too_large"`
	// sessions that were told that the agent may save memories
	Reminded  int64                `json:"reminded"`
	LastEvent map[string]time.Time `json:"last_event"`
}

// Stats answers GET /stats: totals of the store, and the cost of hooks.
type Stats struct {
	Projects     int64           `json:"projects"`
	Sessions     int64           `json:"sessions"`
	Prompts      int64           `json:"prompts"` // of users
	Answers      int64           `json:"answers"` // of agents
	Observations int64           `json:"observations"`
	Summaries    int64           `json:"summaries"`
	Memories     int64           `json:"memories"` // including archived ones
	Commits      int64           `json:"commits"`
	Redactions   int64           `json:"redactions"`
	Bytes        int64           `json:"bytes"`
	Hooks        map[string]Span `json:"hooks"` // event kind → time inside the daemon
}

// Span is a distribution of durations in milliseconds.
type Span struct {
	Count int64   `json:"count"`
	P50   float64 `json:"p50_ms"`
	P95   float64 `json:"p95_ms"`
	P99   float64 `json:"p99_ms"`
	Total float64 `json:"total_ms"`

	Latest []Bucket `json:"latest"` // distribution of the latest 2,048
}

// Bucket counts the durations above the previous bucket's bound and up to its own.
type Bucket struct {
	UpTo  float64 `json:"up_to_ms,omitempty"` // absent in the last bucket, which has no bound
	Count int64   `json:"count"`
}

// LedgerTotals answers GET /ledger: redactions, added up.
type LedgerTotals struct {
	By     string        `json:"by"` // rule | project | day
	Totals []LedgerTotal `json:"totals"`
}

// LedgerTotal is the number of redactions under one name.
type LedgerTotal struct {
	Name       string    `json:"name"`
	Redactions int64     `json:"redactions"`
	Secrets    int64     `json:"secrets"` // number of different secrets
	Last       time.Time `json:"last"`
}

// LedgerSeen answers GET /ledger/seen/{mac}: where one secret was redacted.
type LedgerSeen struct {
	Seen int             `json:"seen"`
	Rows []LedgerFinding `json:"rows"` // the latest 20
}

// LedgerFinding is one redaction.
type LedgerFinding struct {
	At    time.Time `json:"at"`
	ID    int64     `json:"id"` // id of the entry that contained it
	Rule  string    `json:"rule"`
	Field string    `json:"field"`
}

// LedgerVerified answers GET /ledger/verify.
type LedgerVerified struct {
	Rows   int   `json:"rows"`
	Broken int64 `json:"broken"` // first row that is not linked to the one before; 0 = all are
}

// Egress is one request to a model.
type Egress struct {
	Sending
	At     time.Time `json:"at"`
	SHA256 string    `json:"sha256"`
	Job    int64     `json:"job"`
}

// EgressList answers GET /ledger/egress, newest first.
type EgressList struct {
	Egress []Egress `json:"egress"`
}

// Injection answers GET /injection/{id}: what an agent was told, and why.
type Injection struct {
	ID      int64      `json:"id"`
	At      time.Time  `json:"at"`
	Session string     `json:"session"`
	Agent   string     `json:"agent"`
	Project string     `json:"project"`
	Reason  string     `json:"reason"` // same values as in POST /prompt
	Query   string     `json:"query"`  // the prompt; "" = a session start
	Tokens  int        `json:"tokens"`
	Entries []Injected `json:"entries"`
}

// Injected is one entry that an agent was told.
type Injected struct {
	ID    int64   `json:"id"`
	Type  string  `json:"type"`
	Title string  `json:"title"`
	Score float64 `json:"score"`
	Held  bool    `json:"held,omitempty"` // held back: it looks like an instruction to the model
}
