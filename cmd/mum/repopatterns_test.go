package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/longtest"
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

// Patterns that take seconds together are refused after two, so that nobody waits for minutes. Before, each was tested.
func TestPatternsOfARepositoryThatAreSlowTogetherHoldUpNobody(t *testing.T) {
	longtest.Only(t)
	data, repo := filepath.Join(t.TempDir(), "data"), t.TempDir()
	var text strings.Builder
	for i := range 64 {
		fmt.Fprintf(&text, "[[privacy.patterns]]\nname = \"p%d\"\nregex = \"[a-z0-9=. ]{1,10}!x\"\n", i)
	}
	file := filepath.Join(repo, ".mum", "config.toml")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700),
		os.WriteFile(file, []byte(text.String()), 0o600)); err != nil {
		t.Fatal(err)
	}
	cmd := mum(data, "config", "check")
	cmd.Dir = repo
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "too slow together") {
		t.Errorf("%v\n%s", err, out)
	}
}
