package compress

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"keepmum/llm"
	"keepmum/llm/ollamatest"
	"keepmum/store"
)

// vehicles is a model that knows one thing by three names.
func vehicles(text string) []float32 {
	for _, w := range []string{"vehicle", "automobile", "car "} {
		if strings.Contains(strings.ToLower(text), w) {
			return []float32{1, 0}
		}
	}
	return []float32{0, 1}
}

func newEmbedBench(t *testing.T, models ...ollamatest.Model) *bench {
	var b *bench
	b = newBench(t, ollamatest.Options{Models: models, Embed: vehicles}, func(o *Options) {
		o.Embedder = func(ctx context.Context) (*llm.Ollama, error) {
			return llm.OpenEmbedder(ctx, llm.Options{URL: b.srv.URL, Timeout: 10 * time.Second})
		}
	})
	return b
}

func TestASearchFindsOtherWordsForTheSame(t *testing.T) {
	b := newEmbedBench(t, ollamatest.Model{Name: "nomic-embed-text:latest", Capabilities: []string{"embedding"}})
	secret := "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	id := b.turn("s", "Where is the vehicle parked? The token is "+secret, "error: x")
	ask := store.Query{Text: "automobile"}
	if ask.Meaning = b.w.Meaning(t.Context(), ask.Text); ask.Meaning.Values != nil {
		t.Error("a query was sent before anything had a vector")
	}
	if r, err := b.db.Search(t.Context(), ask); err != nil || len(r.Hits) != 0 {
		t.Fatalf("words alone found %v, %v", r.Hits, err)
	}
	b.batch()
	ask.Meaning = b.w.Meaning(t.Context(), ask.Text)
	r, err := b.db.Search(t.Context(), ask)
	if err != nil || len(r.Hits) == 0 || r.Hits[0].ID != id && r.Hits[0].Turn != id {
		t.Errorf("found %+v, %v; want turn %d", r.Hits, err, id)
	}
	if done, all, err := b.db.Embedded(t.Context()); err != nil || done != all || done == 0 {
		t.Errorf("%d of %d texts have a vector, %v", done, all, err)
	}
	if bytes.Contains(b.srv.Received(), []byte(secret)) {
		t.Error("the model was sent a secret")
	}
	rows, err := b.db.Ledger(t.Context(), store.LedgerEgress, 10)
	if err != nil || len(rows) < 2 {
		t.Errorf("%d sendings in the ledger, %v; want one of the texts and one of the query", len(rows), err)
	}

	sent := len(b.srv.Received())
	b.w.Meaning(t.Context(), ask.Text)
	if len(b.srv.Received()) != sent {
		t.Error("the same query was sent twice")
	}
	b.srv.Close() // the model goes away
	if m := b.w.Meaning(t.Context(), "something else"); m.Values != nil {
		t.Error("a model that is gone answered")
	}
	b.batch()
	if b.w.EmbeddingModel() != "" {
		t.Errorf("%s is still said to be there", b.w.EmbeddingModel())
	}
}

func TestWithoutAnEmbeddingModelNothingIsSent(t *testing.T) {
	b := newEmbedBench(t, ollamatest.Model{Name: "tiny:latest"})
	b.turn("s", "Where is the vehicle parked?", "error: x")
	b.batch()
	if bytes.Contains(b.srv.Received(), []byte("/api/embed")) || b.w.EmbeddingModel() != "" {
		t.Error("a model that makes no vectors was asked for some")
	}
}

func TestInvalidVectorsAreRefused(t *testing.T) {
	for name, bad := range map[string]func(string) []float32{
		"empty":   func(string) []float32 { return nil },
		"unequal": func(s string) []float32 { return make([]float32, 1+len(s)%7) },
	} {
		t.Run(name, func(t *testing.T) {
			var b *bench
			b = newBench(
				t, ollamatest.Options{Models: []ollamatest.Model{{Name: "e:latest", Capabilities: []string{"embedding"}}},
					Embed: bad}, func(o *Options) {
					o.Embedder = func(ctx context.Context) (*llm.Ollama, error) {
						return llm.OpenEmbedder(ctx, llm.Options{URL: b.srv.URL, Timeout: 10 * time.Second})
					}
				})
			for i := range 5 {
				b.turn("s", "Where is the vehicle parked today"+strings.Repeat("?", i), "error: x")
			}
			b.batch()
			if done, _, err := b.db.Embedded(t.Context()); err != nil || done != 0 {
				t.Errorf("%d such vectors were kept, %v", done, err)
			}
		})
	}
}
