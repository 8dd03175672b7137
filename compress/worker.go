package compress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"keepmum/llm"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/trace"
)

// Options configure a [Worker]. DB and Gate are required.
type Options struct {
	DB   *store.DB
	Gate *privacy.Gate
	// Model opens the configured model, or the named one; nil = use only the heuristic. It is called for each batch,
	// because a model may come and go.
	Model func(ctx context.Context, name string) (llm.Provider, error)
	// Imagined returns the configured model without connecting to it, for [Worker.Preview]; nil = a preview needs the
	// model.
	Imagined func(name string) (llm.Provider, error)
	// Embedder opens the embedding model; nil = search by words only.
	Embedder     func(ctx context.Context) (*llm.Ollama, error)
	Idle         time.Duration // time without events before a batch begins; 0 = 5 s
	PerMinute    int           // questions a minute; 0 = 10
	DailyTokens  int           // 0 = no limit
	DailySeconds int           // 0 = no limit
	Lease        time.Duration // 0 = 2 min
	OnBattery    func() bool   // nil = never
	// Limit is called before each question about a job; nil = no further limit.
	Limit func(context.Context) (llm.Spent, error)
	// Trace begins the trace of a batch that asks a model; nil = no trace.
	Trace  func() *trace.Run
	Now    func() time.Time
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	o.Idle = cmp.Or(o.Idle, 5*time.Second)
	o.PerMinute = cmp.Or(o.PerMinute, 10)
	o.Lease = cmp.Or(o.Lease, 2*time.Minute)
	if o.OnBattery == nil {
		o.OnBattery = func() bool { return false }
	}
	if o.Limit == nil {
		o.Limit = unlimited
	}
	if o.Trace == nil {
		o.Trace = func() *trace.Run { return nil }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

func unlimited(context.Context) (llm.Spent, error) {
	return func(context.Context, llm.Request, llm.Answer, error) error { return nil }, nil
}

// Worker writes summaries while you are idle.
type Worker struct {
	o          Options
	sender     *llm.Sender
	budget     *budget
	breaker    *breaker
	owner      privacy.Clean
	wake       chan struct{}
	embeddings embeddings

	// only used by the goroutine of the batch
	resting llm.Provider // a model that continues after a short pause
	trace   *trace.Run
	byRules bool // some jobs may have only a first summary, without a model

	mu      sync.Mutex // for what follows
	touched time.Time  // the last activity
	forced  bool       // the next batch starts at once
	named   string     // model requested by name; "" = the configured one
	status  Status
}

// New returns a worker that has not started.
func New(o Options) *Worker {
	o = o.withDefaults()
	w := &Worker{o: o, budget: newBudget(o), breaker: &breaker{now: o.Now}, byRules: true, wake: make(chan struct{}, 1),
		owner: o.Gate.ID("compress", o.Now().String())}
	w.sender = &llm.Sender{Gate: o.Gate, Clock: o.Now, Ledger: w.record, Limit: w.ofJob}
	w.touched = o.Now()
	w.status = Status{State: stateIdle}
	return w
}

// Touch reports activity: no further job is started until the machine is idle again. It never blocks.
func (w *Worker) Touch() {
	w.mu.Lock()
	w.touched = w.o.Now()
	w.mu.Unlock()
	w.nudge()
}

// Start begins a batch at once, with a model of that name ("" = the configured one), even while the user is active.
func (w *Worker) Start(model string) {
	w.mu.Lock()
	w.forced, w.named = true, model
	w.mu.Unlock()
	w.nudge()
}

// nudge wakes the worker, unless it will wake anyway.
func (w *Worker) nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// recheck is how often a batch is tried if nothing happens, because a model may have become available.
const recheck = 5 * time.Minute

// Run works until ctx ends. When it returns, none of its goroutines are running.
func (w *Worker) Run(ctx context.Context) error {
	if err := w.budget.load(ctx, w.o.DB); err != nil {
		if ctx.Err() != nil {
			return nil // stopped before it had begun
		}
		return err
	}
	timer := time.NewTimer(w.o.Idle)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			if w.resting != nil {
				w.unload(ctx, w.resting)
			}
			return nil
		case <-w.wake:
		case <-timer.C:
		}
		next := w.quietIn()
		if next <= 0 {
			next = w.batch(ctx)
		}
		timer.Reset(next)
	}
}

// quietIn returns how long it takes until the machine has been idle for long enough.
func (w *Worker) quietIn() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.forced {
		return 0
	}
	return w.o.Idle - w.o.Now().Sub(w.touched)
}

// busy reports whether the user is active or ctx has ended, so that no job may be started.
func (w *Worker) busy(ctx context.Context) bool { return ctx.Err() != nil || w.quietIn() > 0 }

// batch writes the missing summaries without a model, and then lets the model continue. It returns how long to wait
// before the next batch.
func (w *Worker) batch(ctx context.Context) time.Duration {
	defer w.settle()
	if err := w.drafts(ctx); err != nil {
		w.problem(ctx, err)
		return recheck
	}
	if w.o.Model == nil {
		return recheck
	}
	if err := w.embedAll(ctx); err != nil {
		w.o.Logger.Debug("no vectors", "error", err)
	}
	wait, err := w.withModel(ctx)
	if err != nil {
		w.problem(ctx, err)
	}
	return wait
}

// settle ends a batch.
func (w *Worker) settle() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forced = false
	if w.status.State == stateWorking {
		w.status.State = stateIdle
	}
}

// problem tells the user why no model is asked.
func (w *Worker) problem(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	w.say(stateWaiting, err.Error())
	w.o.Logger.Debug("compression waits", "reason", err)
}

// withModel asks about jobs until there are none left, the user is active, or a limit is reached.
func (w *Worker) withModel(ctx context.Context) (time.Duration, error) {
	if wait, reason := w.mayAsk(); wait > 0 {
		w.say(statePaused, reason)
		return wait, nil
	}
	if waits, err := w.waits(ctx); err != nil || !waits {
		return recheck, err
	}
	model, err := w.open(ctx)
	if err != nil {
		return recheck, errors.Join(err, w.noModel(ctx, err))
	}
	defer func() { w.leave(ctx, model) }()
	if err := w.reopen(ctx); err != nil {
		return recheck, err
	}
	w.working(model.String())
	w.trace = w.o.Trace()
	wait, why, err := w.ask(trace.Watch(ctx, w.trace), model)
	return wait, errors.Join(err, w.traced(why, err))
}

// ask asks about one job after another. It returns why it stopped before there were none left.
func (w *Worker) ask(ctx context.Context, model llm.Provider) (wait time.Duration, why string, err error) {
	for !w.busy(ctx) {
		if wait, reason := w.mayAsk(); wait > 0 {
			w.say(statePaused, reason)
			if wait <= shortRest && !w.o.OnBattery() {
				w.resting = model
			}
			return wait, reason, nil
		}
		var limited *llm.Limited
		if _, err := w.o.Limit(ctx); errors.As(err, &limited) { // check before a job is claimed in vain
			w.say(statePaused, limited.Why)
			return recheck, limited.Why, nil
		}
		more, err := w.one(ctx, model)
		if err != nil || !more {
			return recheck, "", err
		}
	}
	return w.o.Idle, "an agent is working", nil
}

// traced ends the trace of a batch.
func (w *Worker) traced(why string, err error) error {
	outcome := "done"
	switch {
	case err != nil:
		outcome, why = "failed", err.Error()
	case why != "":
		outcome = "stopped"
	}
	return w.trace.End(outcome, why)
}

// traceJob records what happened to a job.
func (w *Worker) traceJob(job store.Job, err error) {
	e := trace.Entry{Kind: trace.Job, Entry: job.ID, Form: w.trace.Word(string(job.Kind)),
		Action: w.trace.Word("summarised")}
	if err != nil {
		e.Action, e.Reason = w.trace.Word("not_summarised"), w.trace.Word(err.Error())
	}
	w.trace.Add(e)
}

// waits reports whether there is anything that a model has not summarised.
func (w *Worker) waits(ctx context.Context) (bool, error) {
	jobs, err := w.o.DB.Jobs(ctx, 1, store.JobPending, store.JobFailed, store.JobLeased)
	if err != nil || len(jobs) > 0 || !w.byRules {
		return len(jobs) > 0, err
	}
	_, found, err := w.o.DB.DraftedJob(ctx)
	w.byRules = found
	return found, err
}

// noModel handles the jobs if no model could be opened. A missing model is not a failure: the first summaries stay
// until there is one.
func (w *Worker) noModel(ctx context.Context, err error) error {
	if !llm.Absent(err) {
		w.blame(err)
		return nil
	}
	n, failed := w.o.DB.FinishDrafted(ctx)
	w.byRules = w.byRules || n > 0
	return failed
}

// blame tells the breaker about a server that is there but does not answer.
func (w *Worker) blame(err error) {
	if errors.Is(err, llm.ErrUnavailable) && !llm.Absent(err) {
		w.breaker.fail()
	}
}

// reopened is how many of the latest jobs a new model summarises again: at ten questions per minute, that takes over an
// hour and a half.
const reopened = 1000

// reopen gives the model the latest jobs that were done without one.
func (w *Worker) reopen(ctx context.Context) error {
	if !w.byRules {
		return nil
	}
	_, err := w.o.DB.ReopenDrafted(ctx, reopened)
	w.byRules = err != nil
	return err
}

// shortRest is the longest pause after which the same model continues: loading it again would take longer.
const shortRest = time.Minute

// open returns the model for a batch: the one that rests, or a new one.
func (w *Worker) open(ctx context.Context) (llm.Provider, error) {
	w.mu.Lock()
	name := w.named
	w.mu.Unlock()
	if model := w.resting; model != nil {
		w.resting = nil
		if name == "" {
			return model, nil
		}
		w.unload(ctx, model)
	}
	return w.o.Model(ctx, name)
}

// leave unloads the model, unless it continues after a short pause.
func (w *Worker) leave(ctx context.Context, model llm.Provider) {
	if w.resting == nil {
		w.unload(ctx, model)
	}
}

func (w *Worker) unload(ctx context.Context, model llm.Provider) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := model.Unload(ctx); err != nil {
		w.o.Logger.Debug("model not unloaded", "error", err)
	}
}

// mayAsk returns how long no questions may be asked, and why.
func (w *Worker) mayAsk() (time.Duration, string) { return w.pause(w.budget.wait) }

// pause does the same with one of the two ways to ask the budget: to look, or to take a question out of it.
func (w *Worker) pause(budget func() (time.Duration, string)) (time.Duration, string) {
	if w.left() {
		return recheck, "stopped: a model configured as local is not local (mum ledger egress)"
	}
	if w.o.OnBattery() {
		return time.Minute, "paused on battery"
	}
	if wait, failures := w.breaker.open(); wait > 0 {
		return wait, fmt.Sprintf("the model failed %d times: next try in %s", failures, wait.Round(time.Second))
	}
	return budget()
}
