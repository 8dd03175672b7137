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

// Where a memory comes from is no part of what it says: it makes two memories no more alike, nor does it add anything.
func TestWhereAMemoryComesFromSaysNothing(t *testing.T) {
	one := Memory{Title: "Never edit the seeds of the shop", Body: "Never edit the seeds of the shop.\n\n" +
		"Came up while working on: The importer skips rows with umlauts."}
	two := Memory{Title: "Never edit the seeds of the shop", Body: "Never edit the seeds of the shop.\n\n" +
		"Came up while working on: Draw the floor plan in another colour.", Sources: []Origin{{Session: "claude/two"}}}
	other := Memory{Title: "Round all amounts half to even", Body: "Round all amounts half to even.\n\n" +
		"Came up while working on: The importer skips rows with umlauts."}
	if got := Similarity(one, two); got < Threshold {
		t.Errorf("the same rule from two sessions: %.2f", got)
	}
	if got := Similarity(one, other); got != 0 {
		t.Errorf("two rules of one session: %.2f", got)
	}
	merged := one
	if merged.absorb(two); merged.Body != one.Body {
		t.Errorf("it grew by where it was said: %q", merged.Body)
	}
}
