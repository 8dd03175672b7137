package distill

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"keepmum/extract"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/review"
	"keepmum/store"
	"keepmum/trace"
	"keepmum/transcript"
)

// World is what runs work with. Fields without a default are required.
type World struct {
	Home  string // data directory, which contains the lock, the artifacts and the log
	DB    *store.DB
	Gate  *privacy.Gate // the user's gate, for text that belongs to no repository
	Roots transcript.Roots

	// Admit decides how a session is read, or says why it is not.
	Admit func(Origin) (*Admission, string)
	// Extract proposes what a session of a project taught. An earlier run has processed the steps before from; see
	// [NewPart].
	Extract func(ctx context.Context, project int64, s extract.Session, from int) (extract.Result, error)
	// Place returns where the memories of a project are (0 = without a project). It writes nothing, so that a dry run
	// can call it.
	Place func(ctx context.Context, project int64) (Place, error)

	// Consolidate words one memory for a cluster of memories; ok is false if it cannot. nil = there is no model, and
	// clusters stay proposals.
	Consolidate func(ctx context.Context, c memory.Cluster) (title, body privacy.Clean, ok bool, err error)

	// Branch returns the branch to which something learned on it is bound; the zero value means everywhere. nil =
	// branches are ignored.
	Branch func(ctx context.Context, project int64, name privacy.Clean) (memory.Branch, error)

	// Bar says how the user's reviews shift the threshold for proposals; nil = not at all.
	Bar func() (review.Bar, error)

	// Trace begins the trace of a run; nil = no trace.
	Trace func(id, does string) *trace.Run

	Settle time.Duration    // how long a session without a recorded end must be quiet; 0 = 2 min
	Now    func() time.Time // nil = time.Now
	Logger *slog.Logger     // nil = discard
}

// Origin says where a session comes from. It is raw: none of it has passed the gate.
type Origin struct {
	Agent, ID, Parent, Dir, Branch string
	DryRun                         bool // nothing may be written
}

// Admission says how to read one session.
type Admission struct {
	Gate    *privacy.Gate
	Scope   string // of the gate's memory
	Project store.Project
	Moved   func(dir string)                     // called before the next two, with the directory of the entry
	Prompt  func(text string, at time.Time) bool // whether to read what the user typed
	Step    func(tool string, at time.Time) bool // whether to read anything else
	Private func() bool                          // called after the last step: whether nothing may be stored
	// also called then: whether the title and branch of a session of that time may be stored
	Named func(from, until time.Time) bool
}

// Place says where the memories of one project are, and what their files do not contain.
type Place struct {
	Root   string
	Gate   *privacy.Gate        // of the project; nil = the user's
	Decay  memory.Decay         // how confidence fades
	Access map[string]time.Time // when each memory was last shown, by id
	// what the user does not want back, in the same words or from the same sources; nil = nothing
	Buried func(ctx context.Context, c memory.Candidate) (bool, error)
	Words  extract.Background // words that are common in the project; nil = unknown
	// called with the id of a memory before its file is made; may be nil
	Claim func(id string) error
	// returns what reports whether a file has had its id so far ([memory.Tree.Placed]); may be nil
	Placed func() (func(m memory.Memory) bool, error)
	// called when the files changed, to update their index; may be nil
	Wrote func(ctx context.Context) error
}

func (p Place) open(w World) (*memory.Tree, error) {
	gate := p.Gate
	if gate == nil {
		gate = w.Gate
	}
	t, err := memory.Open(p.Root, gate)
	if err != nil {
		return nil, fmt.Errorf("open the memories: %w", err)
	}
	t.Claim(p.Claim)
	t.Placed(p.Placed)
	return t, nil
}

const (
	defaultSettle = 2 * time.Minute
	leaseTime     = 5 * time.Minute
	heartbeat     = 30 * time.Second
)

func (w World) withDefaults() World {
	if w.Settle == 0 {
		w.Settle = defaultSettle
	}
	if w.Now == nil {
		w.Now = time.Now
	}
	if w.Trace == nil {
		w.Trace = func(string, string) *trace.Run { return nil }
	}
	if w.Logger == nil {
		w.Logger = slog.New(slog.DiscardHandler)
	}
	return w
}

// SyncOptions select what a sync run does. The zero value selects everything.
type SyncOptions struct {
	Window      Window
	Session     string   // one session, by key or the agent's own id; the window is then ignored
	Agents      []string // none = all
	Project     string   // a name; "" = all
	MaxSessions int      // number of sessions to extract from; 0 = all
	Force       bool     // process again what was already processed
	NoExtract   bool     // only update the catalogue and the queue
	DryRun      bool     // compute what would be done, write nothing
	IgnoreLock  bool

	RunID    string         // "" = a new one; see [NewRunID]
	Progress func(Progress) // nil = not reported
	Yield    func() bool    // called between sessions: true ends the run early; nil = never
}

// Progress says how far a run has come.
type Progress struct {
	Phase string `json:"phase"` // "sync", "maintain"
	Done  int    `json:"done"`
	Total int    `json:"total"`
	Bytes int64  `json:"bytes,omitempty"` // bytes read, out of Size: also changes within a long session
	Size  int64  `json:"size,omitempty"`
}

// LockPath is the file that a run locks.
func LockPath(home string) string { return filepath.Join(home, "sync.lock") }

// Running returns the current run in a data directory, or false if there is none.
func Running(home string) (Owner, bool) { return held(LockPath(home)) }
