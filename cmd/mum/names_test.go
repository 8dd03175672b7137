package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestNamesOfOtherToolsLeadToCommands(t *testing.T) {
	root := newRoot(&app{})
	for _, word := range slices.Sorted(maps.Keys(otherNames())) {
		if c, _, err := root.Find([]string{word}); err == nil && c != root {
			t.Errorf("%q is a command itself", word)
		}
		names := strings.Fields(otherNames()[word])
		c, rest, err := root.Find(names)
		if err != nil || c == root || len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
			t.Errorf("%q leads to %q, which is no command: %v, %v", word, otherNames()[word], rest, err)
		}
		if !strings.Contains(similar(root, strings.ToUpper(word)), otherNames()[word]+"?") {
			t.Errorf("%q is answered with %q", word, similar(root, word))
		}
	}
}
