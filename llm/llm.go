package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"keepmum/privacy"
)

// Question is what a model is asked.
type Question struct {
	System    privacy.Clean   // our own words, made with [privacy.Const]
	Body      privacy.Clean   // what was captured
	Schema    json.RawMessage // the JSON schema of the answer; nil = prose
	MaxTokens int             // longest answer; 0 = 400
	Try       int             // 0 = first; a later one is worded differently by the model
	Session   string          // whose remembered secrets apply when the gate runs again; "" = none
}

// Request is a question made ready for one destination. The payload is the
// whole body of the HTTP request, byte for byte.
type Request struct {
	Provider string
	Host     string // host:port of the address that will be dialled
	Model    string // the name as it is sent
	Digest   string // what the server says the model is, "" when it does not say
	Payload  []byte
	Window   int // tokens that question and answer share, 0 = unknown

	maxTokens int
	call      any // the provider's own form of the request
}

// Answer is what a model said. Text is untrusted: it has not passed the gate.
type Answer struct {
	Text         string
	PromptTokens int
	AnswerTokens int
	Took         time.Duration
}

// Provider is a model that can be asked.
type Provider interface {
	// Prepare checks the destination and builds the bytes; it sends nothing of the question.
	Prepare(ctx context.Context, q Question) (Request, error)
	// Send sends a prepared request, unchanged.
	Send(ctx context.Context, r Request) (Answer, error)
	// Unload frees the memory the model took, if it was taken for us.
	Unload(ctx context.Context) error
	// String names provider, model and place, for status.
	String() string
}

// What callers branch on. A [*Refused] is a matter of trust and not retried.
var (
	ErrUnavailable = errors.New("the model server does not answer")
	// ErrAbsent is the kind of ErrUnavailable that is no failure: nobody listens there.
	ErrAbsent  = fmt.Errorf("%w", ErrUnavailable)
	ErrNoModel = errors.New("no local model")
	ErrTooLong = errors.New("the question does not fit the model's context")
	ErrAnswer  = errors.New("the answer is unusable")
)

// Absent reports whether there is no model to ask, which is how most machines are:
// no server, or none of its models.
func Absent(err error) bool { return errors.Is(err, ErrAbsent) || errors.Is(err, ErrNoModel) }

// Refused says why nothing may be sent to a destination.
type Refused struct {
	Target string // host or model
	Reason string
	Hint   string
	Left   bool   // text has left this machine: whoever asks must stop
	Went   string // host it went to, as far as the server says
}

func (r *Refused) Error() string { return fmt.Sprintf("refused %s: %s", r.Target, r.Reason) }

const defaultMaxTokens = 400

// temperature is 0 for a first try, so that the same turn has the same
// summary, and more for another: the first answer was no use.
func (q Question) temperature() float64 {
	if q.Try == 0 {
		return 0
	}
	return 0.4
}

func (q Question) maxTokens() int {
	if q.MaxTokens > 0 {
		return q.MaxTokens
	}
	return defaultMaxTokens
}

// bytesPerToken is a careful guess for text and code. A server that counts
// more tokens than this predicts is believed: see [ErrTooLong].
const bytesPerToken = 3

// Tokens estimates how many tokens a text of n bytes takes.
func Tokens(n int) int { return n/bytesPerToken + 1 }
