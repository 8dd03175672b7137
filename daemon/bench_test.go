package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/config"
	"keepmum/llm/ollamatest"
	"keepmum/transcript"
)

// corpus is source text to cut tool outputs from: what agents read all day.
func corpus(b *testing.B) string {
	b.Helper()
	files, err := filepath.Glob("../*/*.go")
	if err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		text.Write(data)
	}
	return strings.ToValidUTF8(text.String(), "")
}

func benchClient(b *testing.B, change ...func(*config.Config)) *api.Client {
	b.Helper()
	dir := b.TempDir()
	c := config.Loaded{Config: config.Default()}
	c.Daemon.Port = 0
	c.Compress.Provider = "off"
	for _, f := range change {
		f(&c.Config)
	}
	runBench(b, dir, c, transcript.Roots{})
	return api.NewClient(dir, "")
}

// observe posts tool outputs of 2 KB, one in twenty with a secret.
func observe(b *testing.B, c *api.Client, text string, n int) {
	from := n * 1999 % (len(text) - 2048)
	out := text[from : from+2048]
	if n%20 == 0 {
		out += "\nGITHUB_TOKEN=ghp_" + strings.Repeat("aB3dE6gH9", 4)
	}
	o := api.Observe{SessionID: fmt.Sprint("s", n%5), Directory: "/home/dev/shop", ToolName: "Bash",
		ToolInput: map[string]any{"command": fmt.Sprint("cat file", n)}, ToolOutput: out}
	if err := c.Post(b.Context(), "/observe", o, nil); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkObserve is one client that posts, and waits for the commit.
func BenchmarkObserve(b *testing.B) {
	c, text := benchClient(b), corpus(b)
	n := 0
	for b.Loop() {
		n++
		observe(b, c, text, n)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "posts/s")
}

// BenchmarkObserve8 is eight clients at once, which share commits.
func BenchmarkObserve8(b *testing.B) {
	c, text := benchClient(b), corpus(b)
	var n atomic.Int64
	b.SetParallelism(8)
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			observe(b, c, text, int(n.Add(1)))
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "posts/s")
}

// BenchmarkContext is GET /context over 5,000 observations.
func BenchmarkContext(b *testing.B) {
	c, text := benchClient(b), corpus(b)
	for n := range 5000 {
		observe(b, c, text, n)
	}
	for b.Loop() {
		resp, err := c.Send(b.Context(), http.MethodGet,
			"/context?directory=/home/dev/shop&q=why+does+the+writer+group+commits", nil)
		if err != nil {
			b.Fatal(err)
		}
		_ = resp.Body.Close()
	}
}

// BenchmarkPrompt is what a user waits for who comes back: at rest, while a
// model thinks, and, at worst, in the moment in which an answer is kept.
func BenchmarkPrompt(b *testing.B) {
	for _, bc := range []struct {
		name, provider string
		thinks         time.Duration
	}{{"at rest", "heuristic", 0}, {"model thinks", "ollama", 50 * time.Millisecond}, {"answer is kept", "ollama", 0}} {
		b.Run(bc.name, func(b *testing.B) {
			asked := make(chan struct{}, 1)
			model := ollamatest.New(ollamatest.Options{Models: []ollamatest.Model{{Name: "tiny:latest"}},
				Answer: func(c ollamatest.Chat) ollamatest.Reply {
					select {
					case asked <- struct{}{}:
					default:
					}
					time.Sleep(bc.thinks)
					return ollamatest.Summary(c)
				}})
			b.Cleanup(model.Close)
			c, text := benchClient(b, func(c *config.Config) {
				c.Compress.Provider, c.Compress.URL, c.Compress.PerMinute = bc.provider, model.URL, 1_000_000
				c.Compress.Idle = config.Duration(20 * time.Millisecond)
			}), corpus(b)
			for n := range 600 {
				typePrompt(b, c, n)
				observe(b, c, text, n)
			}
			var took []float64
			for b.Loop() {
				if bc.provider == "ollama" {
					<-asked
				}
				began := time.Now()
				typePrompt(b, c, len(took))
				took = append(took, float64(time.Since(began).Microseconds())/1000)
			}
			slices.Sort(took)
			b.ReportMetric(took[len(took)/2], "p50-ms")
			b.ReportMetric(took[len(took)*99/100], "p99-ms")
			b.ReportMetric(float64(len(model.Chats())), "questions")
		})
	}
}

// BenchmarkPromptDuringSync is what a user waits for who types while a sync reads
// a long session, which was asked for by hand and so does not stop: at rest and
// then during it, in one run.
func BenchmarkPromptDuringSync(b *testing.B) {
	agents := b.TempDir()
	text := corpus(b)
	longSession(b, filepath.Join(agents, "projects", "-home-dev-shop", "long.jsonl"), text, 100<<20)
	dir := b.TempDir()
	cfg := config.Loaded{Config: config.Default()}
	cfg.Daemon.Port, cfg.Compress.Provider = 0, "off"
	runBench(b, dir, cfg, transcript.Roots{Claude: agents})
	c := api.NewClient(dir, "")
	for n := range 600 {
		typePrompt(b, c, n)
		observe(b, c, text, n)
	}
	const prompts = 300
	for b.Loop() {
		rest := waits(b, c, prompts, func() bool { return true })
		synced := make(chan error, 1)
		var over atomic.Bool
		go func() {
			resp, err := c.Send(b.Context(), http.MethodPost, "/sync", strings.NewReader(`{"all":true,"force":true}`))
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body) // it ends with the run
				err = errors.Join(err, resp.Body.Close())
			}
			over.Store(true)
			synced <- err
		}()
		busy := waits(b, c, 1_000_000, func() bool { return !over.Load() })
		if err := <-synced; err != nil {
			b.Fatal(err)
		}
		for _, q := range []struct {
			name string
			of   func([]float64) float64
		}{{"p50", func(t []float64) float64 { return t[len(t)/2] }}, {"p99",
			func(t []float64) float64 { return t[len(t)*99/100] }}} {
			b.ReportMetric(q.of(rest), "rest-"+q.name+"-ms")
			b.ReportMetric(q.of(busy), "sync-"+q.name+"-ms")
			b.ReportMetric(q.of(busy)/q.of(rest), q.name+"-ratio")
		}
		b.ReportMetric(float64(len(busy)), "prompts")
	}
}

// waits types prompts and returns how long each took, the shortest first.
func waits(b *testing.B, c *api.Client, n int, more func() bool) (took []float64) {
	b.Helper()
	for i := 0; i < n && more(); i++ {
		began := time.Now()
		typePrompt(b, c, i)
		took = append(took, float64(time.Since(began).Microseconds())/1000)
		time.Sleep(5 * time.Millisecond) // nobody types faster; the reading continues
	}
	slices.Sort(took)
	return took
}

// longSession writes one session of Claude Code of so many bytes.
func longSession(b *testing.B, path, text string, size int) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	enc, at := json.NewEncoder(f), time.Now().Add(-24*time.Hour)
	for i, wrote := 0, 0; wrote < size; i++ {
		from := i * 1999 % (len(text) - 9000)
		for _, content := range []any{text[from : from+300],
			[]any{map[string]any{"type": "tool_use", "id": fmt.Sprint("c", i), "name": "Bash",
				"input": map[string]any{"command": "go test ./..."}}},
			[]any{map[string]any{"type": "tool_result", "tool_use_id": fmt.Sprint("c", i), "content": text[from : from+9000]}}} {
			role := "user"
			if list, ok := content.([]any); ok && list[0].(map[string]any)["type"] == "tool_use" {
				role = "assistant"
			}
			err := enc.Encode(map[string]any{"type": role, "sessionId": "long", "cwd": "/home/dev/shop",
				"timestamp": at.Add(time.Duration(i) * time.Second).Format(time.RFC3339),
				"message":   map[string]any{"role": role, "id": fmt.Sprint("m", i, role), "content": content}})
			if err != nil {
				b.Fatal(err)
			}
		}
		wrote += 9800
	}
	old := time.Now().Add(-time.Hour)
	if err := errors.Join(f.Close(), os.Chtimes(path, old, old)); err != nil {
		b.Fatal(err)
	}
}

func typePrompt(b *testing.B, c *api.Client, n int) {
	p := api.Prompt{SessionID: fmt.Sprint("s", n%5), Directory: "/home/dev/shop", WithContext: true,
		Text: fmt.Sprintf("Why does handler %d of the shop answer twice when the cart is empty?", n)}
	if err := c.Post(b.Context(), "/prompt", p, nil); err != nil {
		b.Fatal(err)
	}
}
