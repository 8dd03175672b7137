package daemon

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"keepmum/api"
	"keepmum/config"
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

func benchClient(b *testing.B) *api.Client {
	b.Helper()
	dir := b.TempDir()
	c := config.Loaded{Config: config.Default()}
	c.Daemon.Port = 0
	c.Compress.Provider = "off"
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
