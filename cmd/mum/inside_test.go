package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"keepmum/longtest"
)

// asking are the commands that ask a daemon and never start one.
var asking = []string{"down", "search", "show", "stats", "status", "timeline"}

// starts reports whether a command may start a daemon, which would be a child of this process.
func starts(args []string) bool {
	if args[0] == "doctor" {
		return len(args) > 1 && !slices.Equal(args[1:], []string{"--json"})
	}
	return !slices.Contains(asking, args[0])
}

// errInside is what a command ended with that ran in this process.
var errInside = errors.New("the command failed")

// combined runs a command on a data directory, and returns everything that it prints. A start of the program takes ten
// times as much as what most commands do, so those that start nothing run in this process. Long tests start them all.
func combined(dir string, args ...string) (string, error) {
	var out bytes.Buffer
	err := separate(&out, &out, dir, args...)
	return out.String(), err
}

func separate(out, errs *bytes.Buffer, dir string, args ...string) error {
	cmd := mum(dir, args...)
	if starts(args) {
		cmd.Stdout, cmd.Stderr = out, errs
		return cmd.Run()
	}
	if quick(cmd, out, errs) != exitOK {
		return errInside
	}
	return nil
}

// quick runs a command that starts nothing where it takes least, and returns its exit code. Another program can only be
// tested by starting it.
func quick(cmd *exec.Cmd, out, errs *bytes.Buffer) int {
	if !longtest.Asked() && os.Getenv(programEnv) == "" {
		return inside(cmd, out, errs)
	}
	cmd.Stdout, cmd.Stderr = out, errs
	_ = cmd.Run() // what it ended with is its exit code
	return cmd.ProcessState.ExitCode()
}

// inside does in this process what a command would do that starts no program, and returns its exit code.
func inside(cmd *exec.Cmd, out, errs *bytes.Buffer) int {
	getenv := func(name string) string {
		for _, v := range slices.Backward(cmd.Env) {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value
			}
		}
		return ""
	}
	a := &app{in: strings.NewReader(""), out: out, errs: errs, environ: cmd.Env, getenv: getenv,
		userHome: getenv("HOME"), args: cmd.Args[1:]}
	return a.main(context.Background())
}

func TestACommandInsideSaysWhatTheProgramSays(t *testing.T) {
	dir := upWith(t, "make walrus")
	changing := regexp.MustCompile(`(?m)^(ok|warn|FAIL) +(daemon|clock|disk|spool|model) .*$`)
	lasting := func(b *bytes.Buffer) string { return changing.ReplaceAllString(b.String(), "$1 $2") }
	for _, args := range [][]string{{"search", "--all", "walrus"}, {"show", "1"}, {"show", "twelve"}, {"stats", "--json"},
		{"timeline", "1"}, {"status", "--nothing"}, {"doctor"}} {
		var out, errs, wantOut, wantErrs bytes.Buffer
		cmd := mum(dir, args...)
		code := inside(cmd, &out, &errs)
		cmd.Stdout, cmd.Stderr = &wantOut, &wantErrs
		_ = cmd.Run()
		if want := cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("%v ends with %d, not %d", args, code, want)
		}
		if lasting(&out) != lasting(&wantOut) || lasting(&errs) != lasting(&wantErrs) {
			t.Errorf("%v inside:\n%s%sthe program:\n%s%s", args, &out, &errs, &wantOut, &wantErrs)
		}
	}
}
