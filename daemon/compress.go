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

// newWorker makes the compressor that the config asks for, nil when it is off.
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

// modelOpener returns how the configured model is opened; nil when only the
// heuristic may be used, as is the case when nothing is taken out of the text.
func (d *Daemon) modelOpener() func(context.Context, string) (llm.Provider, error) {
	c := d.o.Config.Compress
	if c.Provider == "heuristic" || d.o.Config.Privacy.Mode == string(privacy.ModeNone) {
		return nil
	}
	return func(ctx context.Context, name string) (llm.Provider, error) { return llm.Open(ctx, d.model(name)) }
}

// imagined is the configured model as it would be asked if it were there.
func (d *Daemon) imagined(name string) (llm.Provider, error) { return llm.Imagine(d.model(name)) }

// model describes the configured model, or the one that is named.
func (d *Daemon) model(name string) llm.Options {
	c := d.o.Config.Compress
	return llm.Options{Provider: c.Provider, URL: c.URL, Model: cmp.Or(name, c.Model), APIKey: d.o.OpenAIKey,
		AllowHosts: d.o.Config.Egress.AllowHosts, Timeout: time.Duration(c.Timeout), Tellable: d.tellable}
}

// tellable reports whether a model's name may be logged, shown and kept.
func (d *Daemon) tellable(name string) bool { return d.logged.clean(name) == name }

// embedderOpener returns how an embedding model on this machine is opened; nil
// when none is wanted. Only an Ollama server is asked for one.
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

// meaning is what a query means, where a model can tell.
func (d *Daemon) meaning(ctx context.Context, text string) store.Meaning {
	if d.worker == nil || text == "" {
		return store.Meaning{}
	}
	return d.worker.Meaning(ctx, text)
}

// touch tells the compressor and the schedule that you are working.
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

// compressStatus is what a user is told of the compressor.
func (d *Daemon) compressStatus() map[string]string {
	if d.worker == nil {
		return map[string]string{"summaries": "off (compress.provider)"}
	}
	s := d.worker.Status()
	out := map[string]string{"summaries": s.State}
	switch {
	// most machines have no model, and nothing is amiss
	case s.State == "waiting" && d.o.Config.Compress.Provider == "auto":
		out["summaries"] = "by rules; no local model to word them better"
	case s.Reason != "":
		out["summaries"] += ": " + s.Reason
	}
	if m := d.worker.EmbeddingModel(); m != "" {
		out["vectors"] = m
	}
	if s.Model != "" {
		out["model"] = s.Model
	} else if d.modelOpener() == nil {
		out["model"] = "none, the heuristic alone"
	}
	return out
}

// compressProblem is what a user must know at once.
func (d *Daemon) compressProblem() string {
	if d.worker != nil && d.worker.Status().Left {
		return "a model that was called local answered from another host: no more is sent; see mum ledger egress"
	}
	return ""
}
