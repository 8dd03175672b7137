//go:build unix

package distill_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"keepmum/distill"
	"keepmum/transcript"
)

// BenchmarkRealSync is the first sync of real sessions of each agent: those below MUM_BENCH_SESSIONS, in claude, codex
// and opencode as the agents store them. It measures MB per CPU second, which other work on the machine does not
// change.
func BenchmarkRealSync(b *testing.B) {
	dir := os.Getenv("MUM_BENCH_SESSIONS")
	if dir == "" {
		b.Skip("MUM_BENCH_SESSIONS names no directory")
	}
	for agent, roots := range map[string]transcript.Roots{
		"claude":   {Claude: filepath.Join(dir, "claude")},
		"codex":    {Codex: filepath.Join(dir, "codex")},
		"opencode": {OpenCode: filepath.Join(dir, "opencode")},
	} {
		b.Run(agent, func(b *testing.B) {
			size := sizeOf(b, filepath.Join(dir, agent))
			b.SetBytes(size)
			for b.Loop() {
				w, db := benchWorld(b, filepath.Join(b.TempDir(), "data"), "")
				w.Roots, w.Now = roots, time.Now
				before := cpu()
				rep, err := distill.Sync(b.Context(), w, distill.SyncOptions{})
				if err != nil || rep.Failed > 0 {
					b.Fatalf("%+v, %v", rep.Problems, err)
				}
				b.ReportMetric(float64(size)/1e6/(cpu()-before).Seconds(), "MB/cpu-s")
				b.ReportMetric(float64(rep.Extracted), "sessions")
				_ = db.Close()
			}
		})
	}
}

func sizeOf(b *testing.B, dir string) (size int64) {
	b.Helper()
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		size += info.Size()
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return size
}

// cpu returns the CPU time of this process.
func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
