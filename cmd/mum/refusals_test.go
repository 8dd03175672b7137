package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/hooks"
	"keepmum/hooks/connect"
)

// undaemoned runs a command in a home of its own, without a daemon.
func undaemoned(t *testing.T, dir string, args ...string) (code int, out, errs string) {
	t.Helper()
	var said, wrong bytes.Buffer
	env := map[string]string{"HOME": dir, "MUM_HOME": filepath.Join(dir, ".mum")}
	a := &app{in: strings.NewReader(""), out: &said, errs: &wrong, userHome: dir, args: args,
		getenv: func(name string) string { return env[name] }}
	code = a.main(t.Context())
	return code, said.String(), wrong.String()
}

func TestWhatIsTypedWrongIsCalledAsItWasTyped(t *testing.T) {
	dir := t.TempDir()
	for typed, want := range map[string]string{
		"review --limit 0":        "--limit must be 1..1000",
		"review -n 1001":          "--limit must be 1..1000",
		"memory list --only rule": "--only must be decision or learning",
		"memory add Lambs-are-shorn-in-May --confidence NaN":    "--confidence must be 0..1",
		"memory add Lambs-are-shorn-in-May --confidence 1.5":    "--confidence must be 0..1",
		"memory add Lambs-are-shorn-in-May --from yesterday":    "--from must be a day",
		"memory add Lambs-are-shorn --global --project pasture": "--global and --project do not go together",
		"memory import /dev/null":                               "neither a directory nor an ordinary file",
		"sync --provider ollama":                                `--provider "ollama" is not one of agent:claude`,
		"sync --async --provider agent:codex":                   "--async and --provider do not go together",
		"export --days -3":                                      "--days must be 0 or more",
		"export --format yaml":                                  "--format must be",
		"connect codex cursor --transport http":                 "--transport http is for claude alone",
		"gotchas keep first":                                    "\nmum: hint: mum gotchas --all\n",
	} {
		code, out, errs := undaemoned(t, dir, strings.Fields(typed)...)
		if code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("mum %s ends with %d: %s%s", typed, code, out, errs)
		}
	}
}

func TestASettingThatIsRefusedNamesNoFileThatDoesNotExist(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, ".mum", "config.toml")
	code, _, errs := undaemoned(t, dir, "config", "set", "daemon.log_level", "loud")
	if code != exitUsage || strings.Contains(errs, "line") || strings.Contains(errs, "config.toml") {
		t.Errorf("%d: %s", code, errs)
	}
	if code, out, _ := undaemoned(t, dir, "config", "check"); code != exitOK ||
		!strings.Contains(out, "ok: the defaults (there is no ~/.mum/config.toml), 0 patterns\n") {
		t.Errorf("check ends with %d: %s", code, out)
	}
	if code, out, _ := undaemoned(t, dir, "config", "unset", "store.backups"); code != exitOK ||
		!strings.Contains(out, "already. Nothing was changed.") {
		t.Errorf("unset ends with %d: %s", code, out)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it was written although nothing changed")
	}
	if err := os.WriteFile(file, []byte("[store\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := undaemoned(t, dir, "config", "set", "store.backups", "4"); code != exitUsage ||
		!strings.Contains(errs, "hint: $EDITOR ") || !strings.Contains(errs, "line 1: it is not TOML: ") {
		t.Errorf("a broken file: %d, %s", code, errs)
	}
}

func TestAMemoryThatStaysWhatItWasSaysSo(t *testing.T) {
	fact := api.Memory{Entry: 4, Primitive: "learning", Kind: "fact", Project: "farm"}
	choice := api.Memory{Entry: 5, Primitive: "decision", Project: "farm"}
	for _, c := range []struct {
		now  api.Memory
		in   api.MemoryAdd
		want string
	}{
		{fact, api.MemoryAdd{Primitive: "decision"}, "its kind stays fact"},
		{fact, api.MemoryAdd{Kind: "pitfall"}, "its kind stays fact"},
		{choice, api.MemoryAdd{Kind: "insight"}, "its kind stays decision"},
		{fact, api.MemoryAdd{}, ""},
		{fact, api.MemoryAdd{Kind: "fact"}, ""},
		{choice, api.MemoryAdd{Primitive: "decision"}, ""},
	} {
		var out bytes.Buffer
		a := &app{out: &out, getenv: func(string) string { return "" }}
		a.printConsequences(api.MemoryWritten{Memory: c.now, Action: "update"}, c.in)
		if got := out.String(); strings.Contains(got, "its kind stays") != (c.want != "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestAnAgentThatIsConnectedInThisDirectoryOnlyIsConnected(t *testing.T) {
	user := connect.Options{Place: hooks.Place{Home: t.TempDir(), Bin: "/bin/mum"}, UserHome: t.TempDir(),
		Dir: t.TempDir(), Getenv: func(string) string { return "" }, Scope: connect.User, Now: time.Now()}
	here := user
	here.Scope = connect.Project
	check := agentCheck{connect: user, here: here}
	if _, s, err := check.state(hooks.Claude); err != nil || s.Connected {
		t.Fatalf("before: %+v, %v", s, err)
	}
	plan, err := here.Connect(hooks.Claude)
	if err == nil {
		err = plan.Apply()
	}
	if err != nil {
		t.Fatal(err)
	}
	if o, s, err := check.state(hooks.Claude); err != nil || !s.Connected || o.Scope != connect.Project {
		t.Errorf("after: %+v, %v", s, err)
	}
	if check.any() {
		t.Error("what is connected here only counts everywhere")
	}
	a := &app{userHome: user.UserHome, getenv: user.Getenv}
	_, s, err := check.state(hooks.Codex)
	if f := a.checkEntries(check, s); err != nil || f.State != stateWarning || f.Fix == "" {
		t.Errorf("nothing is connected: %+v, %v", f, err)
	}
	if plan, err = user.Connect(hooks.Claude); err == nil {
		err = plan.Apply()
	}
	if check.some = check.any(); err != nil || !check.some {
		t.Errorf("connected for the user: %v", err)
	}
	if f := a.checkEntries(check, s); f.State != stateOK || !strings.Contains(f.Detail, "mum connect codex") {
		t.Errorf("another is connected: %+v", f)
	}
}
