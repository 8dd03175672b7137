package daemon

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/config"
	"keepmum/transcript"
)

// BenchmarkKnowledge asks a daemon with 10,000 memories for the overview, without and with a
// task, and for what held on a day, beside a plain search.
func BenchmarkKnowledge(b *testing.B) {
	const memories = 10_000
	dir, shop := b.TempDir(), b.TempDir()
	folder := filepath.Join(dir, "memory", "learnings")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		b.Fatal(err)
	}
	for i := range memories {
		to := ""
		if i%2 == 1 {
			to = fmt.Sprintf("valid_to: 2026-%02d-28T00:00:00Z\n", 1+i%9)
		}
		text := fmt.Sprintf("---\nid: m%d\ntitle: The payments of region %d go to provider%d\n"+
			"created: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\nkind: fact\nconfidence: 0.9\n"+
			"valid_from: 2026-01-%02dT00:00:00Z\n%s---\n\n",
			i, i%97, i, 1+i%27, to)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("m%d.md", i)), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	c := config.Loaded{Config: config.Default()}
	c.Daemon.Port, c.Compress.Provider = 0, "off"
	runBench(b, dir, c, transcript.Roots{})
	client := api.NewClient(dir, "")
	// From the first one on the folder is looked at.
	first := api.MemoryAdd{Title: "Indent with tabs in every project", Global: true}
	if err := client.Post(b.Context(), "/memories", first, nil); err != nil {
		b.Fatal(err)
	}
	for list := (api.MemoryList{}); list.Total <= memories; time.Sleep(100 * time.Millisecond) {
		if err := client.Get(b.Context(), "/memories", url.Values{"limit": {"1"}, "state": {"all"}}, &list); err != nil {
			b.Fatal(err)
		}
	}
	asks := []struct {
		name, path string
		q          url.Values
	}{{"search", "/memories/search", url.Values{"q": {"payments of region 12"}}},
		{"as-of", "/memories/search", url.Values{"q": {"payments of region 12"}, "as_of": {"2026-02-10"}}},
		{"overview", "/overview", url.Values{"directory": {shop}}},
		{"task", "/overview", url.Values{"directory": {shop}, "task": {"move the payments of region 12"}}}}
	took := map[string][]float64{}
	for b.Loop() {
		for _, a := range asks {
			began := time.Now()
			var out map[string]any
			if err := client.Get(b.Context(), a.path, a.q, &out); err != nil {
				b.Fatal(err)
			}
			took[a.name] = append(took[a.name], float64(time.Since(began).Microseconds())/1000)
		}
	}
	for name, ms := range took {
		slices.Sort(ms)
		b.ReportMetric(ms[len(ms)/2], name+"-p50-ms")
		b.ReportMetric(ms[len(ms)*99/100], name+"-p99-ms")
	}
}
