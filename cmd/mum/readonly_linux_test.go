package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"keepmum/api"
	"keepmum/await"
	"keepmum/longtest"
)

// What is stored on a read-only file system is found without a daemon, whether the last one stopped or was killed, and
// also in a copy without the index of the log. What would write says why it cannot, and hooks stay silent.
func TestAReadOnlyFileSystemIsSearched(t *testing.T) {
	longtest.Only(t)
	for i, last := range []string{"stopped", "killed", "killed, copied without its -shm"} {
		if !longtest.Every(3, i) {
			continue
		}
		disk, dir := walrusOn(t, "50m")
		if pid := status(t, dir).PID; last == "stopped" {
			must(t, dir, "down")
		} else {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			await.True(t, "the end of the daemon", func() bool { return syscall.Kill(pid, 0) != nil })
		}
		if strings.HasSuffix(last, "-shm") {
			if err := os.Remove(filepath.Join(dir, "memory.db-shm")); err != nil {
				t.Fatal(err)
			}
		}
		await.True(t, "a file system that nobody writes", func() bool {
			return syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, "") == nil
		})
		for _, args := range [][]string{{"search", "--all", "walrus"}, {"show", "1"}, {"timeline", "1"}, {"export"}} {
			if out := must(t, dir, args...); !strings.Contains(out, "walrus") {
				t.Errorf("%s, %v:\n%s", last, args, out)
			}
		}
		if s := status(t, dir); s.OK || s.PID != 0 || len(s.Problems) != 1 || s.Problems[0] != api.NotWritable {
			t.Errorf("status: %+v", s)
		}
		for _, args := range [][]string{{"up"}, {"restart"}, {"doctor"}, {"memory", "add", "Walruses are large"}} {
			out, err := mum(dir, args...).CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != exitFailure ||
				!strings.Contains(string(out), "cannot be written to") ||
				!strings.Contains(string(out), "read-only") {
				t.Errorf("%s, %v: %v\n%s", last, args, err, out)
			}
			if args[0] == "doctor" && !strings.Contains(string(out), "ok    database") {
				t.Errorf("doctor:\n%s", out)
			}
		}
		silentHook(t, dir, "claude", toolPayload(1))
	}
}
