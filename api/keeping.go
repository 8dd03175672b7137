package api

import (
	"fmt"
	"time"
)

// Forget asks to remove the selected entries and everything derived from them. All given criteria must match. Text is a
// value to remove wherever it occurs; it cannot be combined with other criteria.
type Forget struct {
	IDs     []int64    `json:"ids,omitempty"`
	Query   string     `json:"query,omitempty"` // documents that contain all of these words
	Agent   string     `json:"agent,omitempty"`
	Session string     `json:"session,omitempty"`
	Project string     `json:"project,omitempty"`
	Since   *time.Time `json:"since,omitempty"`
	Until   *time.Time `json:"until,omitempty"`
	Text    string     `json:"text,omitempty"`
	DryRun  bool       `json:"dry_run,omitempty"`
	Confirm string     `json:"confirm,omitempty"` // token of a dry run: forget only what it showed
}

// Forgotten answers POST /forget: a receipt without any of the text that was removed.
type Forgotten struct {
	Documents []int64 `json:"documents"` // removed, or changed if a text was given
	Derived   []int64 `json:"derived"`   // summaries derived from them
	Memories  []int64 `json:"memories"`  // learned from them, or selected; their files are removed, too
	Sessions  int     `json:"sessions"`  // sessions of which nothing is left
	// sessions in the agents' own files of which only what is added from now on will be read
	Transcripts  int      `json:"transcripts,omitempty"`
	FilesChanged int      `json:"memory_files_changed,omitempty"` // memory files that contained the text
	Problems     []string `json:"problems,omitempty"`             // memory files that a person should check
	Changed      int      `json:"changed"`                        // documents that contained the text
	Backups      int      `json:"backups_replaced"`               // backups that contained it, replaced by a new one
	Files        int      `json:"files_checked"`                  // files of the data directory, searched completely
	Probes       int      `json:"probes"`                         // pieces of the text that were searched for
	Found        []string `json:"found_in,omitempty"`             // files that still contain one
	Left         []Moment `json:"left,omitempty"`                 // entries that a memory came from, and that stay
	Repeated     []Moment `json:"repeated,omitempty"`             // others that contain its words, and stay
	Unread       []string `json:"unread,omitempty"`               // files that could not be read, so they may contain one
	// older backups: they contained the text and were removed, or (if nothing was removed) were not searched
	SetAside []string `json:"set_aside,omitempty"`
	// after a project was forgotten: older copies that are left, and may tell of it in words that are not known any more
	SetAsideLeft []string `json:"set_aside_left,omitempty"`
	DryRun       bool     `json:"dry_run"`
	First        []Moment `json:"first,omitempty"` // of a dry run: the first entries that would be removed
	Token        string   `json:"token,omitempty"` // of a dry run: confirms what it showed
}

// DatabaseEmptied starts the problem text about a new database that replaced a lost one.
const DatabaseEmptied = "the database was empty or missing at the start, so this is a new one; "

// WasEmptied returns that text and what helps, for the path of the newest backup of the lost database or, without one,
// how many entries it had.
func WasEmptied(backup string, entries int64) (problem, fix string) {
	if backup != "" {
		return DatabaseEmptied + "there is a backup of the old one; a restore keeps what came since",
			"mum down && mum restore '" + backup + "' --yes && mum up"
	}
	return DatabaseEmptied + fmt.Sprintf("the old one had %d entries, and there is no good backup of it", entries),
		"if you moved memory.db: mum down, rename the new one to memory.db.replaced, put yours back, and mum up, " +
			"which takes in what came meanwhile"
}

// VerdictsUnread starts the problem text about a file of verdicts that cannot be read: its secrets are unknown.
const VerdictsUnread = "all text is withheld, because verdicts.json cannot be read"

// PrivateUnread starts the problem text about a list of private sessions that cannot be read: any may be one.
const PrivateUnread = "nothing is captured, because the list of private sessions cannot be read"

// SpoolUnusable starts the problem text about a spool that accepts no events.
const SpoolUnusable = "events that cannot be stored at once are lost"

// LogDamaged starts the problem text about a write-ahead log that was damaged, or removed, while no daemon ran.
const LogDamaged = "the latest entries are lost: the database's log (memory.db-wal) was damaged or left behind"

// DatabaseDamaged starts the problem text about a database that cannot be used any more, and DamagedNext is what helps.
const (
	DatabaseDamaged = "the database is damaged"
	DamagedNext     = "mum down; mum doctor --fix"
)

// DatabaseSetBack starts the problem text about a backup that replaced a damaged database.
const DatabaseSetBack = "the database was damaged and was replaced with the backup "

// WasSetBack returns that text: when the backup was made, how many entries that came later are gone (0 = unknown), and
// where the damaged file is.
func WasSetBack(backup string, made time.Time, gone int64, aside string) string {
	what := "what came later is gone"
	if gone > 0 {
		what = fmt.Sprintf("about %d entries that came later are gone", gone)
	}
	return DatabaseSetBack + fmt.Sprintf("%s of %s: %s; the damaged file is kept as %s", backup,
		made.Local().Format("2006-01-02 15:04"), what, aside)
}

// NotWritable is the problem of a data directory in which no daemon can run.
const NotWritable = "no daemon can run, because the data directory cannot be written to: what is stored can be read, " +
	"and nothing is stored"

// Backup is a copy of the database that was opened and counted to check it.
type Backup struct {
	Path        string `json:"path"`
	Bytes       int64  `json:"bytes"`
	Documents   int64  `json:"documents"`
	Files       string `json:"files,omitempty"`        // copy of the memory files, next to it
	MemoryFiles int    `json:"memory_files,omitempty"` // number of memory files

	Left []string `json:"left,omitempty"` // memory files that are missing or incomplete in it, and why
}

// Imported answers POST /import.
type Imported struct {
	Sessions   int            `json:"sessions"`
	Documents  int            `json:"documents"`
	Duplicates int            `json:"duplicates"`
	Forgotten  int            `json:"forgotten"`               // documents that were forgotten here and stay so
	Cleaned    int            `json:"cleaned"`                 // documents in which the gate found something
	Findings   map[string]int `json:"findings"`                // rule → number of findings
	Skipped    int            `json:"skipped"`                 // lines that could not be read or were private
	Lines      []int          `json:"skipped_lines,omitempty"` // the first of them
}

// Scrub asks to apply the current rules to what is stored.
type Scrub struct {
	All    bool `json:"all,omitempty"` // also entries that the current rules have checked already
	DryRun bool `json:"dry_run,omitempty"`
}

// Scrubbed answers POST /scrub.
type Scrubbed struct {
	Scanned  int            `json:"scanned"`
	Changed  int            `json:"changed"`
	Findings map[string]int `json:"findings"` // rule → number of findings
	Backups  int            `json:"backups_replaced"`
	Memories int            `json:"memory_files_changed,omitempty"` // files with findings, rewritten
	Problems []string       `json:"problems,omitempty"`             // files that a person should check
	DryRun   bool           `json:"dry_run"`
}
