package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestAWrongTimeNamesTheCommandThatWasTyped gives each command that takes a time one that it cannot read.
func TestAWrongTimeNamesTheCommandThatWasTyped(t *testing.T) {
	dir := upWith(t)
	rememberPrices(t, dir)
	more := map[string][]string{ // what a command needs before it looks at a time
		"ask": {"--no-model", "--all"}, "memory show": {"--global"}, "memory add": {"--body", "text", "--global"},
		"team share": {"--project", "none"},
	}
	tried := 0
	for path, cmd := range commands() {
		for _, flag := range []string{"as-of", "since", "until", "from"} {
			f := cmd.Flags().Lookup(flag)
			if f == nil || f.Value.Type() != "string" || path == "team share" { // which needs a team first
				continue
			}
			tried++
			args := append(append(strings.Fields(path), more[path]...), "--"+flag, "soonish")
			if cmd.Args != nil && cmd.Args(cmd, nil) != nil {
				args = append(args, "1")
			}
			wantHelp(t, dir, path, args)
		}
	}
	if tried < 10 {
		t.Errorf("only %d were tried", tried)
	}
}

// TestAWrongValueNamesTheCommandThatWasTyped: the same check of the daemon is made for several commands.
func TestAWrongValueNamesTheCommandThatWasTyped(t *testing.T) {
	dir := upWith(t)
	rememberPrices(t, dir)
	for path, args := range map[string][]string{
		"memory search": {"--mode", "sometimes", "cents"},
		"search":        {"--mode", "sometimes", "cents"},
		"team invite":   {"anna"},
		"memory edit":   {"1", "--global", "--title", strings.Repeat("x", 500)},
		"memory add":    {"Prices have no cents", "--global", "--confidence", "nan"},
		"memory show":   {"", "--global"},
		"blast":         {" "},
		"show":          {"1", ""},
		"import":        {""},
	} {
		wantHelp(t, dir, path, append(strings.Fields(path), args...))
	}
}

func rememberPrices(t *testing.T, dir string) {
	t.Helper()
	must(t, dir, "memory", "add", "Prices are integer cents", "--global",
		"--body", "Floats lose cents when many of them are added up, so totals were wrong.")
}

// wantHelp checks that a command fails because of how it was called, and that it refers to its own help.
func wantHelp(t *testing.T, dir, path string, args []string) {
	t.Helper()
	var out bytes.Buffer
	if code := quick(mum(dir, args...), &out, &out); code != exitUsage ||
		!strings.HasSuffix(out.String(), "\nmum: hint: mum "+path+" --help\n") {
		t.Errorf("mum %s ends with %d\n%s", strings.Join(args, " "), code, &out)
	}
}
