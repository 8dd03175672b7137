package trace

import (
	"context"
	"errors"
	"time"

	"keepmum/llm"
)

// Watch lets a run record the questions asked with the context.
func Watch(ctx context.Context, r *Run) context.Context {
	if r == nil {
		return ctx
	}
	return llm.Watched(ctx, r.called)
}

func (r *Run) called(c llm.Called) {
	e := Entry{Kind: Call, At: c.Began, Role: r.Word(c.Purpose), Provider: r.Word(c.Provider), Host: r.Word(c.Host),
		Model: r.Word(c.Model), Seconds: c.Took.Round(time.Millisecond).Seconds(), In: c.In, Out: c.Out,
		Outcome: r.Word(outcomeOf(c.Err))}
	if c.Err != nil {
		e.Reason = r.Word(c.Err.Error()).Cut(maxWhy)
	}
	if r.o.Price != nil {
		e.Cost = r.o.Price(c.Purpose, c.In, c.Out)
	}
	r.Add(e)
}

// outcomeOf returns one word for the outcome of a question.
func outcomeOf(err error) string {
	var held *llm.Held
	var refused *llm.Refused
	var limited *llm.Limited
	switch {
	case err == nil:
		return "answered"
	case errors.As(err, &held):
		return "held"
	case errors.As(err, &refused):
		return "refused"
	case errors.As(err, &limited):
		return "limited"
	}
	return "failed"
}
