package llm

import (
	"cmp"
	"context"
)

// Imagine returns the model that the options describe without connecting to it. It can show what would be sent, but
// sends nothing.
func Imagine(o Options) (Provider, error) {
	o = o.withDefaults()
	if err := o.named(); err != nil {
		return nil, err
	}
	l, err := newLine(o.URL, o.AllowHosts, o.Resolver)
	if err != nil {
		return nil, err
	}
	if o.Provider == "openai" {
		return imagined{(&OpenAI{o: o, line: l}).request, l.base.Host}, nil
	}
	p := &Ollama{o: o, line: l, model: cmp.Or(o.Model, anyModel)}
	return imagined{func(host string, q Question) (Request, error) {
		return p.request(place{host: host, name: p.model, window: o.MaxWindow}, q)
	}, l.base.Host}, nil
}

// anyModel replaces the name of a model that would be chosen automatically.
const anyModel = "(no model)"

// imagined is a model that is not connected.
type imagined struct {
	request func(host string, q Question) (Request, error)
	host    string
}

// Prepare implements [Provider].
func (i imagined) Prepare(_ context.Context, q Question) (Request, error) {
	return i.request(i.host, q)
}

// Send implements [Provider]; it always fails.
func (imagined) Send(context.Context, Request) (Answer, error) { return Answer{}, ErrAbsent }

// Unload implements [Provider].
func (imagined) Unload(context.Context) error { return nil }

// String implements [Provider].
func (i imagined) String() string { return "no model at " + i.host }
