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

// World is what runs work on. Fields without a default are required.
type World struct {
	Home  string // data directory: the lock, artifacts and the log are in it
	DB    *store.DB
	Gate  *privacy.Gate // the user's, for text that belongs to no repository
	Roots transcript.Roots

	// Admit decides how a session is read, or says why it is not.
	Admit func(Origin) (*Admission, string)
	// Extract proposes what a session of a project taught. Steps before from were
	// looked at by an earlier run; see [NewPart].
	Extract func(ctx context.Context, project int64, s extract.Session, from int) (extract.Result, error)
	// Place says where the memories of a project lie (0 = of none). It
	// writes nothing: a dry run asks it too.
	Place func(ctx context.Context, project int64) (Place, error)

	// Consolidate words one memory for a cluster of them, ok false when it cannot;
	// nil = there is nobody to ask, and clusters stay proposals.
	Consolidate func(ctx context.Context, c memory.Cluster) (title, body privacy.Clean, ok bool, err error)

	// Branch says where something holds that was learned on a branch of a project; the
	// zero value is everywhere. nil = branches do not count.
	Branch func(ctx context.Context, project int64, name privacy.Clean) (memory.Branch, error)

	// Bar says how the user's reviews shift what is proposed; nil = not at all.
	Bar func() (review.Bar, error)

	// Trace begins the trace of a run; nil = none is left.
	Trace func(id, does string) *trace.Run

	Settle time.Duration    // how long a session without an end must be quiet; 0 = 2 min
	Now    func() time.Time // nil = time.Now
	Logger *slog.Logger     // nil = discard
}

// Origin says whose session it is. It is raw: nothing of it has passed the gate.
type Origin struct {
	Agent, ID, Parent, Dir, Branch string
}

// Admission is how one session is to be read.
type Admission struct {
	Gate    *privacy.Gate
	Scope   string // of the gate's memory
	Project store.Project
	Moved   func(dir string)                     // before one of these: where it was said
	Prompt  func(text string, at time.Time) bool // whether what was typed is to be read
	Step    func(tool string, at time.Time) bool // whether anything else is
	Private func() bool                          // after the last step: whether nothing may be kept
	// after it, too: whether the title and the branch of a session of that time may be
	Named func(from, until time.Time) bool
}

// Place is where the memories of one project lie, and what files do not say about them.
type Place struct {
	Root   string
	Gate   *privacy.Gate        // of the place; nil = the user's
	Decay  memory.Decay         // how confidence fades
	Access map[string]time.Time // when a memory was last shown, by id
	// what the user does not want back; nil = nothing
	Forgotten func(fingerprint string) bool
	// the same in other words: by where it comes from; nil = nothing
	Buried func(ctx context.Context, c memory.Candidate) (bool, error)
	Words  extract.Background // what the project says all day; nil = unknown
	// is told that the files changed, for their index; nil = nobody is
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

// SyncOptions say what a run of sync is about. The zero value is everything.
type SyncOptions struct {
	Window      Window
	Session     string   // one session, by its key or the agent's own id; the window does not count then
	Agents      []string // none = all
	Project     string   // a name; "" = all
	MaxSessions int      // to extract from; 0 = all
	Force       bool     // what was looked at is looked at again
	NoExtract   bool     // catalogue and queue only
	DryRun      bool     // work out what would be done, write nothing
	IgnoreLock  bool

	RunID    string         // "" = a new one; see [NewRunID]
	Progress func(Progress) // nil = nobody looks
	Yield    func() bool    // asked between sessions: true ends the run early; nil = never
}

// Progress says how far a run is.
type Progress struct {
	Phase string `json:"phase"` // "sync", "maintain"
	Done  int    `json:"done"`
	Total int    `json:"total"`
	Bytes int64  `json:"bytes,omitempty"` // that were read, of so many: it moves inside of a long session
	Size  int64  `json:"size,omitempty"`
}

// LockPath is the file that a run holds.
func LockPath(home string) string { return filepath.Join(home, "sync.lock") }

// Running returns the run that goes on in a data directory, false for none.
func Running(home string) (Owner, bool) { return held(LockPath(home)) }
