package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"keepmum/privacy"
)

// Kind says what a line is about.
type Kind = string

// The kinds of line.
const (
	Begun     Kind = "run"       // the first line of a run
	Session   Kind = "session"   // a session, and what was done with it
	Candidate Kind = "candidate" // what may be worth remembering, and what was done with it
	Project   Kind = "project"   // the memories of one project
	Step      Kind = "step"      // what maintain does to one memory
	Job       Kind = "job"       // a requested summary
	Passage   Kind = "passage"   // what an answer may be based on
	Call      Kind = "call"      // a question to a model
	Ended     Kind = "end"       // the last line of a run; if it is missing, the run was killed
)

// Entry is one line. Fields that do not apply are omitted.
type Entry struct {
	Kind       Kind          `json:"t"`
	At         time.Time     `json:"at"`
	Run        privacy.Clean `json:"run,omitzero"`
	Does       privacy.Clean `json:"does,omitzero"` // sync, maintain, compress, ask
	Session    privacy.Clean `json:"session,omitzero"`
	Project    privacy.Clean `json:"project,omitzero"`
	Branch     privacy.Clean `json:"branch,omitzero"` // the only branch on which it applies
	Title      privacy.Clean `json:"title,omitzero"`
	Form       privacy.Clean `json:"form,omitzero"`   // decision, learning; for a job or a passage, its type
	Action     privacy.Clean `json:"action,omitzero"` // what was done
	Reason     privacy.Clean `json:"reason,omitzero"`
	Memory     privacy.Clean `json:"memory,omitzero"` // id of the memory concerned
	Into       privacy.Clean `json:"into,omitzero"`   // id of the one it is merged into
	By         privacy.Clean `json:"by,omitzero"`     // heuristic, or the model
	Role       privacy.Clean `json:"role,omitzero"`   // what the model was asked for
	Provider   privacy.Clean `json:"provider,omitzero"`
	Host       privacy.Clean `json:"host,omitzero"`
	Model      privacy.Clean `json:"model,omitzero"`
	Outcome    privacy.Clean `json:"outcome,omitzero"`
	Entry      int64         `json:"entry,omitempty"` // id of a document or a job
	Steps      int           `json:"steps,omitempty"`
	Candidates int           `json:"candidates,omitempty"`
	Confidence float64       `json:"confidence,omitempty"`
	Score      float64       `json:"score,omitempty"`
	Seconds    float64       `json:"seconds,omitempty"`
	In         int           `json:"tokens_in,omitempty"`
	Out        int           `json:"tokens_out,omitempty"`
	Cost       float64       `json:"cost,omitempty"` // in the currency of the configured prices
}

// Options configure traces.
type Options struct {
	Home string
	Gate *privacy.Gate
	Now  func() time.Time
	// Price returns the cost of a number of tokens in and out for a role; nil = no prices are configured.
	Price func(role string, in, out int) float64
	// Sent is called with what was written when a run ends; may be nil.
	Sent func(run string, lines [][]byte)
}

// Run is the trace of one run, while it runs. A nil Run accepts everything and keeps nothing. The file is created with
// the first entry.
type Run struct {
	o    Options
	id   string
	does string

	mu    sync.Mutex
	file  *os.File
	began time.Time
	lines [][]byte
	err   error
}

// Begin begins the trace of a run.
func Begin(o Options, id, does string) *Run {
	return &Run{o: o, id: id, does: does, began: o.Now()}
}

// Word passes a text through the gate.
func (r *Run) Word(s string) privacy.Clean {
	if r == nil || s == "" {
		return privacy.Clean{}
	}
	c, _ := r.o.Gate.Text(s)
	return c
}

// Add writes a line.
func (r *Run) Add(e Entry) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil && r.err == nil {
		r.err = r.open()
	}
	r.put(e)
}

// open creates the file and writes the first line.
func (r *Run) open() error {
	dir := filepath.Join(Dir(r.o.Home), r.id)
	if !filepath.IsLocal(r.id) || filepath.Base(r.id) != r.id {
		return fmt.Errorf("a run cannot be called %q", r.id)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create the directory of the run: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, File), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write the trace of the run: %w", err)
	}
	r.file = f
	r.put(Entry{Kind: Begun, At: r.began, Run: r.Word(r.id), Does: r.Word(r.does)})
	return nil
}

func (r *Run) put(e Entry) {
	if r.err != nil {
		return
	}
	if e.At.IsZero() {
		e.At = r.o.Now()
	}
	e.At = e.At.UTC().Truncate(time.Millisecond)
	line, err := json.Marshal(e)
	if err == nil {
		line = append(line, '\n')
		_, err = r.file.Write(line)
	}
	r.lines, r.err = append(r.lines, line), err
}

// End writes the last line, if there are any others. It returns the first error of the trace; a run does not fail
// because of its trace.
func (r *Run) End(outcome, why string) error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return r.err
	}
	now := r.o.Now()
	r.put(Entry{Kind: Ended, At: now, Outcome: r.Word(outcome), Reason: r.Word(why).Cut(maxWhy),
		Seconds: now.Sub(r.began).Seconds()})
	err := errors.Join(r.err, r.file.Close())
	r.file = nil
	if r.o.Sent != nil && err == nil {
		r.o.Sent(r.id, r.lines)
	}
	return err
}

// maxWhy is how much of a reason is kept.
const maxWhy = 300
