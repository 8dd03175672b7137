package privacy

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestWhatAWithheldCommandPrintsLaterIsWithheldToo plants a value that nothing but its
// place gives away, and then lets the agent name it.
func TestWhatAWithheldCommandPrintsLaterIsWithheldToo(t *testing.T) {
	const value = "hV7nD2sKq9XwB4mTcP"
	type m = map[string]any
	printed := "APP_THING=" + value + "\n"
	for name, events := range map[string][]Raw{
		"a task that is asked for its output": {
			{Tool: "Bash", Input: m{"command": "cat .env", "run_in_background": true}, Output: m{"stdout": "",
				"backgroundTaskId": "b1"}},
			{Tool: "BashOutput", Input: m{"bash_id": "b1"}, Output: m{"stdout": printed}}},
		"an environment in the background": {
			{Tool: "Bash", Input: m{"command": "printenv", "run_in_background": true}, Output: m{"backgroundTaskId": "b1"}},
			{Tool: "TaskOutput", Input: m{"task_id": "b1"}, Output: m{"output": printed}}},
		"the file of a task": {
			{Tool: "Bash", Input: m{"command": "cat .env", "run_in_background": true}, Output: m{"stdout": "",
				"backgroundTaskId": "b1"}},
			{Tool: "Read", Input: m{"file_path": "/tmp/agent/tasks/b1.output"},
				Output: m{"file": m{"filePath": "/tmp/agent/tasks/b1.output", "content": printed}}}},
		"the file of a task, in a shell": {
			{Tool: "Bash", Input: m{"command": "cat .env"}, Output: "Command running in background with ID: b1. Output is " +
				"being written to: /tmp/agent/x"},
			{Tool: "Bash", Input: m{"command": "tail -n 5 /tmp/agent/x"}, Output: m{"stdout": printed}}},
		"a task that a text names": {
			{Tool: "exec_command", Input: m{"cmd": "cat .env"}, Output: "Process running with session ID 5"},
			{Tool: "write_stdin", Input: m{"session_id": json.Number("5"), "chars": ""}, Output: printed}},
		"what is typed into a terminal": {
			{Tool: "exec_command", Input: m{"cmd": "bash"}, Output: "Process running with session ID 5"},
			{Tool: "write_stdin", Input: m{"session_id": json.Number("5"), "chars": "cat .env\n"}, Output: printed}},
		"what a terminal shows after that": {
			{Tool: "write_stdin", Input: m{"session_id": json.Number("5"), "chars": "cat .env\n"}, Output: ""},
			{Tool: "write_stdin", Input: m{"session_id": json.Number("5"), "chars": ""}, Output: printed}},
		"a screen": {
			{Tool: "Bash", Input: m{"command": "tmux send-keys -t x 'cat .env' Enter"}, Output: m{"stdout": ""}},
			{Tool: "Bash", Input: m{"command": "sleep 1; tmux capture-pane -p -t x"}, Output: m{"stdout": "$ cat .env\n" +
				printed + "$"}}},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t, Options{Home: testHome})
			events = append(events, Raw{Speaker: Agent, Fields: map[string]string{"text": "The tenant is " + value + " then."}})
			for _, e := range events {
				e.Session, e.Dir = "claude/s1", "/home/dev/shop"
				c := g.Event(e)
				kept, err := json.Marshal([]any{c.Input.JSON(), c.Output.JSON(), c.Fields["text"]})
				if err != nil || strings.Contains(string(kept), value) {
					t.Errorf("%s %v: %s, %v", e.Tool, e.Input, kept, err)
				}
			}
		})
	}
}

func TestTasksAndTerminalsWithoutSecretsAreKept(t *testing.T) {
	type m = map[string]any
	g := newGate(t, Options{Home: testHome})
	for _, e := range []Raw{
		{Tool: "Bash", Input: m{"command": "make test", "run_in_background": true}, Output: m{"backgroundTaskId": "b2"}},
		{Tool: "Bash", Input: m{"command": "cat .env", "run_in_background": true}, Output: m{"backgroundTaskId": "b1"}},
		{Tool: "BashOutput", Input: m{"bash_id": "b2"}, Output: "all tests passed"},
		{Tool: "Bash", Input: m{"command": "tmux capture-pane -p"}, Output: "all tests passed"},
		{Tool: "Read", Input: m{"file_path": "/home/dev/shop/b1.go"}, Output: "all tests passed"},
		{Tool: "write_stdin", Input: m{"session_id": json.Number("7"), "chars": "ls *.go\n"}, Output: "all tests passed"},
	} {
		e.Session, e.Dir = "claude/s1", "/home/dev/shop"
		c := g.Event(e)
		if want, _ := e.Output.(string); want != "" && c.Output.Text().String() != want {
			t.Errorf("%s %v: %s", e.Tool, e.Input, c.Output.JSON())
		}
	}
}
