package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"keepmum/privacy"
)

// cleanLog passes log records through the gate: an error names a file, a setting or a model, and any of these names may
// contain a secret.
type cleanLog struct {
	slog.Handler
	gate *logGate
}

// logGate is the gate of the log: only the built-in rules until the user's gate is available.
type logGate struct {
	user  atomic.Pointer[privacy.Gate]
	rules func() (*privacy.Gate, error)
}

func newCleanLog(to *slog.Logger) (*slog.Logger, *logGate) {
	gate := &logGate{rules: sync.OnceValues(func() (*privacy.Gate, error) { return privacy.New(privacy.Options{}) })}
	return slog.New(cleanLog{to.Handler(), gate}), gate
}

// use switches to the user's gate, unless that gate redacts nothing.
func (g *logGate) use(gate *privacy.Gate) {
	if gate.Mode() != privacy.ModeNone {
		g.user.Store(gate)
	}
}

func (g *logGate) clean(text string) string {
	gate, err := g.user.Load(), error(nil)
	if gate == nil {
		if gate, err = g.rules(); err != nil {
			return "(not told: " + err.Error() + ")"
		}
	}
	c, _ := gate.Text(text)
	return c.String()
}

func (g *logGate) attrs(in []slog.Attr) []slog.Attr {
	out := make([]slog.Attr, len(in))
	for i, a := range in {
		out[i] = slog.Attr{Key: a.Key, Value: g.value(a.Value)}
	}
	return out
}

func (g *logGate) value(v slog.Value) slog.Value {
	switch v = v.Resolve(); v.Kind() {
	case slog.KindString:
		return slog.StringValue(g.clean(v.String()))
	case slog.KindGroup:
		return slog.GroupValue(g.attrs(v.Group())...)
	case slog.KindAny:
		if v.Any() == nil {
			return v
		}
		return slog.StringValue(g.clean(fmt.Sprint(v.Any())))
	default:
		return v
	}
}

// Handle implements [slog.Handler].
func (h cleanLog) Handle(ctx context.Context, r slog.Record) error {
	clean := slog.NewRecord(r.Time, r.Level, h.gate.clean(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(h.gate.attrs([]slog.Attr{a})...)
		return true
	})
	return h.Handler.Handle(ctx, clean)
}

// WithAttrs implements [slog.Handler].
func (h cleanLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return cleanLog{h.Handler.WithAttrs(h.gate.attrs(attrs)), h.gate}
}

// WithGroup implements [slog.Handler].
func (h cleanLog) WithGroup(name string) slog.Handler {
	return cleanLog{h.Handler.WithGroup(name), h.gate}
}
