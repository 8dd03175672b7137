package compress

import (
	"context"
	"errors"
	"sync"
	"time"

	"keepmum/llm"
	"keepmum/privacy"
	"keepmum/store"
)

const (
	embedAtOnce = 16                     // texts per request
	embedWait   = 500 * time.Millisecond // how long a search waits for its embedding
	maxMeanings = 64                     // queries whose embeddings are cached
)

// embeddings knows the embedding model, and caches the embeddings of the latest queries.
type embeddings struct {
	mu     sync.Mutex
	model  string // as shown to the user; "" = none has answered yet
	digest string
	known  map[string][]float32
}

// embedAll computes vectors for texts that have none, newest first, until the user is active. Without an embedding
// model on this machine it does nothing.
func (w *Worker) embedAll(ctx context.Context) error {
	if wait, _ := w.breaker.open(); w.o.Embedder == nil || w.left() || w.o.OnBattery() || wait > 0 {
		return nil
	}
	model, err := w.o.Embedder(ctx)
	if errors.Is(err, llm.ErrUnavailable) || errors.Is(err, llm.ErrNoModel) {
		w.embeddings.set("", "")
		return nil
	}
	if err != nil {
		return err
	}
	defer w.unload(ctx, model)
	digest, err := model.Digest(ctx)
	if err != nil {
		return err
	}
	w.embeddings.set(model.String(), digest)
	for below := int64(0); !w.busy(ctx); {
		texts, err := w.o.DB.Unembedded(ctx, digest, below, embedAtOnce)
		if err != nil || len(texts) == 0 {
			return err
		}
		if err := w.embed(ctx, model, texts); err != nil {
			return err
		}
		below = texts[len(texts)-1].ID
	}
	return nil
}

// embed stores the vectors of some texts. A text that must not be sent gets an empty vector, so that it is not tried
// again.
func (w *Worker) embed(ctx context.Context, model *llm.Ollama, texts []store.Text) error {
	clean := make([]privacy.Clean, len(texts))
	for i, t := range texts {
		clean[i], _ = w.o.Gate.Text(t.Text)
	}
	vectors, digest, err := w.sender.Embed(ctx, model, clean)
	if err != nil {
		return err
	}
	out := make([]store.Vector, len(texts))
	for i, t := range texts {
		out[i] = store.Vector{Doc: t.ID, Values: vectors[i]}
	}
	name, _ := w.o.Gate.Text(digest)
	return w.o.DB.PutVectors(ctx, name, out)
}

// Meaning returns the embedding of a query, or the zero value if there is no model or it does not answer in time: the
// search then uses words alone.
func (w *Worker) Meaning(ctx context.Context, query string) store.Meaning {
	digest, values := w.embeddings.get(query)
	if digest == "" || values != nil {
		return store.Meaning{Model: digest, Values: values}
	}
	ctx, cancel := context.WithTimeout(ctx, embedWait)
	defer cancel()
	model, err := w.o.Embedder(ctx)
	if err != nil {
		return store.Meaning{}
	}
	clean, _ := w.o.Gate.Text(query)
	vectors, digest, err := w.sender.Embed(ctx, model, []privacy.Clean{clean})
	if err != nil || vectors[0] == nil {
		w.o.Logger.Debug("search uses words only", "error", err)
		return store.Meaning{}
	}
	w.embeddings.put(query, vectors[0])
	return store.Meaning{Model: digest, Values: vectors[0]}
}

// EmbeddingModel returns the name of the embedding model, or "" if there is none.
func (w *Worker) EmbeddingModel() string {
	w.embeddings.mu.Lock()
	defer w.embeddings.mu.Unlock()
	return w.embeddings.model
}

func (m *embeddings) set(model, digest string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if digest != m.digest {
		m.known = nil
	}
	m.model, m.digest = model, digest
}

func (m *embeddings) get(query string) (digest string, values []float32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.digest, m.known[query]
}

func (m *embeddings) put(query string, values []float32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known) >= maxMeanings {
		m.known = map[string][]float32{}
	}
	m.known[query] = values
}
