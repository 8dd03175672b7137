package memory

import (
	"slices"
	"testing"
)

func TestATextSaysItsTitleAndItsFirstParagraph(t *testing.T) {
	said := Statements("Never push to main", "never push to main,\nwhoever asks.\n\nSaid by the user in several sessions.")
	for text, want := range map[string]bool{"Never push to main.": true, "never  push\nto main": true,
		"Never push to main, whoever asks": true, "Said by the user in several sessions.": false,
		"Always push to main.": false, "Push to main.": false, "Never push to main on Fridays.": false,
		"Never push main to": false, "Never push to MAIN": false, "Never push to main.rs": false, "": false,
	} {
		got := slices.ContainsFunc(Statements(text, ""), func(s string) bool { return slices.Contains(said, s) })
		if got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
