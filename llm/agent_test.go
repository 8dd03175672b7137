//go:build unix

package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/await"
	"keepmum/llm"
	"keepmum/privacy"
)

// agentProgram is a command line that does what a script says.
func agentProgram(t *testing.T, script string) *llm.Agent {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "claude")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	a, err := llm.OpenAgent(llm.AgentOptions{Agent: "claude", Program: program, Dir: filepath.Join(dir, "asked"),
		Env: []string{"PATH=" + os.Getenv("PATH")}, Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func askAgent(t *testing.T, a *llm.Agent) (llm.Answer, error) {
	t.Helper()
	r, err := a.Prepare(t.Context(),
		llm.Question{System: privacy.Const("Say what is worth it."), Body: privacy.Const("1 user: good morning"),
			Schema: json.RawMessage("{}")})
	if err != nil {
		t.Fatal(err)
	}
	return a.Send(t.Context(), r)
}

func TestAnAgentsCommandLineIsAskedWithoutHooksInADirectoryOfItsOwn(t *testing.T) {
	a := agentProgram(t,
		`question=$(cat); printf 'Sure, here it is:\n{"hook":"%s","dir":"%s","first":"%s"}\nAnything else?' "$MUM_HOOK" "$(basename "$PWD")" "$(printf '%s' "$question" | head -n 1)"`)
	got, err := askAgent(t, a)
	if want := `{"hook":"off","dir":"asked","first":"` + llm.AgentMark + `"}`; err != nil || got.Text != want {
		t.Errorf("%q, %v", got.Text, err)
	}
}

func TestWhatAnAgentAnswersIsNeverTrusted(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   error
	}{
		"garbage":     {"cat >/dev/null; echo 'zzz ]] no json'", llm.ErrAnswer},
		"nothing":     {"cat >/dev/null", llm.ErrAnswer},
		"10 MB":       {"cat >/dev/null; head -c 10485760 /dev/zero | tr '\\0' x", llm.ErrAnswer},
		"a failure":   {"cat >/dev/null; exit 3", llm.ErrUnavailable},
		"no question": {"exec 0<&-; echo 'no'; exit 1", llm.ErrUnavailable},
	} {
		if got, err := askAgent(t, agentProgram(t, c.script)); !errors.Is(err, c.want) {
			t.Errorf("%s: %.40q, %v", name, got.Text, err)
		}
	}
}

// A helper that outlives its agent neither spoils the answer nor stays.
func TestAHelperOfAnAgentEndsWithIt(t *testing.T) {
	for name, more := range map[string]string{"with the output": "", "without": ">/dev/null 2>&1"} {
		mark := filepath.Join(t.TempDir(), "started")
		a := agentProgram(t, "cat >/dev/null; sleep 600 "+more+" & echo $! > "+mark+`; echo '{"a":1}'`)
		if got, err := askAgent(t, a); err != nil || got.Text != `{"a":1}` {
			t.Errorf("%s: %q, %v", name, got.Text, err)
		}
		goneFrom(t, mark)
	}
}

// TestAnAgentThatHangsIsKilledWithAllItStarted: the context stands for its time.
func TestAnAgentThatHangsIsKilledWithAllItStarted(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "started")
	a := agentProgram(t, "cat >/dev/null; sleep 600 & echo $! > "+mark+"; wait")
	r, err := a.Prepare(t.Context(), llm.Question{System: privacy.Const("s"), Body: privacy.Const("b")})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { _, err := a.Send(ctx, r); done <- err }()
	await.True(t, "the mark of another process", func() bool {
		pid, err := os.ReadFile(mark)
		return err == nil && strings.HasSuffix(string(pid), "\n")
	})
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	goneFrom(t, mark)
}

// goneFrom waits for the end of the process whose number a file has.
func goneFrom(t *testing.T, mark string) {
	t.Helper()
	pid, err := os.ReadFile(mark)
	if err != nil {
		t.Fatal(err)
	}
	await.True(t, "the end of what it started", func() bool { // a signal takes effect when the system says so
		state, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
		return err != nil || strings.Contains(string(state), ") Z ")
	})
}

func TestAnAgentThatIsNotThereIsNoFailure(t *testing.T) {
	_, err := llm.OpenAgent(llm.AgentOptions{Agent: "claude", Program: filepath.Join(t.TempDir(), "nothing")})
	if !llm.Absent(err) {
		t.Errorf("%v", err)
	}
	var refused *llm.Refused
	if _, err := llm.OpenAgent(llm.AgentOptions{Agent: "clippy"}); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
}
