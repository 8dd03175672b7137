package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/await"
	"keepmum/budget"
	"keepmum/home"
	"keepmum/longtest"
	"keepmum/memdir"
)

// binary is the real program: a daemon that a hook starts must be able to start itself again.
var binary string

// unhurried is the factor for the time that a program waits for an answer, on a busy machine.
const unhurried = "30"

// hooksHave is the factor for the time of a hook: enough for a busy machine, and small enough for tests in which all of
// it passes, because an input stays open or no daemon answers.
const hooksHave = "10"

// programEnv names a program to test instead of a new build: an older program shows what a test finds.
const programEnv = "MUM_TEST_PROGRAM"

func TestMain(m *testing.M) {
	memdir.Use()
	if err := os.Setenv(budget.Env, unhurried); err != nil { // for commands that run in this process
		panic(err)
	}
	os.Exit(withProgram(m))
}

func withProgram(m *testing.M) int {
	dir, err := os.MkdirTemp("", "mum-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary = filepath.Join(dir, "mum")
	ownPath = func() (string, error) { return binary, nil }
	if given := os.Getenv(programEnv); given != "" {
		if err := os.Symlink(given, binary); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}
	if err := build(".", binary); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// build puts the program of a package at a path. The go command keeps programs that it ran, so it links a program that
// has not changed only once; here cp takes the place of running it.
func build(source, path string) error {
	cmd := exec.Command("go", "run", "-ldflags", "-s -w", "-exec", "cp", source, path)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as in a release; a static program also starts faster
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", source, err, out)
	}
	return nil
}

// openedByTest opens the files that match, which only a program started by a test reads, and returns the pattern. The
// go command repeats a test when a file that the test opened has changed; what other programs open, it does not know.
func openedByTest(t testing.TB, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no file is %s: %v", pattern, err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	return pattern
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Condition: func(name string) (bool, error) {
			if name == "long" {
				return longtest.Asked(), nil
			}
			return false, fmt.Errorf("no condition is called %s", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"settled": settled, "exits": exits},
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("MUM_HOME", filepath.Join(e.WorkDir, "data"))
			e.Setenv("MUM_DAEMON__PORT", "0")
			e.Setenv("MUM_COMPRESS__PROVIDER", "off")
			e.Setenv(budget.Env, unhurried)
			e.Defer(func() { _, _ = combined(filepath.Join(e.WorkDir, "data"), "down") })
			return nil
		},
	})
}

// settled waits for the end of the run whose id was printed: nobody is told when a run with --async ends.
func settled(ts *testscript.TestScript, _ bool, _ []string) {
	id := regexp.MustCompile(`sync-[0-9a-f-]+`).FindString(ts.ReadFile("stdout"))
	ended := func(r api.Run) bool { return r.RunID == id && r.Finished != nil }
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		ts.Check(ts.Exec(binary, "status", "--json"))
		var s api.Status
		ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &s))
		if s.Sync.Running == nil && slices.ContainsFunc(s.Sync.Runs, ended) {
			return
		}
	}
	ts.Fatalf("run %q did not end: %s", id, ts.ReadFile("stdout"))
}

// exits runs mum and checks its exit code: exits 2 config chek.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	code := 0
	var failed *exec.ExitError
	if err := ts.Exec(binary, args[1:]...); errors.As(err, &failed) {
		code = failed.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got := strconv.Itoa(code); got != args[0] {
		ts.Fatalf("mum %s ends with %s, not %s", strings.Join(args[1:], " "), got, args[0])
	}
}

// mum returns a process on a data directory, with only the path of this environment. Its hooks tell nothing, because
// how much there is to tell depends on which of several is first. Nothing depends on a clock unless a test says so.
func mum(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(binary, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(dir), "MUM_HOME=" + dir, "MUM_DAEMON__PORT=0",
		"MUM_COMPRESS__PROVIDER=off", "MUM_CONTEXT__ENABLED=false"}
	patience := unhurried
	if len(args) > 0 && args[0] == "hook" {
		patience = hooksHave
	}
	cmd.Env = append(cmd.Env, budget.Env+"="+patience)
	return cmd
}

func stopAtEnd(t *testing.T, dir string) {
	t.Helper()
	t.Cleanup(func() {
		if out, err := combined(dir, "down"); err != nil {
			t.Errorf("down: %v\n%s", err, out)
		}
	})
}

func status(t *testing.T, dir string) api.Status {
	t.Helper()
	var out, errs bytes.Buffer
	if err := separate(&out, &errs, dir, "status", "--json"); err != nil {
		t.Fatalf("status: %v\n%s", err, &errs)
	}
	var s api.Status
	if err := json.Unmarshal(out.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// toolPayload returns an event that is never answered.
func toolPayload(i int) string {
	return fmt.Sprintf(
		`{"hook_event_name":"PostToolUse","session_id":"s%d","cwd":"/home/dev/shop","tool_name":"Bash","tool_use_id":"t%d","tool_input":{"command":"make %d"},"tool_response":{"stdout":"done"}}`, i%3, i, i)
}

// silentHook runs one hook, which must print nothing and exit with 0 whatever happens.
func silentHook(t *testing.T, dir, agent, in string) {
	t.Helper()
	cmd := mum(dir, "hook", agent)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("a hook said %q and ended with %v", out, err)
	}
}

func TestTwentyHooksAtOnceStartOneDaemonAndLoseNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	stopAtEnd(t, dir)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() { silentHook(t, dir, "claude", toolPayload(i)) })
	}
	wg.Wait()
	await.True(t, "a daemon", func() bool { return owned(home.Dir(dir)) })
	await.True(t, "all 20 events", func() bool {
		var s api.Stats
		return api.NewClient(dir, "").Get(t.Context(), "/stats", nil, &s) == nil && s.Observations == 20
	})
	log, err := os.ReadFile(home.Dir(dir).Log())
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(log, []byte(`"msg":"started"`)); n != 1 {
		t.Errorf("%d daemons started:\n%s", n, log)
	}
}

func TestAHookIsSilentWhateverHappens(t *testing.T) {
	root := t.TempDir()
	for _, c := range []struct{ name, dir, agent, in string }{
		{"no JSON", filepath.Join(root, "a"), "claude", "not json"},
		{"an empty payload", filepath.Join(root, "a"), "claude", ""},
		{"an unknown agent", filepath.Join(root, "a"), "clippy", toolPayload(1)},
		{"a home that cannot be made", "/proc/nothing", "claude", toolPayload(1)},
		{"a home that is a file", "/dev/null", "claude", toolPayload(1)},
	} {
		t.Run(c.name, func(t *testing.T) { silentHook(t, c.dir, c.agent, c.in) })
	}
	stopAtEnd(t, filepath.Join(root, "a"))
	await.True(t, "the daemon that a hook started", func() bool { return owned(home.Dir(filepath.Join(root, "a"))) })
}

func TestAHookThatIsSwitchedOffDoesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	cmd := mum(dir, "hook", "claude")
	cmd.Env = append(cmd.Env, "MUM_HOOK=off")
	cmd.Stdin = strings.NewReader(toolPayload(1))
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("it said %q, %v", out, err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("it touched the data directory: %v", err)
	}
}

func TestTheSpoolHoldsNothingRaw(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if _, err := home.Prepare(home.Dir(dir)); err != nil {
		t.Fatal(err)
	}
	lock, err := os.Create(home.Dir(dir).StartLock()) // a start a moment ago: the hook starts nothing
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	secret := "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	silentHook(t, dir, "claude",
		`{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"/home/dev/shop","prompt":"use `+secret+` please"}`)
	files, err := filepath.Glob(filepath.Join(dir, "spool", "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("spooled %v, %v", files, err)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("%s holds the secret", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatWasAcknowledgedSurvivesAKill(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	stopAtEnd(t, dir)
	acknowledged := 0
	for round := range 3 {
		if out, err := mum(dir, "up").CombinedOutput(); err != nil {
			t.Fatalf("up: %v\n%s", err, out)
		}
		s := status(t, dir)
		acknowledged += postUntilKilled(t, dir, s.PID, round)
	}
	if out, err := mum(dir, "up").CombinedOutput(); err != nil {
		t.Fatalf("up: %v\n%s", err, out)
	}
	out, err := mum(dir, "stats", "--json").Output()
	var stats api.Stats
	if err != nil || json.Unmarshal(out, &stats) != nil {
		t.Fatalf("stats: %v, %s", err, out)
	}
	if acknowledged == 0 || stats.Observations < int64(acknowledged) {
		t.Errorf("%d acknowledged, %d kept", acknowledged, stats.Observations)
	}
}

// postUntilKilled posts from four clients, kills the daemon with signal 9 after 40 answers, and returns how many were
// answered.
func postUntilKilled(t *testing.T, dir string, pid, round int) int {
	t.Helper()
	process, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	acknowledged := 0
	for client := range 4 {
		wg.Go(func() {
			c := api.NewClient(dir, "")
			for i := 0; ; i++ {
				o := api.Observe{SessionID: "s", ToolName: "Bash", Directory: "/home/dev/shop",
					ToolInput:  map[string]any{"command": fmt.Sprintf("r%d c%d i%d", round, client, i)},
					ToolOutput: strings.Repeat("out ", 100)}
				if c.Post(t.Context(), "/observe", o, nil) != nil {
					return
				}
				mu.Lock()
				if acknowledged++; acknowledged == 40 {
					_ = process.Kill()
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return acknowledged
}

func TestEveryCommandSaysWhatItDoesAndHowItEnds(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Name() != "help" && c.Name() != "completion" && (c.Parent() == nil || c.Parent().Name() != "completion") {
			if c.Short == "" || c.Example == "" || !strings.Contains(c.Long, "EXIT STATUS") {
				t.Errorf("%s lacks a summary, an example or its exit status", c.CommandPath())
			}
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	root := newRoot(&app{getenv: func(string) string { return "" }})
	walk(root)
	seen := map[string]bool{}
	for _, g := range root.Groups() {
		if seen[g.ID] {
			t.Errorf("the help has two groups %q", g.Title)
		}
		seen[g.ID] = true
	}
}
