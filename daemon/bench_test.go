package daemon

import (
	"fmt"
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
	runBench(b, dir, c)
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
		resp, err := c.Send(b.Context(), http.MethodGet, "/context?directory=/home/dev/shop&q=why+does+the+writer+group+commits", nil)
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
			model := ollamatest.New(ollamatest.Options{Models: []ollamatest.Model{{Name: "tiny:latest"}}, Answer: func(c ollamatest.Chat) ollamatest.Reply {
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

func typePrompt(b *testing.B, c *api.Client, n int) {
	p := api.Prompt{SessionID: fmt.Sprint("s", n%5), Directory: "/home/dev/shop", WithContext: true, Text: fmt.Sprintf("Why does handler %d of the shop answer twice when the cart is empty?", n)}
	if err := c.Post(b.Context(), "/prompt", p, nil); err != nil {
		b.Fatal(err)
	}
}
