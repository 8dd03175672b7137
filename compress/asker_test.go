package compress

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"keepmum/llm"
	"keepmum/llm/ollamatest"
	"keepmum/privacy"
)

// asks asks a question that is not about a job.
func (b *bench) asks(patience time.Duration) error {
	b.t.Helper()
	model, err := b.w.o.Model(b.t.Context(), "")
	if err != nil {
		b.t.Fatal(err)
	}
	_, _, err = b.w.Asker(patience).Ask(b.t.Context(), model,
		llm.Question{System: privacy.Const("say something"), Body: privacy.Const("how are totals rounded?")}, "ask", 0)
	return err
}

func TestQuestionsAboutNoJobStayWithinTheSameBounds(t *testing.T) {
	battery := false
	for name, c := range map[string]struct {
		change func(*Options)
		before func(*bench)
		why    string
		later  time.Duration // time after which it may be asked again
	}{
		"tokens of the day": {func(o *Options) { o.DailyTokens = 1 }, func(b *bench) { must(b.t, b.asks(0)) },
			"compress.daily_tokens", 24 * time.Hour},
		"seconds of the day": {func(o *Options) { o.DailySeconds = 1 }, func(b *bench) { b.w.budget.spend(0, 2*time.Second) },
			"compress.daily_seconds", 24 * time.Hour},
		"of a minute": {func(o *Options) { o.PerMinute = 1 }, func(b *bench) { must(b.t, b.asks(0)) },
			"compress.per_minute", time.Minute},
		"battery": {func(o *Options) { o.OnBattery = func() bool { return battery } },
			func(*bench) { battery = true }, "battery", 0},
		"breaker": {nil, func(b *bench) {
			for range breakAfter {
				b.w.breaker.fail()
			}
		}, "failed 5 times", firstBreak},
		"text has left": {nil, func(b *bench) { b.w.update(func(s *Status) { s.Left = true }) }, "not", -1},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, ollamatest.Options{}, c.change)
			c.before(b)
			before := len(b.srv.Chats())
			err := b.asks(0)
			var limited *llm.Limited
			if !errors.As(err, &limited) || !strings.Contains(err.Error(), c.why) {
				t.Errorf("got %v", err)
			}
			if n := len(b.srv.Chats()); n != before {
				t.Errorf("it was asked %d times", n-before)
			}
			if rows, err := b.db.EgressSince(t.Context(), b.now.Add(-time.Hour)); err != nil || before == 0 && rows != 0 {
				t.Errorf("the ledger has %d bytes, %v", rows, err)
			}
			battery = false
			b.later(max(c.later, 0))
			if err := b.asks(0); c.later >= 0 && err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestWhatAQuestionCostsCountsForSummariesToo: there is one budget.
func TestWhatAQuestionCostsCountsForSummariesToo(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, func(o *Options) { o.DailyTokens = 1 })
	must(t, b.asks(0))
	b.turn("s1", "why does the build fail?", "error: no space left")
	b.batch()
	if n := len(b.srv.Chats()); n != 1 {
		t.Errorf("%d questions", n)
	}
	day, err := b.db.ModelSeconds(t.Context(), today(b.now))
	if err != nil || day < 0 {
		t.Errorf("%v, %v", day, err)
	}
}

func TestFailuresOfQuestionsOpenTheBreaker(t *testing.T) {
	b := newBench(
		t, ollamatest.Options{Answer: func(ollamatest.Chat) ollamatest.Reply {
			return ollamatest.Reply{Status: http.StatusServiceUnavailable}
		}}, nil)
	for range breakAfter {
		if err := b.asks(0); !errors.Is(err, llm.ErrUnavailable) {
			t.Fatalf("got %v", err)
		}
	}
	var limited *llm.Limited
	if err := b.asks(0); !errors.As(err, &limited) {
		t.Errorf("got %v", err)
	}
}

// TestAPatientQuestionWaitsForItsTurn: a sync may wait a minute, a user who asks directly may not.
func TestAPatientQuestionWaitsForItsTurn(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, func(o *Options) { o.PerMinute = 1 })
	must(t, b.asks(0))
	b.later(time.Minute - 20*time.Millisecond)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.w.turn(ctx, time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("it does not wait: %v", err)
	}
	done := make(chan error, 1)
	go func() { done <- b.w.turn(t.Context(), time.Minute) }()
	select {
	case err := <-done:
		t.Fatalf("it does not wait: %v", err)
	case <-time.After(5 * time.Millisecond):
	}
	b.w.budget.mu.Lock()
	b.w.budget.asked = nil
	b.w.budget.mu.Unlock()
	must(t, <-done)
}

// TestConcurrentQuestionsShareTheBudgetOfTheMinute: a sync and a user's question share the budget of the minute.
func TestConcurrentQuestionsShareTheBudgetOfTheMinute(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, func(o *Options) { o.PerMinute = 3 })
	var wg sync.WaitGroup
	var limits atomic.Int64
	for range 10 {
		wg.Go(func() {
			var limited *llm.Limited
			if err := b.asks(0); errors.As(err, &limited) {
				limits.Add(1)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := len(b.srv.Chats()); n != 3 || limits.Load() != 7 {
		t.Errorf("%d went out, %d were kept back", n, limits.Load())
	}
}
