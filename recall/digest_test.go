package recall

import (
	"slices"
	"testing"

	"keepmum/store"
)

// A patch changes several files, each named once. One that failed is settled when all its files are changed.
func TestThePatchesOfASession(t *testing.T) {
	patch := func(files string, failed bool) store.Line {
		return store.Line{Type: store.KindObservation, Tool: "apply_patch", Title: "apply_patch " + files, Failed: failed}
	}
	for _, c := range []struct {
		name   string
		lines  []store.Line
		edits  []string
		failed string
	}{
		{"several files", []store.Line{patch("a.go, b.go", false), patch("b.go", false)}, []string{"a.go", "b.go"}, ""},
		{"one file is open", []store.Line{patch("a.go, b.go", true), patch("a.go", false)}, []string{"a.go"},
			"apply_patch a.go, b.go"},
		{"all are changed", []store.Line{patch("a.go, b.go", true), patch("b.go", false), patch("a.go", false)},
			[]string{"b.go", "a.go"}, ""},
		{"a command", []store.Line{{Type: store.KindObservation, Tool: "Bash", Title: "Bash make", Failed: true},
			patch("a.go", false)}, []string{"a.go"}, "Bash make"},
		{"an edit by another tool", []store.Line{{Type: store.KindObservation, Tool: "Edit", Title: "Edit a, b.go",
			Failed: true}, {Type: store.KindObservation, Tool: "Write", Title: "Write a, b.go"}}, []string{"a, b.go"}, ""},
	} {
		d := digestOf(c.lines)
		failed := ""
		if d.failed != nil {
			failed = d.failed.Title
		}
		if !slices.Equal(d.edits, c.edits) || failed != c.failed {
			t.Errorf("%s: edits %q, failed %q", c.name, d.edits, failed)
		}
	}
}
