package llm

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ollama/ollama/api"

	"keepmum/sorting"
)

// comfortable is the largest model, in bytes, that is chosen automatically: a summary is not worth a machine that
// swaps.
const comfortable = 6 << 30

// pick chooses among the installed models that can do the task: the largest that runs comfortably, otherwise the
// smallest.
func (p *Ollama) pick(ctx context.Context, can func(*Ollama, context.Context, string) bool) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, p.o.Timeout)
	defer cancel()
	if _, err := p.line.check(ctx); err != nil {
		return "", err
	}
	all, err := p.api.List(ctx)
	if err != nil {
		return "", p.explain(ctx, "list models", err)
	}
	local := slices.DeleteFunc(all.Models, func(m api.ListModelResponse) bool {
		return localEntry(m) != nil || localName(m.Name) != nil || !p.o.Tellable(m.Name)
	})
	sorting.Stable(local, byPreference)
	for _, m := range local {
		if can(p, ctx, m.Name) {
			return m.Name, nil
		}
	}
	return "", ErrNoModel
}

func byPreference(a, b api.ListModelResponse) int {
	bigA, bigB := a.Size > comfortable, b.Size > comfortable
	switch {
	case bigA != bigB && bigB:
		return -1
	case bigA != bigB:
		return 1
	case bigA:
		return cmp.Or(cmp.Compare(a.Size, b.Size), cmp.Compare(a.Name, b.Name))
	}
	return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(a.Name, b.Name))
}

// canAnswer excludes embedding models. Old servers do not list capabilities; for them the family decides.
func (p *Ollama) canAnswer(ctx context.Context, name string) bool {
	info, err := p.api.Show(ctx, &api.ShowRequest{Model: name})
	if err != nil || info.RemoteHost != "" || info.RemoteModel != "" {
		return false
	}
	if len(info.Capabilities) == 0 {
		return !strings.Contains(info.Details.Family, "bert")
	}
	return slices.Contains(info.Capabilities, "completion")
}
