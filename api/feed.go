package api

import "time"

// Event is one hook event as it was stored, with its cost and its results.
type Event struct {
	ID       int64     `json:"id"`
	Type     string    `json:"type"` // prompt | answer | observation | summary
	Date     time.Time `json:"date"`
	Agent    string    `json:"agent"`
	Session  string    `json:"session"`
	Row      int64     `json:"session_row"` // number of the session
	Project  string    `json:"project"`
	Branch   string    `json:"branch,omitempty"`
	Tool     string    `json:"tool,omitempty"`
	Title    string    `json:"title"`
	Text     string    `json:"text,omitempty"` // start of a prompt, an answer or a summary
	Files    []string  `json:"files,omitempty"`
	Failed   bool      `json:"failed,omitempty"`
	Excluded bool      `json:"excluded,omitempty"` // about a denied path: stored without its content
	RanMS    int64     `json:"ran_ms,omitempty"`   // how long the tool ran, according to the agent
	HookMS   float64   `json:"hook_ms,omitempty"`  // time until it was durable; 0 = before this daemon started
	Taken    []Taken   `json:"taken,omitempty"`
	Told     []Receipt `json:"told,omitempty"`
	Sent     []Sent    `json:"sent,omitempty"`
}

// Taken is the number of redactions under one rule.
type Taken struct {
	Rule  string `json:"rule"`
	Count int64  `json:"count"`
	Bytes int64  `json:"bytes"`
}

// Sending is one request to a model.
type Sending struct {
	Host    string `json:"host"`
	Model   string `json:"model"`
	Purpose string `json:"purpose"`
	Bytes   int64  `json:"bytes"`
	Left    bool   `json:"left"` // the host is not this machine
}

// Sent is the total that was sent to a model.
type Sent struct {
	Sending
	Times int64     `json:"times"`
	Last  time.Time `json:"last"`
}

// SentList answers GET /ledger/sent, most bytes first.
type SentList struct {
	Sent []Sent `json:"sent"`
}

// Receipt records what an agent was told at one moment, without the lines.
type Receipt struct {
	ID      int64     `json:"id"`
	At      time.Time `json:"at"`
	Row     int64     `json:"session_row"`
	Agent   string    `json:"agent,omitempty"` // this and project: only of GET /told
	Project string    `json:"project,omitempty"`
	Prompt  int64     `json:"prompt,omitempty"` // the entry that caused it; 0 = a session start
	Reason  string    `json:"reason"`
	Query   string    `json:"query,omitempty"`
	Tokens  int       `json:"tokens"`
	Entries int       `json:"entries"`
}

// Feed answers GET /feed, newest first.
type Feed struct {
	Events []Event `json:"events"`
	More   bool    `json:"more"` // there are older ones
}

// SessionInfo is one session.
type SessionInfo struct {
	Row     int64      `json:"row"`
	Agent   string     `json:"agent"`
	Session string     `json:"session"`
	Title   string     `json:"title,omitempty"` // the first line of its first prompt
	Project string     `json:"project"`
	Branch  string     `json:"branch,omitempty"`
	Dir     string     `json:"directory,omitempty"`
	Model   string     `json:"model,omitempty"`
	Started time.Time  `json:"started"`
	Last    time.Time  `json:"last"`
	Ended   *time.Time `json:"ended,omitempty"`
	Reason  string     `json:"reason,omitempty"`
	Events  int64      `json:"events"`
	Failed  int64      `json:"failed"` // tool calls that failed
}

// SessionList answers GET /sessions, latest first.
type SessionList struct {
	Sessions []SessionInfo `json:"sessions"`
	More     bool          `json:"more"`
}

// ToldList answers GET /told, newest first.
type ToldList struct {
	Receipts []Receipt     `json:"receipts"`
	More     bool          `json:"more"`
	Week     []ToldSession `json:"week"`  // the last seven days, by session
	Muted    []int64       `json:"muted"` // muted entries, which no agent is told
	// the line at the end of what is told at a session start, on how to save memories; "" = there is none
	Reminder       string `json:"reminder,omitempty"`
	ReminderTokens int    `json:"reminder_tokens,omitempty"`
}

// ToldSession is what one session was told.
type ToldSession struct {
	Row     int64     `json:"session_row"`
	Agent   string    `json:"agent"`
	Session string    `json:"session"`
	Project string    `json:"project"`
	Times   int64     `json:"times"`
	Tokens  int64     `json:"tokens"`
	Last    time.Time `json:"last"`
}

// Muted answers POST /told/{id}/mute and /told/{id}/unmute.
type Muted struct {
	Entry int64 `json:"entry"`
	Muted bool  `json:"muted"`
}

// Growth answers GET /growth.
type Growth struct {
	Weeks   []WeekTotal `json:"weeks"` // oldest first
	Sizes   []DaySize   `json:"sizes"`
	Backups []DaySize   `json:"backups"`
}

// WeekTotal is the total of a week: what was stored in sessions that were last active in it, and what was redacted in
// it.
type WeekTotal struct {
	From  time.Time `json:"from"`
	Kept  int64     `json:"kept"`
	Taken int64     `json:"taken"`
}

// DaySize is the size of the database, or of a backup, on a day.
type DaySize struct {
	Day   time.Time `json:"day"`
	Bytes int64     `json:"bytes"`
	Docs  int64     `json:"documents,omitempty"`
}

// PageCode answers POST /page/code: an address that opens the page once.
type PageCode struct {
	URL     string    `json:"url"`
	Expires time.Time `json:"expires"`
}

// Paused answers GET /pause, POST /pause and POST /resume.
type Paused struct {
	Paused bool      `json:"paused"`
	Until  time.Time `json:"paused_until,omitzero"` // zero = until resumed
}

// Pause is the body of POST /pause.
type Pause struct {
	For string `json:"for,omitempty"` // 30m, 2h, 1d; "" = until resumed
}

// Private is the body of POST /private: a session to capture no further.
type Private struct {
	Session string `json:"session"`
	Agent   string `json:"agent"`
}

// Checks answers GET /doctor.
type Checks struct {
	Checks []Check `json:"checks"`
}

// Check is one result of the doctor.
type Check struct {
	Check  string `json:"check"`
	State  string `json:"state"` // ok | warning | problem
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"` // the command that fixes it
	Fixes  bool   `json:"fixes"`         // POST /doctor/{check} fixes it
}
