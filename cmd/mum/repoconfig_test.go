package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A config that asks for something forbidden is named wherever it applies: in a directory below it, with a repository
// and without one. If there are several, each is named.
func TestARefusedConfigIsNamedBelowIt(t *testing.T) {
	user := t.TempDir()
	work := filepath.Join(user, "work")
	write(t, under(t, work, ".mum", "config.toml"), "capture = \"on\"\n")
	write(t, under(t, work, "shop", ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, under(t, work, "shop", ".mum", "config.toml"), "[privacy]\nmode = \"none\"\n")
	for dir, want := range map[string][]string{
		"notes":    {"can only switch capture off"},
		"shop/src": {"can only ask for strict", "can only switch capture off"},
	} {
		if err := os.MkdirAll(filepath.Join(work, dir), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, command := range [][]string{{"doctor"}, {"config", "check"}} {
			cmd := mum(filepath.Join(user, "data"), command...)
			cmd.Dir = filepath.Join(work, dir)
			out, err := cmd.CombinedOutput()
			if command[0] == "config" && err == nil {
				t.Errorf("%v in %s finds nothing:\n%s", command, dir, out)
			}
			for _, why := range want {
				if !strings.Contains(string(out), why) {
					t.Errorf("%v in %s does not say %q:\n%s", command, dir, why, out)
				}
			}
		}
	}
}
