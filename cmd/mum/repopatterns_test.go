package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Nothing is captured in a repository whose patterns are refused, so doctor and status must say so.
func TestRefusedPatternsOfARepositoryAreNamed(t *testing.T) {
	data, repo := filepath.Join(t.TempDir(), "data"), t.TempDir()
	if err := os.MkdirAll(filepath.Join(repo, ".mum"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "[[privacy.patterns]]\nname = \"p\"\nregex = \"(a\"\n"
	if err := os.WriteFile(filepath.Join(repo, ".mum", "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	stopAtEnd(t, data)
	must(t, data, "up")
	for _, verb := range []string{"doctor", "status"} {
		cmd := mum(data, verb)
		cmd.Dir = repo
		out, _ := cmd.CombinedOutput() // doctor may warn about other things
		if said := strings.Join(strings.Fields(string(out)), " "); !strings.Contains(said, "nothing is captured here") ||
			!strings.Contains(said, "→ $EDITOR") {
			t.Errorf("mum %s:\n%s", verb, out)
		}
	}
}
