package memory

import (
	"errors"
	"time"

	"keepmum/privacy"
)

// The errors that callers tell apart.
var (
	// ErrChanged says that the file is not the one the change is based on: somebody
	// edited it meanwhile. Read it again.
	ErrChanged = errors.New("the file was changed meanwhile")
	// ErrNotFound says that there is no memory of that id.
	ErrNotFound = errors.New("no such memory")
	// ErrAmbiguous says that several ids begin like that.
	ErrAmbiguous = errors.New("several memories begin like that")
	// ErrOutside says that a path leads out of the tree.
	ErrOutside = errors.New("the path leads out of the memory directory")
	// ErrInvalid says that what would be written is not a memory.
	ErrInvalid = errors.New("not a valid memory")
)

// Stamp says when and by whom something is written.
type Stamp struct {
	Now time.Time
	By  privacy.Clean // a run's id, or "cli"
}

// Tree is the directory that holds the memories of one project. Several
// processes may write one tree at the same time.
type Tree struct {
	root string
	gate *privacy.Gate
}

// Open returns the tree in a directory, which is made with the first writing.
func Open(root string, gate *privacy.Gate) (*Tree, error) { return &Tree{root: root, gate: gate}, nil }

// Root returns the directory.
func (t *Tree) Root() string { return t.root }

// Load reads everything. A file that cannot be read is listed, not an error.
func (t *Tree) Load() (Listing, error) { return Listing{}, errors.ErrUnsupported }

// Get finds a memory by its id or by the beginning of it, if no other begins so.
func (t *Tree) Get(id string) (Memory, error) { return Memory{}, errors.ErrUnsupported }

// Add writes a new memory.
func (t *Tree) Add(c Candidate, by Stamp) (Memory, error) { return Memory{}, errors.ErrUnsupported }

// Update puts into a memory what a candidate adds to it. An archived one becomes
// active again.
func (t *Tree) Update(m Memory, c Candidate, by Stamp) (Memory, error) {
	return Memory{}, errors.ErrUnsupported
}

// Supersede writes a new memory that takes the place of older ones, which are
// archived with a reference to it.
func (t *Tree) Supersede(c Candidate, by Stamp, old ...Memory) (Memory, error) {
	return Memory{}, errors.ErrUnsupported
}

// Archive takes a memory out of use.
func (t *Tree) Archive(m Memory, by Stamp) (Memory, error) { return Memory{}, errors.ErrUnsupported }

// Restore takes a memory back into use.
func (t *Tree) Restore(m Memory, by Stamp) (Memory, error) { return Memory{}, errors.ErrUnsupported }

// Pin keeps a memory from fading, or no longer.
func (t *Tree) Pin(m Memory, pinned bool, by Stamp) (Memory, error) {
	return Memory{}, errors.ErrUnsupported
}

// Edit is a change by hand. What is nil stays as it is.
type Edit struct {
	Title, Body *privacy.Clean
	Tags        *[]privacy.Clean
	Confidence  *float64
	Kind        *Kind
	Outcome     *Outcome
}

// Edit changes a memory in its place.
func (t *Tree) Edit(m Memory, e Edit, by Stamp) (Memory, error) {
	return Memory{}, errors.ErrUnsupported
}

// Remove deletes the file of a memory: for what a user wants forgotten, all else
// is archived.
func (t *Tree) Remove(m Memory) error { return errors.ErrUnsupported }

// Draft is a summary to be written.
type Draft struct {
	Title, Description, Agent, Session, Repo, Branch privacy.Clean
	Tags                                             []privacy.Clean
	Intent                                           privacy.Clean // at most 150 words are kept
	Happened                                         privacy.Clean // at most 200
	At                                               time.Time     // when the session ended; names the directory
}

// WriteSummary writes what happened in a session. The same session's earlier
// summary is replaced.
func (t *Tree) WriteSummary(d Draft, by Stamp) (Summary, error) {
	return Summary{}, errors.ErrUnsupported
}

// Regenerate writes index.md and hot-memory.md and reports whether either changed.
// Which memories come first depends on when they were last looked at.
func (t *Tree) Regenerate(access map[string]time.Time, now time.Time, d Decay) (changed bool, err error) {
	return false, errors.ErrUnsupported
}
