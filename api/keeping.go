package api

import "time"

// Forget asks to remove what is selected, and all that was made of it. What is
// given must all hold; Text is a value that is taken out wherever it stands,
// and goes with nothing else.
type Forget struct {
	IDs     []int64    `json:"ids,omitempty"`
	Query   string     `json:"query,omitempty"` // documents with every one of these words
	Agent   string     `json:"agent,omitempty"`
	Session string     `json:"session,omitempty"`
	Project string     `json:"project,omitempty"`
	Since   *time.Time `json:"since,omitempty"`
	Until   *time.Time `json:"until,omitempty"`
	Text    string     `json:"text,omitempty"`
	DryRun  bool       `json:"dry_run,omitempty"`
}

// Forgotten answers POST /forget: a receipt without any of the text.
type Forgotten struct {
	Documents []int64 `json:"documents"` // removed, or changed when it was a text
	Derived   []int64 `json:"derived"`   // summaries made of them
	Memories  []int64 `json:"memories"`  // learned from them, or selected; their files too
	Sessions  int     `json:"sessions"`  // of which nothing is left
	// sessions in the agents' own files that are not read again, but for what they say from now on
	Transcripts  int      `json:"transcripts,omitempty"`
	FilesChanged int      `json:"memory_files_changed,omitempty"` // memory files that held the text
	Problems     []string `json:"problems,omitempty"`             // memory files that a person should look at
	Changed      int      `json:"changed"`                        // documents that held the text
	Backups      int      `json:"backups_replaced"`               // copies that held it, replaced by one new copy
	Files        int      `json:"files_checked"`                  // every file of the data directory, byte by byte
	Probes       int      `json:"probes"`                         // pieces of the text that were looked for in them
	Found        []string `json:"found_in,omitempty"`             // files that still hold one
	// older copies: they held it and were removed, or (with nothing to remove) were not looked through
	SetAside []string `json:"set_aside,omitempty"`
	DryRun   bool     `json:"dry_run"`
	First    []Moment `json:"first,omitempty"` // of a dry run: the first of what would go
}

// DatabaseEmptied begins the problem of a database that was made in place of one that got lost.
const DatabaseEmptied = "the database was empty or missing at the start, so this is a new one; a backup of the " +
	"former is there"

// SpoolUnusable begins the problem of a spool that takes no events.
const SpoolUnusable = "events that have to wait are lost"

// LogDamaged begins the problem of a write-ahead log that was damaged while no daemon ran.
const LogDamaged = "the database's log (memory.db-wal) was damaged, and what stood behind the damage is gone"

// Backup is a copy of the database that was opened and counted.
type Backup struct {
	Path        string `json:"path"`
	Bytes       int64  `json:"bytes"`
	Documents   int64  `json:"documents"`
	Files       string `json:"files,omitempty"`        // the memory files, in a copy beside it
	MemoryFiles int    `json:"memory_files,omitempty"` // how many

	Left []string `json:"left,omitempty"` // memory files that are not in it, or not as a whole, and why
}

// Imported answers POST /import.
type Imported struct {
	Sessions   int            `json:"sessions"`
	Documents  int            `json:"documents"`
	Duplicates int            `json:"duplicates"`
	Forgotten  int            `json:"forgotten"` // were forgotten here and stay so
	Cleaned    int            `json:"cleaned"`   // documents in which the gate found something
	Findings   map[string]int `json:"findings"`  // rule → number
	Skipped    int            `json:"skipped"`   // lines that could not be read, or that were private
}

// Scrub asks to take what is stored through today's rules.
type Scrub struct {
	All    bool `json:"all,omitempty"` // also what today's rules passed already
	DryRun bool `json:"dry_run,omitempty"`
}

// Scrubbed answers POST /scrub.
type Scrubbed struct {
	Scanned  int            `json:"scanned"`
	Changed  int            `json:"changed"`
	Findings map[string]int `json:"findings"` // rule → number
	Backups  int            `json:"backups_replaced"`
	Memories int            `json:"memory_files_changed,omitempty"` // files that held something, rewritten
	Problems []string       `json:"problems,omitempty"`             // files that a person should look at
	DryRun   bool           `json:"dry_run"`
}
