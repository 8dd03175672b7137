package distill

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"keepmum/memdir"
)

// TestMain lets this program be the other process that wants the lock.
func TestMain(m *testing.M) {
	if path := os.Getenv("DISTILL_TEST_LOCK"); path != "" {
		os.Exit(holdLock(path))
	}
	memdir.Use()
	os.Exit(m.Run())
}

// holdLock takes the lock, reports it, and holds it until its input ends.
func holdLock(path string) int {
	l, err := take(path, Owner{PID: os.Getpid(), Run: "sync-of-a-child", Does: "sync", Since: time.Now()})
	var busy *BusyError
	switch {
	case errors.As(err, &busy):
		return 4
	case err != nil:
		return 1
	}
	if _, err := os.Stdout.WriteString("held\n"); err != nil {
		return 1
	}
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	_ = l.release()
	return 0
}

func TestASecondRunLearnsWhoHoldsTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sync.lock")
	since := time.Now().Add(-90 * time.Minute) // a long-running holder keeps it
	first, err := take(path, Owner{PID: 7, Run: "sync-1", Does: "sync", Since: since})
	if err != nil {
		t.Fatal(err)
	}
	_, err = take(path, Owner{PID: 8, Run: "sync-2"})
	var busy *BusyError
	if !errors.As(err, &busy) || busy.Owner.Run != "sync-1" || busy.Owner.PID != 7 || !busy.Owner.Since.Equal(since) {
		t.Fatalf("the second run got %v", err)
	}
	if o, ok := held(path); !ok || o.Run != "sync-1" {
		t.Errorf("held by %+v, %v", o, ok)
	}
	if err := first.release(); err != nil {
		t.Fatal(err)
	}
	if _, ok := held(path); ok {
		t.Error("it is held after its release")
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the file of the lock is gone: %v", err)
	}
	again, err := take(path, Owner{PID: 9, Run: "sync-3"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.release() }()
	if o := holder(path); o.Run != "sync-3" {
		t.Errorf("the file names %q", o.Run)
	}
}

func TestOfManyProcessesOneGetsTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sync.lock")
	type child struct {
		cmd *exec.Cmd
		end func()
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	var holders []child
	busy := 0
	for range 8 {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "DISTILL_TEST_LOCK="+path)
			in, _ := cmd.StdinPipe()
			out, _ := cmd.StdoutPipe()
			if err := cmd.Start(); err != nil {
				t.Error(err)
				return
			}
			line, _ := bufio.NewReader(out).ReadString('\n')
			mu.Lock()
			defer mu.Unlock()
			if line == "held\n" {
				holders = append(holders, child{cmd, func() { _ = in.Close() }})
				return
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); errors.As(err, &exit) && exit.ExitCode() == 4 {
				busy++
			}
		})
	}
	wg.Wait()
	if len(holders) != 1 || busy != 7 {
		t.Fatalf("%d hold the lock, %d were told it is busy", len(holders), busy)
	}
	if err := holders[0].cmd.Process.Kill(); err != nil { // however it ends
		t.Fatal(err)
	}
	_ = holders[0].cmd.Wait()
	l, err := take(path, Owner{PID: os.Getpid(), Run: "after"})
	if err != nil {
		t.Fatalf("the lock outlived its holder: %v", err)
	}
	_ = l.release()
}
