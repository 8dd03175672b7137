package extract

import (
	"context"
	"errors"
	"fmt"

	"keepmum/llm"
	"keepmum/memory"
	"keepmum/privacy"
)

// Options describe a [Model].
type Options struct {
	Provider  llm.Provider
	Sender    *llm.Sender
	Gate      *privacy.Gate // cleans what the model answers
	Heuristic *Heuristic    // answers if the model cannot; nil = a new one
	Window    int           // tokens of one question; 0 = the model's context
	Overlap   int           // tokens shared by two windows; 0 = 1000
}

const (
	defaultOverlap = 1000
	maxWindows     = 24  // for a longer session, the model sees only its beginning and, above all, its end
	firstWindows   = 4   // number of these at the beginning
	minWindow      = 200 // tokens; with fewer there is nothing to understand
	spare          = 64  // tokens reserved for the server's template
)

// Model asks a local model what is worth remembering.
type Model struct{ o Options }

// NewModel returns an extractor that uses a model.
func NewModel(o Options) *Model {
	if o.Heuristic == nil {
		o.Heuristic = New()
	}
	if o.Overlap <= 0 {
		o.Overlap = defaultOverlap
	}
	return &Model{o}
}

// Extract asks about one session, window by window. If anything goes wrong with the model, the heuristic answers, and
// the result says why. It returns an error when ctx ends, or an [*llm.Refused] together with the heuristic's result.
func (m *Model) Extract(ctx context.Context, s Session, b Background) (Result, error) {
	all := render(s)
	if len(all) == 0 {
		return m.o.Heuristic.Extract(ctx, s, b), ctx.Err()
	}
	out, err := m.ask(ctx, s, all)
	if err == nil && out.Fallback == "" {
		return out, nil
	}
	own := m.o.Heuristic.Extract(ctx, s, b)
	if err == nil { // some windows failed; the heuristic may find what they contained
		out.Candidates = merge(out.Candidates, own.Candidates)
		return out, nil
	}
	own.Fallback, own.Windows, own.Retried = fallback(err), out.Windows, out.Retried
	var refused *llm.Refused
	if errors.As(err, &refused) {
		return own, err
	}
	return own, ctx.Err()
}

// fallback returns the reason of a result for which the model could not be used.
func fallback(err error) string {
	var held *llm.Held
	var refused *llm.Refused
	switch {
	case errors.As(err, &held):
		return FellHeld
	case errors.As(err, &refused):
		return FellRefused
	case errors.Is(err, llm.ErrTooLong):
		return FellTooLong
	case errors.Is(err, errJunk), errors.Is(err, llm.ErrAnswer):
		return FellJunk
	}
	return FellUnavailable
}

// ask asks all the questions. If the server counts more tokens than we do, it tries windows of half the size.
func (m *Model) ask(ctx context.Context, s Session, all []line) (Result, error) {
	tokens, err := m.room(ctx, s)
	for err == nil {
		if tokens < minWindow {
			return Result{}, fmt.Errorf("%d tokens are left for a question: %w", tokens, llm.ErrTooLong)
		}
		var out Result
		out, err = m.askWindows(ctx, s, windows(all, tokens, min(m.o.Overlap, tokens/4)))
		if !errors.Is(err, llm.ErrTooLong) {
			return out, err
		}
		tokens, err = tokens/2, nil
	}
	return Result{}, err
}

// room returns how many tokens of a session fit into one question.
func (m *Model) room(ctx context.Context, s Session) (int, error) {
	r, err := m.o.Sender.Prepare(ctx, m.o.Provider, m.question(s, nil, 0))
	if err != nil {
		return 0, err
	}
	const unknown = 4096
	window := r.Window
	if window == 0 {
		window = unknown
	}
	if m.o.Window > 0 {
		window = min(window, m.o.Window)
	}
	return window - llm.Tokens(len(instructions)) - answerTokens - spare, nil
}

func (m *Model) question(s Session, w window, try int) llm.Question {
	return llm.Question{System: privacy.Const(instructions), Body: w.body(), Schema: answerSchema(),
		MaxTokens: answerTokens, Try: try, Session: s.ID.String()}
}

// askWindows asks about each window and merges the answers. A window with unusable answers is skipped; any other error
// ends the loop.
func (m *Model) askWindows(ctx context.Context, s Session, list []window) (Result, error) {
	if len(list) > maxWindows {
		list = append(list[:firstWindows:firstWindows], list[len(list)-(maxWindows-firstWindows):]...)
	}
	out := Result{Windows: len(list)}
	var summaries []Summary
	var lost error
	for _, w := range list {
		found, sum, err := m.askWindow(ctx, s, w, &out)
		switch {
		case errors.Is(err, errJunk) || errors.Is(err, llm.ErrAnswer):
			lost = err
			out.Fallback = FellJunk
			continue
		case err != nil:
			return out, err
		}
		out.Candidates = merge(out.Candidates, found)
		summaries = append(summaries, sum)
	}
	if len(summaries) == 0 {
		return out, lost
	}
	out.Summary = joinSummaries(summaries)
	return out, nil
}

// askWindow asks about one window, and once more if the answer is unusable.
func (m *Model) askWindow(ctx context.Context, s Session, w window, out *Result) ([]memory.Candidate, Summary, error) {
	var err error
	for try := range 2 {
		if try > 0 {
			out.Retried++
		}
		var a llm.Answer
		var r llm.Request
		if a, r, err = m.o.Sender.Ask(ctx, m.o.Provider, m.question(s, w, try), "extract", 0); err != nil {
			if errors.Is(err, llm.ErrAnswer) {
				continue
			}
			return nil, Summary{}, err
		}
		out.By, out.Prompt = r.Model, promptVersion
		var found []memory.Candidate
		var sum Summary
		if found, sum, err = m.understand(s, w, a.Text); err == nil {
			return found, sum, nil
		}
	}
	return nil, Summary{}, err
}

// understand reads the answer about a window.
func (m *Model) understand(s Session, w window, text string) ([]memory.Candidate, Summary, error) {
	a, err := parse(text)
	if err != nil {
		return nil, Summary{}, err
	}
	r := reading{gate: m.o.Gate, h: m.o.Heuristic, session: s}
	found, err := r.candidates(a, w)
	if err != nil {
		return nil, Summary{}, err
	}
	return found, r.summary(a), nil
}
