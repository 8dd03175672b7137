//go:build unix

package compress

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"keepmum/llm"
	"keepmum/llm/ollamatest"
	"keepmum/longtest"
	"keepmum/memdir"
	"keepmum/privacy"
	"keepmum/store"
)

// TestMain lets this program be the worker that is killed.
func TestMain(m *testing.M) {
	if path := os.Getenv("MUM_TEST_WORKER_DB"); path != "" {
		if err := workUntilDone(context.Background(), path, os.Getenv("MUM_TEST_WORKER_MODEL")); err != nil {
			_, _ = os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	memdir.Use()
	os.Exit(m.Run())
}

// workUntilDone is what the killed process does.
func workUntilDone(ctx context.Context, path, model string) error {
	db, err := store.Open(ctx, store.Options{Path: path})
	if err != nil {
		return err
	}
	gate, err := privacy.New(privacy.Options{Key: []byte("a key for tests")})
	if err != nil {
		return err
	}
	w := New(Options{DB: db, Gate: gate, PerMinute: 10_000, Idle: time.Nanosecond, Lease: time.Second,
		Model: func(ctx context.Context, name string) (llm.Provider, error) {
			return llm.Open(ctx, llm.Options{URL: model, Model: name})
		}})
	for {
		w.batch(ctx)
		left, err := db.Jobs(ctx, 1, store.JobPending, store.JobLeased, store.JobFailed)
		if err != nil {
			return err
		}
		if len(left) == 0 {
			return db.Close()
		}
		<-time.After(20 * time.Millisecond) // until the dead process's lease runs out
	}
}

func TestAWorkerThatIsKilledLosesAndRepeatsNothing(t *testing.T) {
	turns, kills := longtest.Size(10, 16), longtest.Size(2, 4)
	asked := make(chan struct{}, turns)
	hold := make(chan struct{})
	var questions atomic.Int64
	b := newBench(t, ollamatest.Options{Answer: func(c ollamatest.Chat) ollamatest.Reply {
		if questions.Add(1)%3 == 0 {
			asked <- struct{}{}
			<-hold // until the process that asked is dead
		}
		return ollamatest.Summary(c)
	}}, func(o *Options) { o.Now = time.Now })
	for range turns {
		b.turn("s", "Round the prices again", "error: x")
	}
	path := b.db.Path()
	if err := b.db.Close(); err != nil {
		t.Fatal(err)
	}
	for range kills {
		child := worker(t, path, b.srv.URL)
		<-asked // it is in the middle of a question
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		killed(t, child)
	}
	close(hold)
	if err := worker(t, path, b.srv.URL).Wait(); err != nil {
		t.Fatal(err)
	}
	b.reopen(path)
	got := b.summaries("s")
	if len(got) != turns || b.jobs(store.JobDone) != turns {
		t.Fatalf("%d summaries, %d jobs done, want %d", len(got), b.jobs(store.JobDone), turns)
	}
	for _, s := range got {
		if s.Provider != "ollama" {
			t.Errorf("turn %d was summarised by %s", s.Turn, s.Provider)
		}
	}
	if rows, broken, err := b.db.VerifyLedger(t.Context()); err != nil || broken != 0 || rows < turns {
		t.Errorf("ledger: %d rows, broken at %d, %v", rows, broken, err)
	}
	if res, err := b.db.Search(t.Context(), store.Query{Type: store.KindSummary, Limit: 100}); err != nil ||
		len(res.Hits) != turns {
		t.Errorf("a search finds %d summaries, %v", len(res.Hits), err)
	}
}

func worker(t *testing.T, db, model string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "MUM_TEST_WORKER_DB="+db, "MUM_TEST_WORKER_MODEL="+model)
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

func killed(t *testing.T, c *exec.Cmd) {
	t.Helper()
	var exit *exec.ExitError
	if err := c.Wait(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the worker ended by itself: %v", err)
	}
}

// reopen opens a database again that other processes have used.
func (b *bench) reopen(path string) {
	b.t.Helper()
	var err error
	if b.db, err = store.Open(b.t.Context(), store.Options{Path: filepath.Clean(path)}); err != nil {
		b.t.Fatal(err)
	}
}
