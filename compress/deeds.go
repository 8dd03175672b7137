package compress

import "keepmum/store"

// Deed is something that a tool did: it ran a command or edited a file.
type Deed struct {
	Command, File string // only one of them is set
	Output        string
	Failed        bool
}

// Deeds returns the deeds of one observation. An observation that only read something, or was withheld, has none.
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
