package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"keepmum/api"
)

// A terminal gets our own styles, and what is stored as visible escapes; a program gets the exact text.
func TestStoredTextHasNoStyleOnATerminal(t *testing.T) {
	const stored = "quokka \x1b[8mhidden\x1b[0m user\u202enimda\u2069 \u009b2J"
	data := upWith(t, stored)
	for _, args := range [][]string{{"search", "--all", "quokka"}, {"show", "1"}, {"timeline", "1"}} {
		out := onTerminal(t, mum(data, args...))
		if !strings.Contains(out, "\x1b[") || !strings.Contains(out, `\x1b[8mhidden\x1b[0m user\u202enimda\u2069 \u009b2J`) ||
			strings.ContainsAny(out, "\u202e\u2069\u009b") || strings.Contains(out, "\x1b[8m") {
			t.Errorf("mum %s: %q", args, out)
		}
	}
	out, err := mum(data, "show", "1", "--json").Output()
	var found api.Observations
	if err != nil || json.Unmarshal(out, &found) != nil || strings.ContainsAny(string(out), "\u202e\u009b") {
		t.Fatalf("%v %q", err, out)
	}
	if o := found.Observations[0]; !strings.Contains(string(o.Output)+o.Text+o.Title, "user\u202enimda") {
		t.Errorf("got %+v", o)
	}
}

// onTerminal returns what a command writes to a terminal.
func onTerminal(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer master.Close()
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Skip(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	cmd.Stdout, cmd.Env = slave, append(cmd.Env, "TERM=xterm", "NO_COLOR=")
	err = cmd.Start()
	slave.Close()
	if err != nil {
		t.Fatal(err)
	}
	out, _ := io.ReadAll(master) // ends with an error when the command has ended
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	return string(out)
}
