//go:build !windows

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/await"
	"keepmum/home"
)

// busyDaemon starts a `mum serve` with a request that will not end.
func busyDaemon(t *testing.T) *exec.Cmd {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	cmd := mum(dir, "serve")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	await.True(t, "a daemon", func() bool { return api.NewClient(dir, "").Get(t.Context(), "/health", nil, nil) == nil })
	conn, err := net.Dial("unix", home.Dir(dir).Socket())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	keys, err := home.Prepare(home.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(conn,
		"POST /observe HTTP/1.1\r\nHost: mum\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: 100000\r\nExpect: 100-continue\r\n\r\n", keys.Token)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(conn, make([]byte, len("HTTP/1.1 100"))); err != nil { // the daemon reads the body now
		t.Fatal(err)
	}
	return cmd
}

func TestASignalStopsADaemonThatIsBusy(t *testing.T) {
	cmd := busyDaemon(t)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

func TestASecondSignalEndsItAtOnce(t *testing.T) {
	cmd := busyDaemon(t)
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for tick := time.NewTicker(20 * time.Millisecond); ; <-tick.C { // the first takes a moment to arrive
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case err := <-done:
			var exit *exec.ExitError
			if !errors.As(err, &exit) || !exit.Sys().(syscall.WaitStatus).Signaled() {
				t.Errorf("it ended with %v, and not by the signal", err)
			}
			return
		default:
		}
	}
}

func TestADiskThatCannotBeWrittenToComesWithAHint(t *testing.T) {
	for _, cause := range []error{syscall.EROFS, syscall.EACCES, syscall.EPERM} {
		var talk strings.Builder
		a := &app{errs: &talk, getenv: func(string) string { return "" }}
		a.report(&cobra.Command{}, fmt.Errorf("make the data directory: %w", cause))
		if !strings.Contains(talk.String(), "mum: hint: mum doctor") {
			t.Errorf("%v: %s", cause, &talk)
		}
	}
}

// A start that a busy machine begins late is no longer wanted once someone has stopped the daemon.
func TestALateStartIsNotWantedAfterAStop(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	stopAtEnd(t, dir)
	run := func(args ...string) {
		t.Helper()
		if out, err := mum(dir, args...).CombinedOutput(); err != nil {
			t.Fatalf("mum %v: %v\n%s", args, err, out)
		}
	}
	run("up")
	mark, err := os.ReadFile(home.Dir(dir).StartLock())
	if err != nil || len(mark) == 0 {
		t.Fatalf("the mark of the start: %q, %v", mark, err)
	}
	run("down")
	run("serve", "--start="+string(mark)) // ends on its own
	if owned(home.Dir(dir)) {
		t.Error("a daemon runs after it was stopped")
	}
}

// TestAnInterruptIsOneWord checks that a command that waits for the daemon says that it was stopped, and nothing else.
func TestAnInterruptIsOneWord(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if _, err := home.Prepare(home.Dir(dir)); err != nil {
		t.Fatal(err)
	}
	deaf, err := net.Listen("unix", home.Dir(dir).Socket())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = deaf.Close() }()
	in, silent, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = in.Close(), silent.Close() }()
	for _, args := range [][]string{{"search", "rate limit"}, {"status"}, {"sync"}, {"compress", "--dry-run"},
		{"stats", "--json"}, {"import", "-"}} {
		cmd := mum(dir, args...)
		cmd.Stdin = in
		var said strings.Builder
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		conn, err := deaf.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Read(make([]byte, 1)); err != nil { // the command asks now
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitStopped || said.String() != "stopped\n" {
			t.Errorf("mum %s: %v, said %q", strings.Join(args, " "), err, said.String())
		}
		_ = conn.Close()
	}
}

func TestAPipeIsNoFileToImport(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := mum(t.TempDir(), "import", pipe).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "is not a regular file") ||
		!strings.Contains(string(out), "mum import -") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestAQuestionIsLetGoWhenTheCommandIsStopped(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = r.Close(), w.Close() }()
	ctx, stop := context.WithCancel(t.Context())
	in := typed{r, ctx}
	if _, err := w.WriteString("yes"); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 8)
	if n, err := in.Read(buf); err != nil || string(buf[:n]) != "yes" {
		t.Errorf("read %q, %v", buf[:n], err)
	}
	stop()
	if _, err := in.Read(buf); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
