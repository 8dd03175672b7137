package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/envconfig"
)

// Options say where a model is.
type Options struct {
	Provider   string                 // auto, ollama or openai; "" = auto
	URL        string                 // "" = http://127.0.0.1:11434
	Model      string                 // "" = a local model that is installed (Ollama only)
	APIKey     string                 // for an OpenAI-compatible server
	AllowHosts []string               // hosts outside this machine that the user allowed
	Tellable   func(name string) bool // whether a model's name may be shown and stored; nil = any name
	MaxWindow  int                    // limit of context tokens; 0 = 8192, what a small machine can hold
	Timeout    time.Duration
	Resolver   Resolver // nil = the system's
}

const (
	defaultURL     = "http://127.0.0.1:11434"
	defaultWindow  = 8192
	defaultTimeout = 30 * time.Second
	keepLoaded     = 2 * time.Minute // between two questions of one batch
)

func (o Options) withDefaults() Options {
	if o.URL == "" {
		o.URL = defaultURL
	}
	if o.MaxWindow <= 0 {
		o.MaxWindow = defaultWindow
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Tellable == nil {
		o.Tellable = func(string) bool { return true }
	}
	return o
}

// named refuses a model whose name contains a secret: names are logged, displayed and stored.
func (o Options) named() error {
	if o.Tellable(o.Model) {
		return nil
	}
	return &Refused{Target: "the model", Reason: "its name looks like it contains a secret",
		Hint: "choose a model from this list: ollama list"}
}

// Open finds the model that the options describe and checks that it may be used. It downloads and loads nothing.
func Open(ctx context.Context, o Options) (Provider, error) {
	o = o.withDefaults()
	switch o.Provider {
	case "", "auto", "ollama":
		return openOllama(ctx, o)
	case "openai":
		return openOpenAI(ctx, o)
	}
	return nil, &Refused{Target: "compress.provider", Reason: fmt.Sprintf("%q is not a provider", o.Provider),
		Hint: "use auto, ollama, heuristic, openai or off"}
}

// Ollama is a model on an Ollama server.
type Ollama struct {
	o      Options
	line   *line
	api    *api.Client
	model  string
	loaded bool // it was loaded before we came, so it stays loaded
	warn   string
}

func openOllama(ctx context.Context, o Options) (*Ollama, error) {
	return dialOllama(ctx, o, (*Ollama).canAnswer)
}

// dialOllama finds a model among the installed ones that can accepts.
func dialOllama(ctx context.Context, o Options, can func(*Ollama, context.Context, string) bool) (*Ollama, error) {
	if envconfig.UseAuth() {
		return nil, &Refused{Target: "ollama", Reason: "OLLAMA_AUTH asks for requests signed for a remote server",
			Hint: "start mum without OLLAMA_AUTH"}
	}
	if err := o.named(); err != nil {
		return nil, err
	}
	l, err := newLine(o.URL, o.AllowHosts, o.Resolver)
	if err != nil {
		return nil, err
	}
	p := &Ollama{o: o, line: l, api: api.NewClient(l.base, l.http), model: o.Model}
	if p.model == "" {
		if p.model, err = p.pick(ctx, can); err != nil {
			return nil, err
		}
	}
	if _, err := p.locate(ctx); err != nil {
		return nil, err
	}
	p.loaded, err = p.running(ctx)
	return p, err
}

// String implements [Provider].
func (p *Ollama) String() string {
	return fmt.Sprintf("ollama %s at %s%s", p.model, p.line.base.Host, p.warn)
}

// Prepare implements [Provider].
func (p *Ollama) Prepare(ctx context.Context, q Question) (Request, error) {
	at, err := p.locate(ctx)
	if err != nil {
		return Request{}, err
	}
	return p.request(at, q)
}

// request builds the bytes for a model that was located.
func (p *Ollama) request(at place, q Question) (Request, error) {
	window := min(at.window, p.o.MaxWindow)
	if Tokens(len(q.System.String())+len(q.Body.String()))+q.maxTokens() > window {
		return Request{}, fmt.Errorf("%s holds %d tokens: %w", p.model, window, ErrTooLong)
	}
	call := p.chat(at, window, q)
	payload, err := json.Marshal(call)
	if err != nil {
		return Request{}, fmt.Errorf("encode the question: %w", err)
	}
	return Request{Provider: "ollama", Host: at.host, Model: call.Model, Digest: at.digest, Payload: payload,
		Window: window, maxTokens: q.maxTokens(), call: call}, nil
}

func (p *Ollama) chat(at place, window int, q Question) *api.ChatRequest {
	no := false
	c := &api.ChatRequest{
		Model:    at.name,
		Messages: []api.Message{{Role: "system", Content: q.System.String()}, {Role: "user", Content: q.Body.String()}},
		Stream:   &no,
		Format:   q.Schema,
		Think:    &api.ThinkValue{Value: false}, // thinking breaks the schema
		Truncate: &no,                           // get an error instead of a silently cut question
		Shift:    &no,
		Options: map[string]any{"num_ctx": window, "num_predict": q.maxTokens(), "temperature": q.temperature(),
			"seed": q.Try},
	}
	if !p.loaded {
		c.KeepAlive = &api.Duration{Duration: keepLoaded}
	}
	return c
}

// Send implements [Provider].
func (p *Ollama) Send(ctx context.Context, r Request) (Answer, error) {
	call, ok := r.call.(*api.ChatRequest)
	if !ok {
		return Answer{}, fmt.Errorf("send: %w: the request was prepared for another provider", ErrAnswer)
	}
	ctx, cancel := context.WithTimeout(announce(ctx, r.Payload), p.o.Timeout)
	defer cancel()
	var text strings.Builder
	var last api.ChatResponse
	err := p.api.Chat(ctx, call, func(part api.ChatResponse) error {
		text.WriteString(part.Message.Content)
		last = part
		return staysHere(part.RemoteHost, part.RemoteModel, r.Model)
	})
	if err != nil {
		return Answer{}, p.explain(ctx, "ask "+p.model, err)
	}
	return p.answer(text.String(), last, r)
}

// answer rejects a question or an answer that the server cut. Older servers do not know "truncate" and silently drop
// the start.
func (p *Ollama) answer(text string, last api.ChatResponse, r Request) (Answer, error) {
	switch {
	case !last.Done:
		return Answer{}, fmt.Errorf("ask %s: the answer broke off: %w", p.model, ErrAnswer)
	case last.PromptEvalCount+r.maxTokens > r.Window:
		return Answer{}, fmt.Errorf("ask %s: %d tokens in a window of %d: %w", p.model, last.PromptEvalCount, r.Window,
			ErrTooLong)
	}
	return Answer{Text: text, PromptTokens: last.PromptEvalCount, AnswerTokens: last.EvalCount, Took: last.TotalDuration},
		nil
}

func staysHere(remoteHost, remoteModel, model string) error {
	if remoteHost == "" && remoteModel == "" {
		return nil
	}
	return &Refused{Target: model, Reason: "the answer came from another host than this machine", Left: true,
		Went: remoteHost, Hint: "set OLLAMA_NO_CLOUD=1 for the Ollama server, restart it, then: mum ledger egress"}
}

// Unload implements [Provider]. It leaves a model that someone else had loaded.
func (p *Ollama) Unload(ctx context.Context) error {
	defer p.line.close()
	if p.loaded {
		return nil
	}
	no := false
	call := &api.GenerateRequest{Model: p.model, Stream: &no, KeepAlive: &api.Duration{Duration: 0}}
	err := p.api.Generate(ctx, call, func(api.GenerateResponse) error { return nil })
	if err != nil {
		return p.explain(ctx, "unload "+p.model, err)
	}
	return nil
}
