package compress

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"keepmum/llm"
	"keepmum/privacy"
	"keepmum/store"
)

// maxQuestions limits how many questions one job may ask if it has to be split.
const maxQuestions = 16

// one asks the model about the newest job that is due. It returns false if there was none.
func (w *Worker) one(ctx context.Context, model llm.Provider) (bool, error) {
	job, found, err := w.o.DB.ClaimJob(ctx, w.owner, w.o.Lease)
	if err != nil || !found {
		return false, err
	}
	held, release := w.keepLease(ctx, job)
	err = w.work(held, model, job)
	release()
	w.traceJob(job, err)
	// The result of the job is written even if the worker is being stopped.
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err = w.finish(after, job, err); errors.Is(err, store.ErrLeaseLost) {
		err = nil // another worker has the job now
	}
	return true, err
}

// keepLease renews the lease of a job until release is called. The context that it returns ends when the lease is lost.
func (w *Worker) keepLease(ctx context.Context, job store.Job) (held context.Context, release func()) {
	held, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(w.o.Lease / 3)
		defer tick.Stop()
		for {
			select {
			case <-held.Done():
				return
			case <-tick.C:
				if errors.Is(w.o.DB.HeartbeatJob(held, job, w.o.Lease), store.ErrLeaseLost) {
					cancel()
					return
				}
			}
		}
	}()
	return held, func() { cancel(); <-done }
}

// work asks about one job and stores the answer.
func (w *Worker) work(ctx context.Context, model llm.Provider, job store.Job) error {
	u, err := w.unit(ctx, job)
	if err != nil {
		return err
	}
	if !u.isWorthwhile() {
		return w.o.DB.CompleteJob(ctx, job)
	}
	a := &asking{w: w, model: model, unit: u}
	d, err := a.about(ctx, u.pieces)
	if err != nil {
		return err
	}
	d = w.complete(ctx, u, d)
	return w.o.DB.CompleteJob(ctx, job, w.clean(u, d, a.spent))
}

// complete sets what code knows better than a model: the title, and the files, from which a model may only choose.
func (w *Worker) complete(ctx context.Context, u unit, d draft) draft {
	own, err := w.heuristic(ctx, u)
	if err != nil {
		own = draft{Title: shorten(d.Text, maxTitle)} // the word counts are unavailable; use the answer anyway
	}
	d.Title, d.Files = own.Title, own.Files
	if len(d.Concepts) == 0 {
		d.Concepts = own.Concepts
	}
	return d
}

// asking is the conversation about one unit.
type asking struct {
	w     *Worker
	model llm.Provider
	unit  unit
	asked int
	spent provenance
}

// about asks for a summary of some pieces. If they do not fit, it splits them between pieces and then summarises the
// summaries of the parts.
func (a *asking) about(ctx context.Context, parts []string) (draft, error) {
	d, err := a.once(ctx, parts)
	if !errors.Is(err, llm.ErrTooLong) {
		return d, err
	}
	if len(parts) < 2 {
		return a.halved(ctx, parts, err)
	}
	said, err := a.split(ctx, parts)
	if err != nil {
		return draft{}, err
	}
	return a.about(ctx, said)
}

// split returns the summaries of the two halves, or of their halves.
func (a *asking) split(ctx context.Context, parts []string) ([]string, error) {
	var said []string
	for _, half := range [][]string{parts[:len(parts)/2], parts[len(parts)/2:]} {
		d, err := a.once(ctx, half)
		switch {
		case errors.Is(err, llm.ErrTooLong) && len(half) > 1:
			more, err := a.split(ctx, half)
			if err != nil {
				return nil, err
			}
			said = append(said, more...)
			continue
		case errors.Is(err, llm.ErrTooLong):
			d, err = a.halved(ctx, half, err)
		}
		if err != nil {
			return nil, err
		}
		said = append(said, d.Text)
	}
	return said, nil
}

// halved asks about the beginning and end of a piece that is too long on its own; the piece says that its middle is
// missing.
func (a *asking) halved(ctx context.Context, parts []string, tooLong error) (draft, error) {
	const least = 400
	if len(parts) == 0 || len(parts[0]) < least {
		return draft{}, tooLong
	}
	n := len(parts[0]) / 4
	return a.about(ctx, []string{clip(parts[0], n, n)})
}

// once asks one question about some pieces, and checks the answer.
func (a *asking) once(ctx context.Context, parts []string) (draft, error) {
	if a.asked >= maxQuestions {
		return draft{}, fmt.Errorf("%w: it took more than %d questions", errJunk, maxQuestions)
	}
	q := a.w.question(a.unit, parts)
	began := a.w.o.Now()
	answer, r, err := a.w.sender.Ask(ctx, a.model, q, string(a.unit.job.Kind), a.unit.job.ID)
	if len(r.Payload) > 0 {
		err = errors.Join(err, a.spend(ctx, r, answer, a.w.o.Now().Sub(began)))
	}
	if err != nil {
		return draft{}, err
	}
	d, err := parse(answer.Text)
	if err != nil {
		return draft{}, err
	}
	return d, check(d, q.Body.String())
}

// spend records what a question cost, for the budget and for the summary.
func (a *asking) spend(ctx context.Context, r llm.Request, answer llm.Answer, took time.Duration) error {
	tokens, err := a.w.spend(ctx, r, answer, took)
	a.asked++
	a.spent = provenance{Provider: r.Provider, Model: r.Model, Digest: r.Digest, Prompt: promptVersion,
		Seconds: a.spent.Seconds + took.Seconds(), Tokens: a.spent.Tokens + tokens}
	return err
}

// spend records what a question cost.
func (w *Worker) spend(ctx context.Context, r llm.Request, answer llm.Answer,
	took time.Duration) (tokens int, err error) {
	tokens = answer.PromptTokens + answer.AnswerTokens
	if answer.PromptTokens == 0 {
		tokens = llm.Tokens(len(r.Payload)) // it was sent, whatever the answer
	}
	day, seconds := w.budget.spend(tokens, took)
	return tokens, w.o.DB.SetModelSeconds(ctx, day, seconds)
}

// finish decides what happens to a job, and whether the batch continues.
func (w *Worker) finish(ctx context.Context, job store.Job, err error) error {
	var held *llm.Held
	var refused *llm.Refused
	var limited *llm.Limited
	switch {
	case err == nil:
		w.breaker.succeed()
		w.update(func(s *Status) { s.Done++ })
		return nil
	case errors.Is(err, store.ErrLeaseLost):
		return nil // another worker has it
	case errors.As(err, &held):
		w.update(func(s *Status) { s.Held++ })
		return w.quarantine(ctx, job, held)
	case errors.As(err, &refused):
		w.update(func(s *Status) { s.Left = s.Left || refused.Left })
		return errors.Join(err, w.o.DB.ReleaseJob(ctx, job))
	case errors.Is(err, context.Canceled), errors.As(err, &limited): // the next round of the batch says why it pauses
		return w.o.DB.ReleaseJob(ctx, job)
	case errors.Is(err, llm.ErrUnavailable), errors.Is(err, llm.ErrNoModel):
		w.blame(err)
		return errors.Join(err, w.o.DB.ReleaseJob(ctx, job))
	case errors.Is(err, llm.ErrAnswer), errors.Is(err, errJunk), errors.Is(err, llm.ErrTooLong):
		reason, _ := w.o.Gate.Text(err.Error())
		return w.o.DB.FailJob(ctx, job, reason)
	}
	return errors.Join(err, w.o.DB.ReleaseJob(ctx, job))
}

// quarantine sets a job aside that the second gate held back, with what it found.
func (w *Worker) quarantine(ctx context.Context, job store.Job, held *llm.Held) error {
	findings, err := json.Marshal(held.Findings)
	if err != nil {
		return err
	}
	// These are rule names and numbers, which the gate does not change.
	clean, _ := w.o.Gate.Text(string(findings))
	return w.o.DB.QuarantineJob(ctx, job, clean)
}

// record writes the ledger before a request is sent.
func (w *Worker) record(ctx context.Context, s llm.Sending) error {
	f := w.o.Gate.Event(
		privacy.Raw{Fields: map[string]string{"host": s.Host, "model": s.Model, "purpose": s.Purpose,
			"sha256": s.SHA256}}).Fields
	return w.o.DB.RecordEgress(ctx,
		store.Egress{Host: f["host"], Model: f["model"], Purpose: f["purpose"], Bytes: int64(s.Bytes), SHA256: f["sha256"],
			Job: s.Job})
}

// Asker returns a sender for questions that are not about jobs. It has the same gates, ledger and limits: battery,
// breaker and budgets. If the budget of the minute is used up, a question waits, but no longer than patience.
func (w *Worker) Asker(patience time.Duration) *llm.Sender {
	return &llm.Sender{Gate: w.sender.Gate, Clock: w.sender.Clock, Ledger: w.sender.Ledger,
		Limit: func(ctx context.Context) (llm.Spent, error) {
			if err := w.turn(ctx, patience); err != nil {
				return nil, err
			}
			began := w.o.Now()
			return func(ctx context.Context, r llm.Request, a llm.Answer, err error) error {
				w.judge(err)
				_, serr := w.spend(ctx, r, a, w.o.Now().Sub(began))
				return serr
			}, nil
		}}
}

// ofJob applies the limits to a question about a job, which may be one of many.
func (w *Worker) ofJob(ctx context.Context) (llm.Spent, error) {
	spent, err := w.o.Limit(ctx)
	if err == nil {
		err = w.turn(ctx, shortRest)
	}
	return spent, err
}

// turn waits until a question may be asked, or returns why not.
func (w *Worker) turn(ctx context.Context, patience time.Duration) error {
	for until := w.o.Now().Add(patience); ; {
		wait, why := w.pause(w.budget.take)
		if wait <= 0 {
			return nil
		}
		if w.left() || w.o.OnBattery() || w.o.Now().Add(wait).After(until) {
			return &llm.Limited{Why: why}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// judge tells the breaker the result of a question.
func (w *Worker) judge(err error) {
	var refused *llm.Refused
	switch {
	case err == nil:
		w.breaker.succeed()
	case errors.As(err, &refused):
		w.update(func(s *Status) { s.Left = s.Left || refused.Left })
	default:
		w.blame(err)
	}
}
