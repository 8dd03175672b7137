package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ollama/ollama/api"
)

// There are four ways from an Ollama server on this machine to someone else's: a configured address, a pulled stub
// that forwards, a stub copied under a harmless name, and, on newer servers, any name that ends in "cloud". Each is
// checked before each request; in doubt a model counts as remote. (A tunnel behind the port cannot be detected from
// here; the docs say so.)

// minModelSize tells a model from a stub, which has a few hundred bytes.
const minModelSize = 16 << 10

// place is a model that was found on this machine at one moment.
type place struct {
	host   string
	name   string // the name to send
	digest string
	window int
}

// locate proves that the model is local, or returns why not.
func (p *Ollama) locate(ctx context.Context) (place, error) {
	ctx, cancel := context.WithTimeout(ctx, p.o.Timeout)
	defer cancel()
	found, err := p.line.check(ctx)
	if err != nil {
		return place{}, err
	}
	if err := localName(p.model); err != nil {
		return place{}, err
	}
	listed, err := p.listed(ctx)
	if err != nil {
		return place{}, err
	}
	window, err := p.shown(ctx)
	if err != nil {
		return place{}, err
	}
	name, err := p.sentName(ctx)
	if err != nil {
		return place{}, err
	}
	p.warn = p.cloudWarning(ctx)
	if !p.o.Tellable(listed.Digest) {
		listed.Digest = "" // the server could state anything
	}
	return place{host: found[0].String(), name: name, digest: listed.Digest, window: window}, nil
}

// localName refuses a name that a newer server forwards even without a stub.
func localName(name string) error {
	tag := strings.ToLower(name[strings.LastIndexByte(name, ':')+1:])
	if tag == "cloud" || strings.HasSuffix(tag, "-cloud") {
		return &Refused{Target: name, Reason: "the name is that of a cloud model",
			Hint: "set compress.model to a model that is on this machine: ollama list"}
	}
	return nil
}

func (p *Ollama) listed(ctx context.Context) (api.ListModelResponse, error) {
	all, err := p.api.List(ctx)
	if err != nil {
		return api.ListModelResponse{}, p.explain(ctx, "list models", err)
	}
	for _, m := range all.Models {
		if sameModel(m.Name, p.model) || sameModel(m.Model, p.model) {
			return m, localEntry(m)
		}
	}
	return api.ListModelResponse{}, fmt.Errorf("model %s is not on the server (see: ollama list): %w", p.model, ErrNoModel)
}

func sameModel(listed, wanted string) bool {
	return strings.EqualFold(listed, wanted) || strings.EqualFold(listed, wanted+":latest")
}

func localEntry(m api.ListModelResponse) error {
	switch {
	case m.RemoteHost != "" || m.RemoteModel != "":
		return &Refused{Target: m.Name, Reason: "the list of models says it runs on another host",
			Hint: "ollama list, then set compress.model"}
	case m.Size < minModelSize:
		return &Refused{Target: m.Name, Reason: fmt.Sprintf("its %d bytes are a stub and no model", m.Size),
			Hint: "ollama list, then set compress.model"}
	}
	return nil
}

// shown asks the server about the model and returns its context length.
func (p *Ollama) shown(ctx context.Context) (int, error) {
	info, err := p.api.Show(ctx, &api.ShowRequest{Model: p.model})
	if err != nil {
		return 0, p.showFailed(ctx, err)
	}
	if info.RemoteHost != "" || info.RemoteModel != "" {
		return 0, &Refused{Target: p.model, Reason: "it is a stub that forwards to another host",
			Hint: "ollama list, then set compress.model"}
	}
	window := contextLength(info.ModelInfo)
	if window == 0 {
		return 0, &Refused{Target: p.model, Reason: "the server does not say what the model is made of",
			Hint: "update Ollama, or set compress.model"}
	}
	return window, nil
}

// showFailed distinguishes a server that is down from a model that it will not show.
func (p *Ollama) showFailed(ctx context.Context, err error) error {
	err = p.explain(ctx, "show "+p.model, err)
	if errors.Is(err, ErrUnavailable) || ctx.Err() != nil {
		return err
	}
	var already *Refused
	if errors.As(err, &already) {
		return err
	}
	return &Refused{Target: p.model, Reason: "the server does not show the model", Hint: "ollama show " + p.model}
}

func contextLength(info map[string]any) int {
	arch, _ := info["general.architecture"].(string)
	n, _ := info[arch+".context_length"].(float64)
	return int(n)
}

// sentName returns a name that makes a newer server stay local: a name that ends in ":local" cannot go to its cloud.
// Older servers do not know this suffix.
func (p *Ollama) sentName(ctx context.Context) (string, error) {
	v, err := p.api.Version(ctx)
	if err != nil {
		return "", p.explain(ctx, "ask the version", err)
	}
	if atLeast(v, 0, 17, 8) {
		return p.model + ":local", nil
	}
	return p.model, nil
}

// atLeast compares versions such as "0.17.8" or "0.18.0-rc1"; a release candidate is older than its release.
func atLeast(version string, want ...int) bool {
	core, pre, _ := strings.Cut(strings.TrimPrefix(version, "v"), "-")
	parts := strings.Split(core, ".")
	for i, w := range want {
		if i >= len(parts) {
			return false
		}
		n, err := strconv.Atoi(parts[i])
		if err != nil || n != w {
			return err == nil && n > w
		}
	}
	return pre == ""
}

// cloudWarning returns "" if the server says that its cloud is switched off.
func (p *Ollama) cloudWarning(ctx context.Context) string {
	s, err := p.api.CloudStatusExperimental(ctx)
	if err == nil && s.Cloud.Disabled {
		return ""
	}
	return " (its cloud is not switched off: set OLLAMA_NO_CLOUD=1 for the server)"
}

func (p *Ollama) running(ctx context.Context) (bool, error) {
	ps, err := p.api.ListRunning(ctx)
	if err != nil {
		return false, p.explain(ctx, "list loaded models", err)
	}
	return slices.ContainsFunc(ps.Models, func(m api.ProcessModelResponse) bool {
		return sameModel(m.Name, p.model) || sameModel(m.Model, p.model)
	}), nil
}

// explain turns an error of the client into one of ours. It omits the server's text: an error page may contain the
// question.
func (p *Ollama) explain(ctx context.Context, doing string, err error) error {
	var refused *Refused
	var status api.StatusError
	var auth api.AuthorizationError
	var network *url.Error
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.Is(err, context.Canceled) && errors.Is(ctx.Err(), context.Canceled):
		return fmt.Errorf("%s: %w", doing, context.Canceled)
	case errors.As(err, &auth):
		return &Refused{Target: p.model, Reason: "the server wants a sign-in, so the model is not local",
			Hint: "ollama list, then set compress.model"}
	case errors.As(err, &status):
		return statusError(doing, status)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: no answer within %s: %w", doing, p.o.Timeout, ErrUnavailable)
	case errors.Is(err, ErrAbsent):
		return fmt.Errorf("%s at %s: %w", doing, p.line.base.Host, ErrAbsent)
	case errors.Is(err, ErrAnswer):
		return fmt.Errorf("%s: %w", doing, ErrAnswer)
	case errors.As(err, &network):
		return fmt.Errorf("%s at %s: %w", doing, p.line.base.Host, ErrUnavailable)
	}
	return fmt.Errorf("%s: %w", doing, ErrAnswer)
}

func statusError(doing string, e api.StatusError) error {
	what := ErrAnswer
	switch {
	case e.StatusCode == http.StatusBadRequest && strings.Contains(e.ErrorMessage, "context"):
		what = ErrTooLong
	case e.StatusCode == http.StatusNotFound:
		what = ErrNoModel
	case e.StatusCode >= 500 || e.StatusCode == http.StatusTooManyRequests:
		what = ErrUnavailable
	}
	return fmt.Errorf("%s: HTTP %d: %w", doing, e.StatusCode, what)
}
