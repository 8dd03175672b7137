package llm

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"keepmum/privacy"
	"keepmum/privacy/egress"
)

// Sending is the ledger's record of one request: everything but the text.
type Sending struct {
	At       time.Time
	Provider string
	Host     string
	Model    string
	Purpose  string // "summary", "session", "extract", "ask"
	Job      int64  // 0 = none
	Bytes    int
	SHA256   string // of the exact payload, in hex
}

// Sender is the only way out: two gates, a ledger, then the network.
type Sender struct {
	Gate   *privacy.Gate
	Ledger func(context.Context, Sending) error // called before the first byte leaves
	Clock  func() time.Time
	// Limit is called before a question is sent (nil = no limit). It returns why the question may not be sent, as a
	// [*Limited], or a function that records the result.
	Limit func(context.Context) (Spent, error)
}

// Spent records the result of a question that was sent.
type Spent func(context.Context, Request, Answer, error) error

// Limited means that a question was not sent because a limit is reached.
type Limited struct{ Why string }

func (l *Limited) Error() string { return "the model was not asked: " + l.Why }

// Held means that the second gate held a question back. Offsets are positions in the body after the first gate.
type Held struct{ Findings []egress.Finding }

func (h *Held) Error() string {
	var rules []string
	for _, f := range h.Findings {
		rules = append(rules, fmt.Sprintf("%s at %d", f.Rule, f.Start))
	}
	const few = 5
	if len(rules) > few {
		rules = append(rules[:few], fmt.Sprintf("%d more", len(rules)-few))
	}
	return "held back by the egress gate: " + strings.Join(rules, ", ")
}

// Prepare runs both gates and returns the bytes to send.
func (s *Sender) Prepare(ctx context.Context, p Provider, q Question) (Request, error) {
	body, err := s.pass(q)
	if err != nil {
		return Request{}, err
	}
	q.Body = body
	return p.Prepare(ctx, q)
}

// pass applies the current rules, which may be newer than those that cleaned the text when it was stored, and runs the
// second detector.
func (s *Sender) pass(q Question) (privacy.Clean, error) {
	done := s.Gate.Event(privacy.Raw{Session: q.Session, Fields: map[string]string{"body": q.Body.String()}})
	body := done.Fields["body"]
	if found := egress.Scan(body.String()); len(found) > 0 {
		return privacy.Clean{}, &Held{Findings: found}
	}
	return body, nil
}

// Called describes one question: everything but the text.
type Called struct {
	Provider, Host, Model, Purpose string
	Began                          time.Time
	Took                           time.Duration
	In, Out                        int // tokens; estimated from the bytes if the server does not count
	Err                            error
}

type watchKey struct{}

// Watched returns a context whose questions are reported to watch.
func Watched(ctx context.Context, watch func(Called)) context.Context {
	return context.WithValue(ctx, watchKey{}, watch)
}

// watched reports a question to the watcher of the context.
func (s *Sender) watched(ctx context.Context, p Provider, r Request, a Answer, c Called) {
	watch, ok := ctx.Value(watchKey{}).(func(Called))
	if !ok {
		return
	}
	c.Provider, c.Host, c.Model = cmp.Or(r.Provider, p.String()), r.Host, r.Model
	c.Took, c.In, c.Out = s.Clock().Sub(c.Began), a.PromptTokens, a.AnswerTokens
	if c.In == 0 && len(r.Payload) > 0 {
		c.In = Tokens(len(r.Payload))
	}
	if c.Out == 0 && a.Text != "" {
		c.Out = Tokens(len(a.Text))
	}
	watch(c)
}

// Ask sends a question, and reports it to the watcher of the context. The answer is untrusted text.
func (s *Sender) Ask(ctx context.Context, p Provider, q Question, purpose string, job int64) (Answer, Request, error) {
	began := s.Clock()
	a, r, err := s.ask(ctx, p, q, purpose, job)
	s.watched(ctx, p, r, a, Called{Purpose: purpose, Began: began, Err: err})
	return a, r, err
}

// ask prepares a question, writes the ledger and sends it.
func (s *Sender) ask(ctx context.Context, p Provider, q Question, purpose string, job int64) (Answer, Request, error) {
	r, err := s.Prepare(ctx, p, q)
	if err != nil {
		return Answer{}, Request{}, err
	}
	if s.Ledger == nil {
		return Answer{}, r, errors.New("nothing is sent without a ledger")
	}
	spent := Spent(func(context.Context, Request, Answer, error) error { return nil })
	if s.Limit != nil {
		if spent, err = s.Limit(ctx); err != nil {
			return Answer{}, Request{}, err
		}
	}
	if err := s.Ledger(ctx, s.entry(r, purpose, job)); err != nil {
		return Answer{}, r, fmt.Errorf("write the ledger, so nothing was sent: %w", err)
	}
	a, err := p.Send(ctx, r)
	if refused := (*Refused)(nil); errors.As(err, &refused) && refused.Left {
		r.Host = cmp.Or(refused.Went, "elsewhere") + " via " + r.Host
		err = errors.Join(err, s.Ledger(context.WithoutCancel(ctx), s.entry(r, purpose, job)))
	}
	return a, r, errors.Join(err, spent(context.WithoutCancel(ctx), r, a, err))
}

func (s *Sender) entry(r Request, purpose string, job int64) Sending {
	return Sending{At: s.Clock(), Provider: r.Provider, Host: r.Host, Model: r.Model, Purpose: purpose,
		Job: job, Bytes: len(r.Payload), SHA256: hashOf(r.Payload)}
}

func hashOf(payload []byte) string {
	sum := sha256.Sum256(payload)
	return hex.EncodeToString(sum[:])
}
