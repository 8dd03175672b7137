package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	must(t, dir, "up") // else the hook would start a daemon, maybe after the test
	stopAtEnd(t, dir)
	for _, c := range []struct {
		args []string
		fail bool
	}{{[]string{"version"}, true}, {[]string{"version", "--json"}, true}, {[]string{"hook", "claude"}, false}} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip(err)
		}
		defer full.Close()
		cmd := mum(dir, c.args...)
		var errs strings.Builder
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("{}"), full, &errs
		if err := cmd.Run(); (err != nil) != c.fail || c.fail != strings.Contains(errs.String(), "output is incomplete") {
			t.Errorf("mum %v: %v %q", c.args, err, errs.String())
		}
	}
}
