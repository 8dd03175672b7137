package gotcha

import (
	"slices"
	"strings"
)

// How many commands make a routine. One has no order, and two sessions hardly ever run the same sequence of more than
// five.
const (
	minCommands = 2
	maxCommands = 5
)

// Routine is a sequence of commands that all passed.
type Routine struct {
	Commands []string // without accompanying commands
	Steps    []int64
}

// Key identifies a routine.
func (r Routine) Key() string { return strings.Join(r.Commands, "\n") }

// Name returns the names of its commands.
func (r Routine) Name() string {
	var out []string
	for _, c := range r.Commands {
		calls := meant(parse(c))
		out = append(out, calls[len(calls)-1].name())
	}
	return strings.Join(out, ", then ")
}

// Overlaps reports whether two routines have two successive commands in common.
func (r Routine) Overlaps(other Routine) bool {
	for i := 1; i < len(r.Commands); i++ {
		for j := 1; j < len(other.Commands); j++ {
			if slices.Equal(r.Commands[i-1:i+1], other.Commands[j-1:j+1]) {
				return true
			}
		}
	}
	return false
}

// Routines returns all routines of a session. Commands that only read are ignored. A command that failed, or that
// should not be repeated without thought, ends a routine.
func Routines(steps []Step) (out []Routine) {
	rows := map[string]Routine{} // by subagent: the latest commands that passed
	for _, s := range steps {
		if s.Command == "" {
			continue
		}
		row, calls := rows[s.Subagent], parse(s.Command)
		switch is := key(calls); {
		case s.Failed || calls == nil || reckless(s.Command) || strings.Contains(is, "\n"):
			row = Routine{}
		case is == "" || looks(calls) || len(row.Commands) > 0 && row.Commands[len(row.Commands)-1] == is:
			continue
		default:
			row = row.with(is, s.ID)
		}
		rows[s.Subagent] = row
		for n := minCommands; n <= len(row.Commands); n++ {
			from := len(row.Commands) - n
			out = append(out, Routine{row.Commands[from:], row.Steps[from:]})
		}
	}
	return out
}

// with returns a routine extended by a command.
func (r Routine) with(command string, step int64) Routine {
	from := max(0, len(r.Commands)+1-maxCommands)
	return Routine{append(slices.Clone(r.Commands[from:]), command), append(slices.Clone(r.Steps[from:]), step)}
}
