package main

import (
	"os"
	"strings"
	"testing"
)

// TestOneVersion checks that the program, the Makefile, the changelog and the plugin name the same release.
func TestOneVersion(t *testing.T) {
	for file, want := range map[string]string{
		"Makefile": "\nVERSION := " + series + "\n", "CHANGELOG.md": series,
		"plugin/.claude-plugin/plugin.json": `"version": "` + series + `"`, "README.md": series,
	} {
		text, err := os.ReadFile("../../" + file)
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s does not say %q (%v)", file, want, err)
		}
	}
}
