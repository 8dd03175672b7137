package main

import (
	"errors"
	"fmt"
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

// A stored text may contain the characters that are styles within the program.
func TestOnlyOurOwnStylesAreStyles(t *testing.T) {
	const stored, shown = "a\ufdd0b\ufdd3", `a\ufdd0b\ufdd3`
	for _, arg := range []any{stored, errors.New(stored), []string{stored}} {
		got := fmt.Sprintf("%s%v%s", unstyled([]any{boldMark, arg, offMark})...)
		if want := string(boldMark) + strings.ReplaceAll(fmt.Sprint(arg), stored, shown) + string(offMark); got != want {
			t.Errorf("%#v: %q", arg, got)
		}
	}
	c := colours{mark: foundMark, off: offMark}
	for snippet, want := range map[string]style{
		stored:                          shown,
		"&lt;mark&gt; <mark>a</mark> b": "<mark> " + foundMark + "a" + offMark + " b",
		"&#xfdd2;<mark>" + stored:       `\ufdd2` + foundMark + shown + offMark,
		"a  b\nc":                       "a b c",
	} {
		if got := c.marks(snippet, 100); got != want {
			t.Errorf("%q: %q, not %q", snippet, got, want)
		}
	}
	if got := c.marks("a <mark>long word</mark>", 6); got != "a "+foundMark+"lo…"+offMark {
		t.Errorf("cut: %q", got)
	}
}
