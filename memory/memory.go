package memory

import "time"

// Memory is a memory as read from its file: plain strings that must pass a gate again before they go anywhere.
type Memory struct {
	ID           string     `json:"id"` // slug of its first title; never changes
	Primitive    Primitive  `json:"primitive"`
	Title        string     `json:"title"`
	Created      time.Time  `json:"created"`
	Updated      time.Time  `json:"updated"`
	Source       string     `json:"source,omitempty"` // the run that wrote it, or "cli"
	Confidence   float64    `json:"confidence"`
	Tags         []string   `json:"tags,omitempty"`
	Kind         Kind       `json:"kind,omitempty"`
	Outcome      Outcome    `json:"outcome,omitempty"`
	Sources      []Origin   `json:"sources,omitempty"`
	Supersedes   []string   `json:"supersedes,omitempty"`
	SupersededBy string     `json:"superseded_by,omitempty"`
	Key          string     `json:"key,omitempty"` // what it answers: only one memory per key is valid at a time
	ValidFrom    time.Time  `json:"valid_from,omitzero"`
	ValidTo      time.Time  `json:"valid_to,omitzero"`
	Held         []Interval `json:"held,omitempty"` // earlier times at which it was valid
	Links        []Link     `json:"links,omitempty"`
	Pinned       bool       `json:"pinned,omitempty"`
	Branch       string     `json:"branch,omitempty"`      // where it was learned
	BranchHead   string     `json:"branch_head,omitempty"` // the commit at which it was learned
	BranchBase   string     `json:"branch_base,omitempty"` // where the branch left the default branch
	Everywhere   time.Time  `json:"everywhere,omitzero"`   // since when it applies everywhere; zero = not yet
	Body         string     `json:"body"`

	Path     string `json:"path"` // relative to the root, with slashes
	Archived bool   `json:"archived,omitempty"`
	Hash     string `json:"hash"` // of the file's bytes: a change applies only to this version
}

// Origin is a [Source] as read from a file.
type Origin struct {
	Session string `json:"session"`
	Ref     string `json:"ref,omitempty"`
}

// Summary is what happened in a session, as read from its file.
type Summary struct {
	ID          string    `json:"id"`
	Title       string    `json:"title"`
	Created     time.Time `json:"created"`
	Source      string    `json:"source,omitempty"`
	Description string    `json:"description,omitempty"`
	Agent       string    `json:"coding_agent,omitempty"`
	Session     string    `json:"session_id,omitempty"`
	Repo        string    `json:"repo,omitempty"`
	Branch      string    `json:"branch,omitempty"`
	Tags        []string  `json:"tags,omitempty"`
	Body        string    `json:"body"`

	Path string `json:"path"`
	Hash string `json:"hash"`
}

// Broken is a file that does not have the content that its path requires. It is left unchanged.
type Broken struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"` // 0 = the whole file
	Why  string `json:"why"`

	Twin   bool     `json:"-"` // another file has its id
	Closed bool     `json:"-"` // its owner may not read it
	IDs    []string `json:"-"` // that it has when someone repairs it; no other memory gets them
}

// Listing is everything in a tree, ordered by path.
type Listing struct {
	Active    []Memory  `json:"active"`
	Archived  []Memory  `json:"archived"`
	Summaries []Summary `json:"summaries"`
	Broken    []Broken  `json:"broken"`

	Twins []Memory `json:"-"` // those of the broken files that have the id of another one
}

// Memories returns the active and the archived memories.
func (l Listing) Memories() []Memory {
	return append(append(make([]Memory, 0, len(l.Active)+len(l.Archived)), l.Active...), l.Archived...)
}
