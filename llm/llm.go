package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"keepmum/privacy"
)

// Question is a question to a model.
type Question struct {
	System    privacy.Clean   // our own words, made with [privacy.Const]
	Body      privacy.Clean   // captured text
	Schema    json.RawMessage // the JSON schema of the answer; nil = prose
	MaxTokens int             // longest answer; 0 = 400
	Try       int             // 0 = first try; the model words later ones differently
	Session   string          // session whose remembered secrets apply when the gate runs again; "" = none
}

// Request is a question prepared for one destination. The payload is the whole body of the HTTP request, byte for byte.
type Request struct {
	Provider string
	Host     string // host:port of the address that will be dialled
	Model    string // the name as it is sent
	Digest   string // the server's digest of the model, "" if it states none
	Payload  []byte
	Window   int // maximum number of tokens of question and answer together, 0 = unknown

	maxTokens int
	call      any // the provider's own form of the request
}

// Answer is the answer of a model. Text is untrusted: it has not passed the gate.
type Answer struct {
	Text         string
	PromptTokens int
	AnswerTokens int
	Took         time.Duration
}

// Provider is a model that can be asked.
type Provider interface {
	// Prepare checks the destination and builds the bytes; it does not send any part of the question.
	Prepare(ctx context.Context, q Question) (Request, error)
	// Send sends a prepared request, unchanged.
	Send(ctx context.Context, r Request) (Answer, error)
	// Unload frees the model's memory, if it was loaded for us.
	Unload(ctx context.Context) error
	// String returns provider, model and place, for status.
	String() string
}

// Errors that callers branch on. A [*Refused] is a matter of trust and not retried.
var (
	ErrUnavailable = errors.New("the model server does not answer")
	// ErrAbsent is an ErrUnavailable that is not a failure: nobody listens at the address.
	ErrAbsent  = fmt.Errorf("%w", ErrUnavailable)
	ErrNoModel = errors.New("no local model")
	ErrTooLong = errors.New("the question does not fit the model's context")
	ErrAnswer  = errors.New("the answer is unusable")
)

// Absent reports whether there is no model, as on most machines: no server, or no models on it.
func Absent(err error) bool { return errors.Is(err, ErrAbsent) || errors.Is(err, ErrNoModel) }

// Refused says why nothing may be sent to a destination.
type Refused struct {
	Target string // host or model
	Reason string
	Hint   string
	Left   bool   // text has already left this machine: the caller must stop
	Went   string // the host that it went to, if the server says so
}

func (r *Refused) Error() string { return fmt.Sprintf("refused %s: %s", r.Target, r.Reason) }

const defaultMaxTokens = 400

// temperature is 0 for a first try, so that the same turn gets the same summary, and higher for a retry, because the
// first answer was unusable.
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

// bytesPerToken is a conservative estimate for text and code. If a server counts more tokens than estimated, its count
// is used: see [ErrTooLong].
const bytesPerToken = 3

// Tokens estimates how many tokens n bytes of text have.
func Tokens(n int) int { return n/bytesPerToken + 1 }
