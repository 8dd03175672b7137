package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/await"
	"keepmum/budget"
	"keepmum/home"
)

// hangs is a guard, not a measurement: nothing that ends takes this long.
const hangs = 5 * time.Minute

// A command reports a stopped daemon instead of waiting for it.
func TestAStoppedDaemonIsSaidToBe(t *testing.T) {
	data := upWith(t)
	stopped(t, status(t, data).PID)
	for _, verb := range []string{"status", "backup"} { // one that reads, and one that may take minutes
		out := make(chan string, 1)
		cmd := mum(data, verb)
		cmd.Env = append(cmd.Env, budget.Env+"=1")
		go func() { said, _ := cmd.CombinedOutput(); out <- string(said) }()
		select {
		case said := <-out:
			if !strings.Contains(said, "does not answer") || !strings.Contains(said, "hint") {
				t.Errorf("mum %s says %s", verb, said)
			}
		case <-time.After(hangs):
			_ = cmd.Process.Kill()
			t.Errorf("mum %s waits", verb)
		}
	}
}

// stopped stops a process until the end of the test, and waits until it has stopped.
func stopped(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGCONT) })
	await.True(t, "a process that is stopped", func() bool {
		threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		return err == nil && !slices.ContainsFunc(threads, func(path string) bool {
			text, err := os.ReadFile(path)
			return err == nil && !strings.Contains(string(text), ") T ")
		})
	})
}

// The server answers an invalid message, and the next one too.
func TestABadMessageDoesNotEndTheMCPServer(t *testing.T) {
	data := upWith(t)
	for name, bad := range map[string]string{
		"malformed": "{not json\n", "no message": "{}\n", "a list": "[1]\n",
		"an id that is a list":     `{"jsonrpc":"2.0","id":[1],"method":"ping"}` + "\n",
		"an id without end":        `{"jsonrpc":"2.0","id":1e400,"method":"ping"}` + "\n",
		"an error that is none":    `{"jsonrpc":"2.0","id":1,"error":5}` + "\n",
		"fields in capitals":       `{"JSONRPC":"2.0","ID":5,"METHOD":"ping"}` + "\n",
		"parameters of 2000 lists": `{"jsonrpc":"2.0","id":5,"method":"ping","params":{"a":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + "}}\n",
		"50 MB":                    `{"jsonrpc":"2.0","method":"` + strings.Repeat("x", 50<<20) + "\"}\n",
	} {
		cmd := mum(data, "mcp")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		go func() {
			_, _ = in.Write([]byte(bad))
			_, _ = in.Write(
				[]byte(
					`{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"))
		}()
		var all string
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if all += lines.Text() + "\n"; strings.Contains(all, `"id":7`) {
				break
			}
		}
		_ = in.Close()
		_ = cmd.Wait()
		if !strings.Contains(all, `"error"`) || !strings.Contains(all, "protocolVersion") {
			t.Errorf("%s: answers %.500s", name, all)
		}
	}
}

// A client may write all its calls, close the pipe and then read.
func TestTheMCPServerAnswersWhatWasAskedBeforeItEnds(t *testing.T) {
	data := upWith(t, "the zebra crossing")
	const calls = 20
	var in strings.Builder
	in.WriteString(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n")
	in.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	for i := range calls {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"memory_search",`+
			`"arguments":{"query":"zebra","project":"*"}}}`+"\n", i+1)
	}
	cmd := mum(data, "mcp")
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.Output()
	if err != nil || strings.Count(string(out), "[1] ") != calls {
		t.Errorf("%v: %d answers to %d calls: %.2000s", err, strings.Count(string(out), "[1] "), calls, out)
	}
}

// Clients that connect and stay silent leave room for clients that send something.
func TestSilentClientsStarveNobody(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	serve := exec.Command("sh", "-c", `ulimit -n 64; exec "$@"`, "sh", binary, "serve")
	serve.Env = mum(data).Env
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = serve.Process.Signal(syscall.SIGTERM); _ = serve.Wait() })
	await.True(t, "a daemon", func() bool { return api.NewClient(data, "").Get(t.Context(), "/health", nil, nil) == nil })
	for range 100 {
		c, err := net.Dial("unix", home.Dir(data).Socket())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	if out, err := hook(data, sentence).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
	if n, _ := spooled(t, home.Dir(data)); n != 0 {
		t.Errorf("%d events had to wait", n)
	}
}
