//go:build linux

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/home"
	"keepmum/hooks"
)

const benchPayload = `{"hook_event_name":"PostToolUse","session_id":"s","cwd":"/home/dev/shop","tool_name":"Bash","tool_use_id":"t%d","tool_input":{"command":"make"},"tool_response":{"stdout":"%s","stderr":""}}`

// BenchmarkHook compares in one run a shell that starts curl to post to an echo server, our script, mum-hook, and `mum
// hook`, all with the daemon up; and `mum hook` with the daemon down, which cleans and spools. In addition to the mean
// it reports percentiles, and the ratio of each to the same percentile of the first.
func BenchmarkHook(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "data")
	if out, err := mum(dir, "up").CombinedOutput(); err != nil {
		b.Fatalf("up: %v\n%s", err, out)
	}
	b.Cleanup(func() { _ = mum(dir, "down").Run() })
	script := filepath.Join(b.TempDir(), "mum-hook.sh")
	if err := os.WriteFile(script, hooks.Place{Home: dir, Bin: binary}.HookScript(), 0o700); err != nil {
		b.Fatal(err)
	}
	small, echo := fastHook(b), echoServer(b)
	var base []time.Duration
	down := filepath.Join(b.TempDir(), "down")
	if _, err := home.Prepare(home.Dir(down)); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		cmd  func() *exec.Cmd
	}{
		{"sh+curl", func() *exec.Cmd {
			return exec.Command("sh", "-c",
				"curl -q -sf -X POST -T - -H 'Expect:' --unix-socket "+echo+" http://localhost/ >/dev/null")
		}},
		{"script", func() *exec.Cmd { return exec.Command("sh", script, "claude") }},
		{"mum-hook", func() *exec.Cmd {
			cmd := mum(dir)
			cmd.Path, cmd.Args = small, []string{small, "claude"}
			return cmd
		}},
		{"mum hook", func() *exec.Cmd { return mum(dir, "hook", "claude") }},
		{"mum hook, daemon down", func() *exec.Cmd {
			// as if a daemon were starting
			if err := os.WriteFile(home.Dir(down).StartLock(), []byte("x"), 0o600); err != nil {
				b.Fatal(err)
			}
			return mum(down, "hook", "claude")
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			took := runHooks(b, c.cmd)
			if base == nil || c.name == "sh+curl" {
				base = took
			}
			for name, p := range map[string]float64{"p50": 0.50, "p95": 0.95, "p99": 0.99} {
				b.ReportMetric(at(took, p).Seconds()*1000, name+"-ms")
				b.ReportMetric(at(took, p).Seconds()/at(base, p).Seconds(), name+"-ratio")
			}
		})
	}
}

// at returns a percentile of sorted durations.
func at(sorted []time.Duration, p float64) time.Duration {
	return sorted[int(p*float64(len(sorted)-1))]
}

// runHooks returns how long each hook took, sorted.
func runHooks(b *testing.B, start func() *exec.Cmd) (took []time.Duration) {
	n := 0
	for b.Loop() {
		n++
		cmd := start()
		cmd.Stdin = strings.NewReader(fmt.Sprintf(benchPayload, n, strings.Repeat("out ", 500)))
		began := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			b.Fatalf("%v: %s", err, out)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	return took
}

// echoServer sends back what it receives on a unix socket.
func echoServer(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "echo.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		b.Fatal(err)
	}
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })}
	go func() { _ = server.Serve(l) }()
	b.Cleanup(func() { _ = server.Close() })
	return path
}

// BenchmarkStart measures from the start of `mum up` until a daemon answers.
func BenchmarkStart(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "data")
	for b.Loop() {
		if out, err := mum(dir, "up").CombinedOutput(); err != nil {
			b.Fatalf("up: %v\n%s", err, out)
		}
		b.StopTimer()
		if out, err := mum(dir, "down").CombinedOutput(); err != nil {
			b.Fatalf("down: %v\n%s", err, out)
		}
		b.StartTimer()
	}
}
