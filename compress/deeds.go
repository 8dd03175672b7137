package compress

import "keepmum/store"

// Deed is what a tool was used for: a command that was run, or a file that was edited.
type Deed struct {
	Command, File string // one of them at most
	Output        string
	Failed        bool
}

// Deeds reads one observation. What only looked, or was withheld, has none.
func Deeds(r store.ObservationRow) (out []Deed) {
	for _, s := range readSteps(r) {
		switch {
		case s.Hidden:
		case s.Action == run && s.Command != "":
			out = append(out, Deed{Command: s.Command, Output: s.Output, Failed: s.Failed})
		case (s.Action == edit || s.Action == write) && s.File != "":
			out = append(out, Deed{File: s.File, Failed: s.Failed})
		}
	}
	return out
}
