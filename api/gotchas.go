package api

import "time"

// Gotchas is what was learned about commands that failed.
type Gotchas struct {
	Gotchas []Gotcha `json:"gotchas"`
	On      bool     `json:"on"`      // agents are told
	Reading bool     `json:"reading"` // some sessions have not been read yet
}

// Gotcha is a failure that was fixed in the same way in more than one session.
type Gotcha struct {
	ID       int64     `json:"id"`
	Project  string    `json:"project"`
	State    string    `json:"state"`   // learned, kept, everywhere or dropped
	Command  string    `json:"command"` // command that failed last
	Error    string    `json:"error"`   // output of that command
	How      string    `json:"how"`     // ran, edited or instead
	Remedy   string    `json:"remedy"`
	Sessions int       `json:"sessions"` // sessions that fixed it this way
	Fixed    int       `json:"fixed"`    // sessions that fixed it in any way
	Projects int       `json:"projects"` // projects in which it was fixed this way
	Failed   int64     `json:"failed_entry"`
	FixedBy  int64     `json:"fixed_by"`
	PassedBy int64     `json:"passed_by"`
	At       time.Time `json:"at"`       // when it was last fixed
	Told     int       `json:"told"`     // sessions that were told about it
	Tellable bool      `json:"tellable"` // an agent would be told about it
	Proposed bool      `json:"proposed"` // proposed for all projects
	Line     string    `json:"line"`     // the text that an agent gets
}

// GotchaAct is what the user does with a gotcha.
type GotchaAct struct {
	Everywhere bool `json:"everywhere,omitempty"` // keep it for all projects
}
