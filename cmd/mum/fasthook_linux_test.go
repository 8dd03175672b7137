package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/await"
	"keepmum/home"
	"keepmum/spool"
)

// fastHook builds mum-hook next to a copy of mum.
func fastHook(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Link(binary, filepath.Join(dir, "mum")); err != nil {
		if err := os.Symlink(binary, filepath.Join(dir, "mum")); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "mum-hook")
	source := filepath.Dir(openedByTest(t, "../mum-hook/*.go"))
	if err := build(source, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func runFast(t *testing.T, program, data, payload string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, "claude")
	cmd.Env, cmd.Stdin, cmd.WaitDelay = mum(data, "hook").Env, strings.NewReader(payload), time.Second
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%.300s", err, out)
	}
}

// Whatever happens to the daemon between two events, each event is stored once.
func TestTheSmallHookLosesNothing(t *testing.T) {
	t.Parallel() // most of it is waiting
	program, data := fastHook(t), filepath.Join(t.TempDir(), "data")
	stopAtEnd(t, data)
	runFast(t, program, data, toolPayload(1)) // no daemon runs: mum hook stores the event and starts one
	must(t, data, "up")
	pid := status(t, data).PID
	runFast(t, program, data, toolPayload(2))
	if n, _ := spooled(t, home.Dir(data)); n > 1 { // the first may still wait
		t.Errorf("%d events in the spool of a daemon that answers", n)
	}
	stopped(t, pid)
	before, _ := spooled(t, home.Dir(data))
	runFast(t, program, data, toolPayload(3))
	runFast(t, program, data, strings.Replace(toolPayload(4), "done", strings.Repeat("a line of output\\n", 20_000), 1))
	if n, _ := spooled(t, home.Dir(data)); n != before+2 {
		t.Errorf("%d events in the spool, want %d", n, before+2)
	}
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	await.True(t, "four events", func() bool {
		n, _ := spooled(t, home.Dir(data))
		return n == 0 && observations(t, data) >= 4
	})
	if n := observations(t, data); n != 4 {
		t.Errorf("%d events, want each of four once", n)
	}
}

func observations(t *testing.T, data string) int64 {
	t.Helper()
	var s api.Stats
	if err := api.NewClient(data, "").Get(t.Context(), "/stats", nil, &s); err != nil {
		t.Fatal(err)
	}
	return s.Observations
}

func TestTheSmallHookIsSilentWhenItIsOffOrCalledWrongly(t *testing.T) {
	program, data := fastHook(t), filepath.Join(t.TempDir(), "data")
	for _, args := range [][]string{{"claude"}, {}} {
		cmd := exec.Command(program, args...)
		cmd.Env, cmd.Stdin = append(mum(data).Env, "MUM_HOOK=off"), strings.NewReader(toolPayload(1))
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	if _, err := os.Stat(data); err == nil {
		t.Error("it made a data directory")
	}
}

// An event that is too large is lost, and counted: by the daemon or, if none answers, by the hook. This is the same
// with the small hook and without it.
func TestAnEventThatIsTooLargeIsCounted(t *testing.T) {
	t.Parallel() // most of it is waiting
	small, large := fastHook(t),
		`{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"`+strings.Repeat("x", 11<<20)+`"}`
	for _, program := range [][]string{{binary, "hook", "claude"}, {small, "claude"}} {
		data := filepath.Join(t.TempDir(), "data")
		stopAtEnd(t, data)
		must(t, data, "up")
		send := func() {
			cmd := exec.CommandContext(t.Context(), program[0], program[1:]...)
			cmd.Env, cmd.Stdin, cmd.WaitDelay = mum(data, "hook").Env, strings.NewReader(large), time.Second
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%s: %v\n%.300s", program[0], err, out)
			}
		}
		send()
		s := status(t, data)
		if s.Capture.TooLarge+s.Lost == 0 { // both, if the answer came after the hook's time
			t.Errorf("%s: nobody counted it", program[0])
		}
		if out := must(t, data, "status"); s.Capture.TooLarge == 1 &&
			!strings.Contains(out, "1 request larger than 10 MiB, not stored") {
			t.Errorf("%s: status:\n%s", program[0], out)
		}
		stopped(t, s.PID)
		send()
		lost, _ := spool.Dir(home.Dir(data).Spool()).Drops()
		if lost != s.Lost+1 {
			t.Errorf("%s without an answer: %d lost, %d before", program[0], lost, s.Lost)
		}
		if err := syscall.Kill(s.PID, syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		if out := must(t, data, "status"); !strings.Contains(out, "  lost      "+count(lost, "event")+", the last ") {
			t.Errorf("%s: status:\n%s", program[0], out)
		}
	}
}

// An agent that does not read the answer gets the exit status of every hook: 0.
func TestAHookWhoseReaderHasGoneEndsWell(t *testing.T) {
	data, small := filepath.Join(t.TempDir(), "data"), fastHook(t)
	up := mum(data, "up")
	up.Env = append(up.Env, "MUM_CONTEXT__ENABLED=true")
	if out, err := up.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	stopAtEnd(t, data)
	const started = `{"hook_event_name":"SessionStart","session_id":"s","cwd":"/home/dev/shop","source":"startup"}`
	for _, program := range [][]string{{binary, "hook", "claude"}, {small, "claude"}} {
		run := func(answer io.Writer) {
			cmd := exec.CommandContext(t.Context(), program[0], program[1:]...)
			cmd.Env, cmd.Stdin, cmd.Stdout = mum(data, "hook").Env, strings.NewReader(started), answer
			if err := cmd.Run(); err != nil {
				t.Errorf("%s: %v", program[0], err)
			}
		}
		var answer strings.Builder
		if run(&answer); answer.Len() == 0 {
			t.Errorf("%s answers nothing", program[0])
		}
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_ = in.Close()
		run(out)
		_ = out.Close()
	}
}
