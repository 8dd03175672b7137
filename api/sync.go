package api

import "time"

// SyncRequest is the body of POST /sync. The zero value is what the schedule does.
type SyncRequest struct {
	// of the last thing that was said, included; with neither end the configured window
	Since       *time.Time `json:"since,omitempty"`
	Until       *time.Time `json:"until,omitempty"`
	All         bool       `json:"all,omitempty"`          // no window at all
	Session     string     `json:"session,omitempty"`      // one session, by its id in the queue or the agent's own
	Agents      []string   `json:"agents,omitempty"`       // none = the configured ones
	Project     string     `json:"project,omitempty"`      // a name
	MaxSessions int        `json:"max_sessions,omitempty"` // 0 = the configured number
	Force       bool       `json:"force,omitempty"`
	NoExtract   bool       `json:"no_extract,omitempty"`
	DryRun      bool       `json:"dry_run,omitempty"`
	IgnoreLock  bool       `json:"ignore_lock,omitempty"`
	Async       bool       `json:"async,omitempty"` // answer with the run's id at once
	// agent:claude, agent:codex, agent:opencode: who words memories, in place of the setting
	Provider string `json:"provider,omitempty"`
}

// MaintainRequest is the body of POST /maintain.
type MaintainRequest struct {
	Project    string `json:"project,omitempty"` // a name; "" = all
	DryRun     bool   `json:"dry_run,omitempty"`
	IgnoreLock bool   `json:"ignore_lock,omitempty"`
}

// RunEvent is one line of the answer of POST /sync and POST /maintain. The last
// line has one of Sync, Maintain and Error.
type RunEvent struct {
	RunID    string      `json:"run_id,omitempty"`
	Phase    string      `json:"phase,omitempty"` // sync, maintain
	Done     int         `json:"done,omitempty"`
	Total    int         `json:"total,omitempty"`
	Bytes    int64       `json:"bytes,omitempty"` // that were read, of size
	Size     int64       `json:"size,omitempty"`
	Sync     *Synced     `json:"sync,omitempty"`
	Maintain *Maintained `json:"maintain,omitempty"`
	Error    *Error      `json:"error,omitempty"`
}

// SyncTotals is what came of a run of sync.
type SyncTotals struct {
	Scanned     int        `json:"sessions_scanned"`
	Indexed     int        `json:"sessions_indexed"`
	Extracted   int        `json:"sessions_extracted"`
	Decisions   int        `json:"decisions_added"`
	Learnings   int        `json:"learnings_added"`
	Proposed    int        `json:"proposals_added"`
	Updated     int        `json:"memories_updated"`
	Skipped     int        `json:"sessions_skipped"`
	Failed      int        `json:"sessions_failed"`
	Seconds     float64    `json:"duration_seconds"`
	WindowStart *time.Time `json:"window_start"` // null = open
	WindowEnd   *time.Time `json:"window_end"`
	RunID       string     `json:"run_id"`
}

// Synced is what came of a run of sync, and what people are told besides.
type Synced struct {
	SyncTotals
	Why      map[string]int `json:"why,omitempty"` // for which reasons sessions were left alone
	Problems []string       `json:"problems,omitempty"`
	Waiting  int            `json:"waiting"` // sessions in the queue
	Stopped  bool           `json:"stopped,omitempty"`
	Actions  []MemoryAction `json:"actions,omitempty"`
}

// MemoryAction is what became of something that a session seemed to teach.
type MemoryAction struct {
	Session   string  `json:"session"`
	Project   string  `json:"project"`
	Primitive string  `json:"primitive"`
	Title     string  `json:"candidate_title"`
	Action    string  `json:"action"` // add, update, supersede, noop, reject
	Reason    string  `json:"reason"`
	Target    string  `json:"target,omitempty"` // id of the memory it concerns
	Score     float64 `json:"score"`
	Path      string  `json:"path,omitempty"`
}

// Maintained is what came of a run of maintain.
type Maintained struct {
	RunID    string            `json:"run_id"`
	DryRun   bool              `json:"dry_run,omitempty"`
	Counts   MaintainCounts    `json:"counts"`
	Seconds  float64           `json:"duration_seconds"`
	Failed   int               `json:"projects_failed"`
	Projects []MaintainProject `json:"projects"`
}

// MaintainCounts sums a run of maintain up.
type MaintainCounts struct {
	Merged       int `json:"merged"`
	Archived     int `json:"archived"`
	Consolidated int `json:"consolidated"`
	Decayed      int `json:"decayed"`
	Unchanged    int `json:"unchanged"`
}

// MaintainProject is what was done to the memories of one project.
type MaintainProject struct {
	Name           string             `json:"name"`
	Memories       int                `json:"memories"`
	Actions        []MaintainAction   `json:"actions"`
	Consolidate    []MaintainProposal `json:"consolidate"`
	NotAsked       string             `json:"not_asked,omitempty"` // why no model put these together
	CrossSession   []MaintainProposal `json:"cross_session"`
	Contradictions [][2]string        `json:"contradictions"`
	Broken         []string           `json:"broken,omitempty"`  // files that cannot be read, with the reason
	Skipped        int                `json:"skipped,omitempty"` // actions put off: somebody edits the file
	Error          string             `json:"error,omitempty"`
}

// MaintainAction is what was done to one memory.
type MaintainAction struct {
	Action string  `json:"action"` // merge, archive, consolidate
	Source string  `json:"source"`
	Target string  `json:"target,omitempty"`
	Reason string  `json:"reason"`
	Score  float64 `json:"score,omitempty"`
}

// MaintainProposal is something that is left to a person or a model.
type MaintainProposal struct {
	Members []string `json:"members"` // ids of memories, or paths of summaries
	Topic   string   `json:"topic"`
}

// SyncStatus is how sync and maintain stand.
type SyncStatus struct {
	Enabled bool             `json:"enabled"` // by the schedule
	Running *RunOwner        `json:"running,omitempty"`
	Queue   map[string]int64 `json:"queue"`           // state → sessions
	Runs    []Run            `json:"runs"`            // the newest first
	Asked   string           `json:"asked,omitempty"` // whose command line words memories, and what of its day is spent
}

// RunOwner is the run that holds the lock.
type RunOwner struct {
	PID   int       `json:"pid"`
	RunID string    `json:"run_id"`
	Does  string    `json:"does"`
	Since time.Time `json:"since"`
}

// Run is a run that was.
type Run struct {
	RunID    string     `json:"run_id"`
	Kind     string     `json:"kind"` // sync, maintain
	Started  time.Time  `json:"started"`
	Finished *time.Time `json:"finished"` // null: it runs, or it was killed
	Outcome  string     `json:"outcome"`  // done, partial, failed, stopped
	Sessions int        `json:"sessions"`
	Added    int        `json:"added"`
	Updated  int        `json:"updated"`
	Archived int        `json:"archived"`
	Failed   int        `json:"failed"`
	Error    string     `json:"error,omitempty"`
}

// SyncJob is a session in the queue of sync.
type SyncJob struct {
	ID        string    `json:"id"`
	Agent     string    `json:"agent"`
	Session   string    `json:"session"`
	Project   string    `json:"project"`
	State     string    `json:"state"` // pending, running, done, failed, dead_letter, skipped
	Attempts  int       `json:"attempts"`
	NotBefore time.Time `json:"not_before,omitzero"`
	Error     string    `json:"error,omitempty"`
	Updated   time.Time `json:"updated"`
}

// QueueAll is the body of POST /queue/retry and /queue/skip: all that failed.
type QueueAll struct {
	All bool `json:"all"`
}

// QueueChanged says how many jobs were changed.
type QueueChanged struct {
	Changed int64 `json:"changed"`
}
