package gotcha

import "keepmum/lazyregexp"

// How many sessions must have fixed a failure in the same way, and which share of those
// that fixed it in any way. What was done between the failing run and the one that passed may
// have had nothing to do with it: one session does not show that it had. Another form of the
// command that says the same, and that passed right away, shows it without a second one. An edit
// stays in its file: where the failure comes back all the same, it takes one more to show
// that this file is where it is mended each time (docs/gotchas.md has the figures).
const (
	leastSessions = 2
	leastEdited   = 3
	leastInstead  = 1
	leastShare    = 0.6
	leastEditing  = 0.75 // of those that mended it, by an edit
)

// Trusted reports whether a remedy is worth telling that so many sessions used, of so many
// that fixed the failure.
func Trusted(how How, sessions, mended int) bool {
	least, share := leastSessions, leastShare
	switch how {
	case Instead:
		least = leastInstead
	case Edited:
		least, share = leastEdited, leastEditing
	case Ran:
	}
	return sessions >= least && float64(sessions) >= share*float64(mended)
}

// broken is how programs begin the line that says that they failed.
var broken = lazyregexp.New(`(?im)^(?:\S+: )?(?:error|fatal|panic)(?:\[\w+\])?: |: command not found$|: no such file or directory$|` +
	`^traceback \(most recent call last\):$|^npm (?:err!|error) |^(?:\w+\.)*\w+(?:error|exception): |^error: `)

// Broke reports whether a command failed, going by what it printed alone: some agents do not
// say. What only looked may print the failures of others.
func Broke(command, output string) bool {
	calls := parse(command)
	return len(calls) > 0 && !looks(calls) && broken.MatchString(output)
}
