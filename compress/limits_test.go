package compress

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/llm/ollamatest"
	"keepmum/privacy"
	"keepmum/store"
)

func TestBudgetsHold(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*Options)
		reason string
		after  time.Duration
	}{
		"per minute":   {func(o *Options) { o.PerMinute = 2 }, "per_minute", time.Minute},
		"daily tokens": {func(o *Options) { o.DailyTokens = 600 }, "daily_tokens", 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, ollamatest.Options{}, tc.change)
			for range 8 {
				b.turn("s", "Round the prices again", "error: x")
			}
			b.batch()
			asked := len(b.srv.Chats())
			if asked == 0 || asked >= 8 || !strings.Contains(b.w.Status().Reason, tc.reason) {
				t.Fatalf("%d asked, status %+v", asked, b.w.Status())
			}
			b.batch()
			if len(b.srv.Chats()) != asked {
				t.Error("the budget did not hold for a second batch")
			}
			again := New(b.w.o) // a restart
			if err := again.budget.load(t.Context(), b.db); err != nil {
				t.Fatal(err)
			}
			if wait, _ := again.budget.wait(); name == "daily tokens" && wait == 0 {
				t.Error("a restart forgot what was spent today")
			}
			b.later(tc.after)
			b.batch()
			if len(b.srv.Chats()) == asked {
				t.Error("the budget did not come back")
			}
		})
	}
}

// A job that has to be split asks many questions; each of them counts.
func TestBudgetsHoldWithinAJob(t *testing.T) {
	b := newBench(t, ollamatest.Options{Models: []ollamatest.Model{{Name: "tiny:latest", Context: 1500}}},
		func(o *Options) { o.DailyTokens = 600 })
	b.turn("s", "Run all the checks", "error: x")
	b.long("s", 12)
	b.batch()
	if asked := len(b.srv.Chats()); asked == 0 || asked > 2 || b.jobs(store.JobPending) != 1 {
		t.Errorf("%d asked, %d pending", asked, b.jobs(store.JobPending))
	}
	if why := b.w.Status().Reason; !strings.Contains(why, "daily_tokens") {
		t.Errorf("the reason is %q", why)
	}
	b.later(24 * time.Hour)
	b.w.budget.dayTokens = 0
	b.batch()
	if got := b.summaries("s"); len(got) != 1 || got[0].Provider != "ollama" {
		t.Errorf("kept %+v", got)
	}
}

// Only questions use up the tokens of a day.
func TestOnlyQuestionsCountAfterARestart(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, nil)
	for purpose, model := range map[string]string{"team": "shop", "trace": "otlp", "embed": "nomic",
		"extract": "agent:claude"} {
		if err := b.db.RecordEgress(t.Context(), store.Egress{Host: b.clean("here"), Model: b.clean(model),
			Purpose: b.clean(purpose), Bytes: 4000}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.w.budget.load(t.Context(), b.db); err != nil || b.w.budget.tokens > 1 {
		t.Errorf("%v, %d tokens", err, b.w.budget.tokens)
	}
}

func TestAFailingModelIsNotAskedForAWhile(t *testing.T) {
	b := newBench(
		t, ollamatest.Options{Answer: func(ollamatest.Chat) ollamatest.Reply { return ollamatest.Reply{Status: 500} }}, nil)
	b.turn("s", "Round the prices again", "error: x")
	for range 20 {
		b.batch()
	}
	if n := len(b.srv.Chats()); n != breakAfter {
		t.Errorf("%d questions, want %d", n, breakAfter)
	}
	if wait, _ := b.w.breaker.open(); wait != firstBreak {
		t.Errorf("the first break is %s", wait)
	}
	for range 5 {
		wait, _ := b.w.breaker.open()
		b.later(wait)
		b.batch()
	}
	if wait, _ := b.w.breaker.open(); wait != longBreak {
		t.Errorf("a later break is %s", wait)
	}
	if b.jobs(store.JobPending) != 1 || b.summaries("s")[0].Provider != "heuristic" {
		t.Error("the job or its first summary was lost")
	}
}

func TestOnBatteryNothingIsAsked(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, func(o *Options) { o.OnBattery = func() bool { return true } })
	b.turn("s", "Round the prices to cents", "error: x")
	b.batch()
	if len(b.srv.Received()) > 0 || b.w.Status().State != statePaused || len(b.summaries("s")) != 1 {
		t.Errorf("status %+v", b.w.Status())
	}
}

func TestRunWorksWhenItIsQuietAndStopsWhenTold(t *testing.T) {
	asked := make(chan struct{}, 1)
	b := newBench(t, ollamatest.Options{Answer: func(c ollamatest.Chat) ollamatest.Reply {
		asked <- struct{}{}
		return ollamatest.Summary(c)
	}}, func(o *Options) { o.Now = time.Now })
	b.turn("s", "Round the prices to cents", "error: x")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- b.w.Run(ctx) }()
	b.w.Touch()
	<-asked
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if b.jobs(store.JobLeased) != 0 {
		t.Error("a lease was left behind")
	}
}

// The clock of a slow model: each question takes 40 seconds.
func TestTheSecondsOfADaySurviveARestart(t *testing.T) {
	var b *bench
	b = newBench(t, ollamatest.Options{}, func(o *Options) {
		o.DailySeconds = 100
		o.Now = func() time.Time {
			if b == nil {
				return time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
			}
			return b.now.Add(time.Duration(len(b.srv.Chats())) * 40 * time.Second)
		}
	})
	for range 8 {
		b.turn("s", "Round the prices again", "error: x")
	}
	b.batch()
	if n := len(b.srv.Chats()); n != 3 {
		t.Fatalf("%d questions of 40 s were asked, want 3", n)
	}
	again := New(b.w.o) // a restart
	if err := again.budget.load(t.Context(), b.db); err != nil {
		t.Fatal(err)
	}
	if wait, reason := again.budget.wait(); wait == 0 || !strings.Contains(reason, "daily_seconds") {
		t.Errorf("a restart forgot what was spent today: %s %q", wait, reason)
	}
}

func TestAModelStaysLoadedOverAShortRest(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, func(o *Options) { o.PerMinute = 2 })
	for range 3 {
		b.turn("s", "Round the prices again", "error: x")
	}
	b.batch()
	if n := len(b.srv.Unloaded()); n != 0 {
		t.Errorf("unloaded %d times in the middle of the work", n)
	}
	b.later(2 * time.Minute)
	b.batch()
	if asked, n := len(b.srv.Chats()), len(b.srv.Unloaded()); asked != 3 || n != 1 {
		t.Errorf("%d questions and %d times unloaded, want 3 and 1", asked, n)
	}
}

func TestASessionWaitsForItsTurns(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, nil)
	b.turn("s", "Round the prices to cents", "error: x")
	ref := store.SessionRef{Agent: b.clean("claude"), Native: b.clean("s"), Project: store.Project{Name: b.clean("inn")}}
	if _, err := b.db.EndSession(t.Context(), ref, privacy.Const("exit"), b.now); err != nil {
		t.Fatal(err)
	}
	var order []store.JobKind
	for {
		job, found, err := b.db.ClaimJob(t.Context(), b.clean("me"), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if !found {
			break
		}
		order = append(order, job.Kind)
		if err := b.db.CompleteJob(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(order, []store.JobKind{store.JobTurn, store.JobSession}) {
		t.Errorf("claimed in the order %v", order)
	}
}

func TestAWorkerThatIsStoppedBeforeItBeginsEndsQuietly(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, nil)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := b.w.Run(ctx); err != nil {
		t.Error(err)
	}
}
