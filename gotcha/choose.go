package gotcha

import "keepmum/lazyregexp"

// How many sessions must have fixed a failure in the same way, and what share of those that fixed it in any way. What
// was done between the failing run and the next good one may be unrelated, so one session is no proof. Another form of
// the command that says the same and passes right away is proof after one session. An edit stays in its file: if the
// failure comes back all the same, one more session must show that this file is where it is fixed each time
// (docs/gotchas.md has the figures).
const (
	minSessions  = 2
	minEdited    = 3
	minInstead   = 1
	minShare     = 0.6
	minEditShare = 0.75 // share for an edit
)

// Trusted reports whether a remedy is worth telling, given how many sessions used it and how many fixed the failure.
func Trusted(how How, sessions, fixed int) bool {
	least, share := minSessions, minShare
	switch how {
	case Instead:
		least = minInstead
	case Edited:
		least, share = minEdited, minEditShare
	case Ran:
	}
	return sessions >= least && float64(sessions) >= share*float64(fixed)
}

// broken matches the lines with which programs report that they failed.
var broken = lazyregexp.New(`(?im)^(?:\S+: )?(?:error|fatal|panic)(?:\[\w+\])?: |: command not found$|: no such file or directory$|` +
	`^traceback \(most recent call last\):$|^npm (?:err!|error) |^(?:\w+\.)*\w+(?:error|exception): |^error: `)

// ended matches what only a run that failed prints: of tests, compilers and package managers. "FAIL: 0" is a count.
var ended = lazyregexp.New(`(?m)^(?:--- )?FAIL(?:ED)?:?\s+[^\s0:]|\berror (?:TS\d+|CS\d+): |\bELIFECYCLE\b|` +
	`^make(?:\[\d+\])?: \*\*\* `)

// Ended reports whether a command surely failed, judging by its output alone.
func Ended(command, output string) bool {
	calls := parse(command)
	return len(calls) > 0 && !looks(calls) && ended.MatchString(output)
}

// Broke reports whether a command failed, judging by its output alone, because some agents do not record it. Commands
// that only read are ignored, since they may print other failures.
func Broke(command, output string) bool {
	calls := parse(command)
	return len(calls) > 0 && !looks(calls) && (broken.MatchString(output) || ended.MatchString(output))
}
