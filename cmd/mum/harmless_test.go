package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNothingKeptIsObeyedByATerminal(t *testing.T) {
	const clear, title, clipboard = "\x1b[2J", "\x1b]0;x\x07", "\x1b]52;c;aGk=\x07\u009b2J\r"
	data := upWith(t, "zebra "+clear+title+clipboard+" crossing")
	dir := filepath.Join(t.TempDir(), "shop"+clear)
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{{"search", "--all", "zebra"}, {"show", "1"}, {"timeline", "1"}, {"search", "nothing"},
		{"project", "add", "--commit"}, {"project", "list"}} {
		cmd := mum(data, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil || strings.ContainsAny(string(out), "\x1b\x07\r\u009b") {
			t.Errorf("mum %s: %v: %q", args, err, out)
		}
	}
}
