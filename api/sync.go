package api

import "time"

// SyncRequest is the body of POST /sync. The zero value does the same as the schedule.
type SyncRequest struct {
	// Since is compared with the time of the last message, inclusive; without both ends the configured window applies.
	Since       *time.Time `json:"since,omitempty"`
	Until       *time.Time `json:"until,omitempty"`
	All         bool       `json:"all,omitempty"`          // without any window
	Session     string     `json:"session,omitempty"`      // one session, by its id in the queue or the agent's own id
	Agents      []string   `json:"agents,omitempty"`       // none = the configured ones
	Project     string     `json:"project,omitempty"`      // a name
	MaxSessions int        `json:"max_sessions,omitempty"` // 0 = the configured number
	Force       bool       `json:"force,omitempty"`
	NoExtract   bool       `json:"no_extract,omitempty"`
	DryRun      bool       `json:"dry_run,omitempty"`
	IgnoreLock  bool       `json:"ignore_lock,omitempty"`
	Async       bool       `json:"async,omitempty"` // return the run's id at once
	// Provider replaces the configured one that words memories: agent:claude, agent:codex, agent:opencode.
	Provider string `json:"provider,omitempty"`
}

// MaintainRequest is the body of POST /maintain.
type MaintainRequest struct {
	Project    string `json:"project,omitempty"` // a name; "" = all
	DryRun     bool   `json:"dry_run,omitempty"`
	IgnoreLock bool   `json:"ignore_lock,omitempty"`
}

// RunEvent is one line of the answer to POST /sync and POST /maintain. The last line has exactly one of Sync, Maintain
// and Error.
type RunEvent struct {
	RunID    string      `json:"run_id,omitempty"`
	Phase    string      `json:"phase,omitempty"` // sync, maintain
	Done     int         `json:"done,omitempty"`
	Total    int         `json:"total,omitempty"`
	Bytes    int64       `json:"bytes,omitempty"` // bytes read, of Size
	Size     int64       `json:"size,omitempty"`
	Sync     *Synced     `json:"sync,omitempty"`
	Maintain *Maintained `json:"maintain,omitempty"`
	Error    *Error      `json:"error,omitempty"`
}

// SyncTotals is the result of a run of sync in numbers.
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
	WindowStart *time.Time `json:"window_start"` // null = no limit
	WindowEnd   *time.Time `json:"window_end"`
	RunID       string     `json:"run_id"`
}

// Synced is the result of a run of sync, with details for people.
type Synced struct {
	SyncTotals
	Why      map[string]int `json:"why,omitempty"` // reason → number of skipped sessions
	Problems []string       `json:"problems,omitempty"`
	Waiting  int            `json:"waiting"` // sessions in the queue
	Stopped  bool           `json:"stopped,omitempty"`
	Actions  []MemoryAction `json:"actions,omitempty"`
}

// MemoryAction is what happened to something that a session seemed to teach.
type MemoryAction struct {
	Session   string  `json:"session"`
	Project   string  `json:"project"`
	Primitive string  `json:"primitive"`
	Title     string  `json:"candidate_title"`
	Action    string  `json:"action"` // add, update, supersede, noop, reject
	Reason    string  `json:"reason"`
	Target    string  `json:"target,omitempty"` // id of the memory that it affects
	Score     float64 `json:"score"`
	Path      string  `json:"path,omitempty"`
}

// Maintained is the result of a run of maintain.
type Maintained struct {
	RunID    string            `json:"run_id"`
	DryRun   bool              `json:"dry_run,omitempty"`
	Counts   MaintainCounts    `json:"counts"`
	Seconds  float64           `json:"duration_seconds"`
	Failed   int               `json:"projects_failed"`
	Projects []MaintainProject `json:"projects"`
}

// MaintainCounts are the totals of a run of maintain.
type MaintainCounts struct {
	Merged       int `json:"merged"`
	Archived     int `json:"archived"`
	Consolidated int `json:"consolidated"`
	Decayed      int `json:"decayed"`
	Unchanged    int `json:"unchanged"`
}

// MaintainProject lists what was done to the memories of one project.
type MaintainProject struct {
	Name           string             `json:"name"`
	Memories       int                `json:"memories"`
	Actions        []MaintainAction   `json:"actions"`
	Consolidate    []MaintainProposal `json:"consolidate"`
	NotAsked       string             `json:"not_asked,omitempty"` // why no model merged these
	CrossSession   []MaintainProposal `json:"cross_session"`
	Contradictions [][2]string        `json:"contradictions"`
	Broken         []string           `json:"broken,omitempty"`  // unreadable files, with the reason
	Skipped        int                `json:"skipped,omitempty"` // actions postponed because a file is being edited
	Error          string             `json:"error,omitempty"`
}

// MaintainAction is one change to a memory.
type MaintainAction struct {
	Action string  `json:"action"` // merge, archive, consolidate
	Source string  `json:"source"`
	Target string  `json:"target,omitempty"`
	Reason string  `json:"reason"`
	Score  float64 `json:"score,omitempty"`
}

// MaintainProposal is a decision that is left to a person or a model.
type MaintainProposal struct {
	Members []string `json:"members"` // ids of memories, or paths of summaries
	Topic   string   `json:"topic"`
}

// SyncStatus is the state of sync and maintain.
type SyncStatus struct {
	Enabled bool             `json:"enabled"` // the schedule is on
	Running *RunOwner        `json:"running,omitempty"`
	Queue   map[string]int64 `json:"queue"`           // state → number of sessions
	Runs    []Run            `json:"runs"`            // newest first
	Asked   string           `json:"asked,omitempty"` // agent whose command line words memories, and its use today
}

// RunOwner is the run that holds the lock.
type RunOwner struct {
	PID   int       `json:"pid"`
	RunID string    `json:"run_id"`
	Does  string    `json:"does"`
	Since time.Time `json:"since"`
}

// Run is a past or current run.
type Run struct {
	RunID    string     `json:"run_id"`
	Kind     string     `json:"kind"` // sync, maintain
	Started  time.Time  `json:"started"`
	Finished *time.Time `json:"finished"` // null: it is running, or it was killed
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

// QueueAll is the body of POST /queue/retry and /queue/skip: all failed jobs.
type QueueAll struct {
	All bool `json:"all"`
}

// QueueChanged is the number of changed jobs.
type QueueChanged struct {
	Changed int64 `json:"changed"`
}
