package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// helpOf returns what mum prints for some arguments in a window of 50 columns.
func helpOf(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	a := &app{out: &out, errs: &out, args: args, getenv: func(name string) string {
		return map[string]string{"COLUMNS": "50"}[name]
	}}
	if code := a.main(t.Context()); code != exitOK {
		t.Fatalf("%v ended with %d\n%s", args, code, out.String())
	}
	return out.String()
}

// commands returns all commands that a person can find, by their paths below mum.
func commands() map[string]*cobra.Command {
	all := map[string]*cobra.Command{}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			_, path, _ := strings.Cut(sub.CommandPath(), " ")
			all[path] = sub
			walk(sub)
		}
	}
	walk(newRoot(&app{getenv: os.Getenv}))
	return all
}

// TestHelpFitsANarrowWindow checks that no line is longer than the window but for a single long word or a quoted text
// in an example, and that the exit codes are listed once.
func TestHelpFitsANarrowWindow(t *testing.T) {
	for path := range commands() {
		text := helpOf(t, append(strings.Fields(path), "--help")...)
		if n := strings.Count(text, "EXIT STATUS"); n != 1 {
			t.Errorf("%s: the exit statuses are listed %d times", path, n)
		}
		before, rest, _ := strings.Cut(text, "\nExamples:\n")
		_, after, _ := strings.Cut(rest, "\n\n")
		for _, line := range strings.Split(before+"\n"+after, "\n") {
			if words := len(strings.Fields(line)); utf8.RuneCountInString(line) > 50 && words > 2 {
				t.Errorf("%s: %q", path, line)
			}
		}
		examples, _, _ := strings.Cut(rest, "\n\n")
		for line := range strings.Lines(examples) {
			if words := shellWords(strings.TrimRight(line, " \\\n")); utf8.RuneCountInString(line) > 51 && len(words) > 1 {
				t.Errorf("%s: %q", path, line)
			}
		}
	}
}

// TestOnlyATerminalIsAnsweredInColour checks that a file and the null device get no colour.
func TestOnlyATerminalIsAnsweredInColour(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	a := &app{out: null, getenv: func(string) string { return "" }}
	if c := a.colours(); c != (colours{}) {
		t.Errorf("colours for %s: %q", null.Name(), c)
	}
}

// TestHelpShowsWhatAPersonUses checks that help shows the rest on request.
func TestHelpShowsWhatAPersonUses(t *testing.T) {
	short, long := helpOf(t, "--help"), helpOf(t, "help", "all")
	listed := func(text, name string) bool { return strings.Contains(text, "\n  "+name+" ") }
	for path, c := range commands() {
		if strings.Contains(path, " ") || c.Name() == "help" {
			continue
		}
		if !listed(long, path) {
			t.Errorf("mum help all does not list %s", path)
		}
		if listed(short, path) != slices.Contains(everyday, path) {
			t.Errorf("mum --help and %s: %v", path, listed(short, path))
		}
	}
}

// TestJSONWhereverSomethingChanges checks that a command without --json prints what programs read anyway, speaks a
// protocol, runs until it is stopped, or only says something about itself.
func TestJSONWhereverSomethingChanges(t *testing.T) {
	without := []string{"demo", "export", "help", "hook", "mcp", "serve", "statusline", "config check",
		"config path"}
	for path, c := range commands() {
		if strings.HasSuffix(c.Use, " COMMAND") || strings.HasPrefix(path, "completion") {
			continue
		}
		has := c.Flag("json") != nil || c.InheritedFlags().Lookup("json") != nil
		if has == slices.Contains(without, path) {
			t.Errorf("%s: --json %v", path, has)
		}
	}
}
