package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ollama/ollama/api"

	"keepmum/privacy"
	"keepmum/privacy/egress"
)

// maxEmbedded limits the part of a text that becomes a vector, in bytes: what the smallest of the usual models accepts.
// We cut a longer text ourselves, because a server would cut it silently.
const maxEmbedded = 1200

// OpenEmbedder finds the embedding model that the options describe, only on an Ollama server, and checks that it may be
// used.
func OpenEmbedder(ctx context.Context, o Options) (*Ollama, error) {
	o = o.withDefaults()
	return dialOllama(ctx, o, (*Ollama).canEmbed)
}

// Digest returns the server's digest of the model.
func (p *Ollama) Digest(ctx context.Context) (string, error) {
	at, err := p.locate(ctx)
	return at.digest, err
}

// canEmbed reports whether a model computes vectors. Old servers do not list capabilities; for them the family decides.
func (p *Ollama) canEmbed(ctx context.Context, name string) bool {
	info, err := p.api.Show(ctx, &api.ShowRequest{Model: name})
	if err != nil || info.RemoteHost != "" || info.RemoteModel != "" {
		return false
	}
	if len(info.Capabilities) == 0 {
		return strings.Contains(info.Details.Family, "bert")
	}
	return slices.Contains(info.Capabilities, "embedding")
}

// Embed computes the vectors of texts, in their order; nil for a text that the second gate holds back. It writes the
// ledger before the first byte leaves.
func (s *Sender) Embed(ctx context.Context, p *Ollama,
	texts []privacy.Clean) (vectors [][]float32, digest string, err error) {
	kept := make([]string, 0, len(texts))
	places := make([]int, 0, len(texts))
	for i, text := range texts {
		again, _ := s.Gate.Text(text.String())
		if cut := again.Cut(maxEmbedded); !cut.IsZero() && len(egress.Scan(cut.String())) == 0 {
			kept, places = append(kept, cut.String()), append(places, i)
		}
	}
	vectors = make([][]float32, len(texts))
	r, err := p.prepareEmbed(ctx, kept)
	if err != nil || len(kept) == 0 {
		return vectors, r.Digest, err
	}
	if err := s.Ledger(ctx, s.entry(r, "embed", 0)); err != nil {
		return nil, "", fmt.Errorf("write the ledger, so nothing was sent: %w", err)
	}
	made, err := p.sendEmbed(ctx, r, len(kept))
	if err != nil {
		return nil, "", err
	}
	for i, at := range places {
		vectors[at] = made[i]
	}
	return vectors, r.Digest, nil
}

func (p *Ollama) prepareEmbed(ctx context.Context, texts []string) (Request, error) {
	at, err := p.locate(ctx)
	if err != nil {
		return Request{}, err
	}
	call := &api.EmbedRequest{Model: at.name, Input: texts}
	if !p.loaded {
		call.KeepAlive = &api.Duration{Duration: keepLoaded}
	}
	payload, err := json.Marshal(call)
	if err != nil {
		return Request{}, fmt.Errorf("encode the texts: %w", err)
	}
	return Request{Provider: "ollama", Host: at.host, Model: call.Model, Digest: at.digest, Payload: payload, call: call},
		nil
}

func (p *Ollama) sendEmbed(ctx context.Context, r Request, texts int) ([][]float32, error) {
	call, ok := r.call.(*api.EmbedRequest)
	if !ok {
		return nil, fmt.Errorf("send: %w: the request was prepared for a question", ErrAnswer)
	}
	ctx, cancel := context.WithTimeout(announce(ctx, r.Payload), p.o.Timeout)
	defer cancel()
	answer, err := p.api.Embed(ctx, call)
	if err != nil {
		return nil, p.explain(ctx, "embed with "+p.model, err)
	}
	if len(answer.Embeddings) != texts {
		return nil, fmt.Errorf("embed with %s: %d vectors for %d texts: %w", p.model, len(answer.Embeddings), texts,
			ErrAnswer)
	}
	for _, v := range answer.Embeddings {
		if len(v) == 0 || len(v) != len(answer.Embeddings[0]) || !finite(v) {
			return nil, fmt.Errorf("embed with %s: a vector is empty, of another length or no numbers: %w", p.model, ErrAnswer)
		}
	}
	return answer.Embeddings, nil
}

func finite(v []float32) bool {
	return !slices.ContainsFunc(v, func(x float32) bool { return math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) })
}
