package daemon

import (
	"cmp"
	"context"
	"time"

	"keepmum/compress"
	"keepmum/llm"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/trace"
)

// newWorker creates the compressor according to the settings, nil if it is off.
func (d *Daemon) newWorker() *compress.Worker {
	c := d.o.Config.Compress
	if c.Provider == "off" {
		return nil
	}
	return compress.New(compress.Options{
		DB: d.db, Gate: d.intake.Gate(), Model: d.opener(roleSummarise), Limit: d.summariseLimit,
		Imagined: d.imagined, Embedder: d.embedderOpener(),
		Idle: time.Duration(c.Idle), PerMinute: c.PerMinute, DailyTokens: c.DailyTokens, DailySeconds: c.DailySeconds,
		OnBattery: compress.OnBattery, Trace: func() *trace.Run { return d.newTrace("compress") },
		Now: d.o.Now, Logger: d.log,
	})
}

// modelOpener returns a function that opens the configured model. It returns nil if only the heuristic may be used, for
// example because nothing is redacted from the text.
func (d *Daemon) modelOpener() func(context.Context, string) (llm.Provider, error) {
	c := d.o.Config.Compress
	if c.Provider == "heuristic" || d.o.Config.Privacy.Mode == string(privacy.ModeNone) {
		return nil
	}
	return func(ctx context.Context, name string) (llm.Provider, error) { return llm.Open(ctx, d.model(name)) }
}

// imagined returns the configured model without connecting to it.
func (d *Daemon) imagined(name string) (llm.Provider, error) { return llm.Imagine(d.model(name)) }

// model returns the options for the configured model, or for the named one.
func (d *Daemon) model(name string) llm.Options {
	c := d.o.Config.Compress
	return llm.Options{Provider: c.Provider, URL: c.URL, Model: cmp.Or(name, c.Model), APIKey: d.o.OpenAIKey,
		AllowHosts: d.o.Config.Egress.AllowHosts, Timeout: time.Duration(c.Timeout), Tellable: d.tellable}
}

// tellable reports whether a model's name may be logged, displayed and stored.
func (d *Daemon) tellable(name string) bool { return d.logged.clean(name) == name }

// embedderOpener returns a function that opens an embedding model on this machine; nil if none is wanted. Only Ollama
// servers are supported.
func (d *Daemon) embedderOpener() func(context.Context) (*llm.Ollama, error) {
	c := d.o.Config.Compress
	if c.EmbedModel == "off" || c.Provider == "openai" || d.modelOpener() == nil {
		return nil
	}
	return func(ctx context.Context) (*llm.Ollama, error) {
		return llm.OpenEmbedder(ctx,
			llm.Options{URL: c.URL, Model: c.EmbedModel, AllowHosts: d.o.Config.Egress.AllowHosts,
				Timeout: time.Duration(c.Timeout), Tellable: d.tellable})
	}
}

// meaning returns the embedding of a query, if a model is available.
func (d *Daemon) meaning(ctx context.Context, text string) store.Meaning {
	if d.worker == nil || text == "" {
		return store.Meaning{}
	}
	return d.worker.Meaning(ctx, text)
}

// touch tells the compressor and the schedule that the user is working.
func (d *Daemon) touch() {
	d.runs.touch(d.o.Now())
	if d.worker != nil {
		d.worker.Touch()
	}
}

func (d *Daemon) compressOn(ctx context.Context) error {
	if d.worker == nil {
		return nil
	}
	return d.worker.Run(ctx)
}

// compressStatus returns the state of the compressor for the user.
func (d *Daemon) compressStatus() map[string]string {
	if d.worker == nil {
		return map[string]string{"summaries": "off (compress.provider)"}
	}
	s := d.worker.Status()
	out := map[string]string{"summaries": s.State}
	switch {
	// not a problem: most machines have no model
	case s.State == "waiting" && d.o.Config.Compress.Provider == "auto":
		out["summaries"] = "by heuristic; there is no local model"
	case s.Reason != "":
		out["summaries"] += ": " + s.Reason
	}
	if m := d.worker.EmbeddingModel(); m != "" {
		out["vectors"] = m
	}
	if s.Model != "" {
		out["model"] = s.Model
	} else if d.modelOpener() == nil {
		out["model"] = "none, only the heuristic"
	}
	return out
}

// compressProblem returns what the user must know about the compressor immediately.
func (d *Daemon) compressProblem() string {
	if d.worker != nil && d.worker.Status().Left {
		return "a model that was listed as local answered from another host: no more is sent; see mum ledger egress"
	}
	return ""
}
