package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// OpenAI is a model behind the chat completions protocol. There is no client library, because only one kind of request
// is needed, and a library's own transport, retries and environment variables could send bytes that are not in the
// ledger.
type OpenAI struct {
	o    Options
	line *line
}

func openOpenAI(ctx context.Context, o Options) (*OpenAI, error) {
	if o.Model == "" {
		return nil, &Refused{Target: "compress.model", Reason: "an OpenAI-compatible server needs a model's name",
			Hint: "set compress.model"}
	}
	if err := o.named(); err != nil {
		return nil, err
	}
	l, err := newLine(o.URL, o.AllowHosts, o.Resolver)
	if err != nil {
		return nil, err
	}
	p := &OpenAI{o: o, line: l}
	_, err = p.locate(ctx)
	return p, err
}

// String implements [Provider].
func (p *OpenAI) String() string {
	return fmt.Sprintf("openai %s at %s", p.o.Model, p.line.base.Host)
}

// locate returns the address to dial. An Ollama server behind this protocol could forward to a cloud model unseen, so
// the Ollama provider, which can check that, must be used for it.
func (p *OpenAI) locate(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, p.o.Timeout)
	defer cancel()
	found, err := p.line.check(ctx)
	if err != nil {
		return "", err
	}
	if p.line.allowed(p.line.base.Hostname()) {
		return found[0].String(), nil
	}
	if err := localName(p.o.Model); err != nil {
		return "", err
	}
	ollama, err := p.isOllama(ctx)
	if err != nil {
		return "", err
	}
	if ollama {
		return "", &Refused{Target: p.line.base.Host,
			Reason: "it is an Ollama server, whose models can only be checked with its own protocol",
			Hint:   `set compress.provider = "ollama"`}
	}
	return found[0].String(), nil
}

func (p *OpenAI) isOllama(ctx context.Context) (bool, error) {
	u := *p.line.base
	u.Path = "/api/version"
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return false, err
	}
	resp, err := p.line.http.Do(r)
	if err != nil {
		return false, p.explain(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	return resp.StatusCode == http.StatusOK, nil
}

type completion struct {
	Model          string        `json:"model"`
	Messages       []chatMessage `json:"messages"`
	MaxTokens      int           `json:"max_tokens"`
	Temperature    float64       `json:"temperature"`
	Stream         bool          `json:"stream"`
	ResponseFormat *answerFormat `json:"response_format,omitempty"`
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type answerFormat struct {
	Type       string     `json:"type"`
	JSONSchema jsonSchema `json:"json_schema"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
}

// Prepare implements [Provider].
func (p *OpenAI) Prepare(ctx context.Context, q Question) (Request, error) {
	host, err := p.locate(ctx)
	if err != nil {
		return Request{}, err
	}
	return p.request(host, q)
}

// request builds the bytes for a server with a known address.
func (p *OpenAI) request(host string, q Question) (Request, error) {
	if Tokens(len(q.System.String())+len(q.Body.String()))+q.maxTokens() > p.o.MaxWindow {
		return Request{}, fmt.Errorf("%s accepts at most %d tokens: %w", p.o.Model, p.o.MaxWindow, ErrTooLong)
	}
	c := completion{Model: p.o.Model, MaxTokens: q.maxTokens(), Temperature: q.temperature(),
		Messages: []chatMessage{{"system", q.System.String()}, {"user", q.Body.String()}}}
	if q.Schema != nil {
		c.ResponseFormat = &answerFormat{Type: "json_schema", JSONSchema: jsonSchema{Name: "answer", Schema: q.Schema}}
	}
	payload, err := json.Marshal(c)
	if err != nil {
		return Request{}, fmt.Errorf("encode the question: %w", err)
	}
	return Request{Provider: "openai", Host: host, Model: p.o.Model, Payload: payload, Window: p.o.MaxWindow,
		maxTokens: q.maxTokens()}, nil
}

// Send implements [Provider].
func (p *OpenAI) Send(ctx context.Context, r Request) (Answer, error) {
	ctx, cancel := context.WithTimeout(announce(ctx, r.Payload), p.o.Timeout)
	defer cancel()
	began := time.Now()
	raw, err := p.post(ctx, r.Payload)
	if err != nil {
		return Answer{}, err
	}
	var said struct {
		Choices []struct {
			Message      chatMessage `json:"message"`
			FinishReason string      `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			Prompt int `json:"prompt_tokens"`
			Answer int `json:"completion_tokens"`
		} `json:"usage"`
	}
	if json.Unmarshal(raw, &said) != nil || len(said.Choices) == 0 || said.Choices[0].FinishReason == "length" {
		return Answer{}, fmt.Errorf("ask %s: %w", p.o.Model, ErrAnswer)
	}
	return Answer{Text: said.Choices[0].Message.Content, PromptTokens: said.Usage.Prompt, AnswerTokens: said.Usage.Answer,
		Took: time.Since(began)}, nil
}

func (p *OpenAI) post(ctx context.Context, payload []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.line.base.JoinPath("chat/completions").String(),
		bytes.NewReader(payload))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	if p.o.APIKey != "" {
		r.Header.Set("Authorization", "Bearer "+p.o.APIKey)
	}
	resp, err := p.line.http.Do(r)
	if err != nil {
		return nil, p.explain(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, p.status(resp.StatusCode)
	}
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, p.explain(ctx, err)
	}
	return raw, nil
}

func (p *OpenAI) status(code int) error {
	switch {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return &Refused{Target: p.line.base.Host, Reason: fmt.Sprintf("HTTP %d: the server does not accept the key", code),
			Hint: "set MUM_OPENAI_KEY for the daemon"}
	case code >= 500 || code == http.StatusTooManyRequests:
		return fmt.Errorf("ask %s: HTTP %d: %w", p.o.Model, code, ErrUnavailable)
	}
	return fmt.Errorf("ask %s: HTTP %d: %w", p.o.Model, code, ErrAnswer)
}

func (p *OpenAI) explain(ctx context.Context, err error) error {
	var refused *Refused
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.Is(ctx.Err(), context.Canceled):
		return fmt.Errorf("ask %s: %w", p.o.Model, context.Canceled)
	case errors.Is(err, ErrAnswer):
		return fmt.Errorf("ask %s: %w", p.o.Model, ErrAnswer)
	}
	kind := ErrUnavailable
	if errors.Is(err, ErrAbsent) {
		kind = ErrAbsent
	}
	return fmt.Errorf("ask %s at %s: %w", p.o.Model, p.line.base.Host, kind)
}

// Unload implements [Provider]; the protocol cannot unload.
func (p *OpenAI) Unload(context.Context) error {
	p.line.close()
	return nil
}
