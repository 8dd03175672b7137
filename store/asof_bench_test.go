package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"keepmum/privacy"
)

// BenchmarkAsOf searches 10,000 memories as of a day, half of them replaced by another one, and reports the time
// relative to a plain search.
func BenchmarkAsOf(b *testing.B) {
	db := openTest(b)
	root, err := db.PutMemoryRoot(b.Context(), NoProjectRow, RootGlobal, clean("memory"), false)
	if err != nil {
		b.Fatal(err)
	}
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var files []MemoryFile
	for i := range 10_000 {
		from := begin.AddDate(0, 0, i%300)
		f := MemoryFile{Name: clean(fmt.Sprintf("m%d", i)), Path: clean(fmt.Sprintf("learnings/m%d.md", i)),
			Form: privacy.Const("learning"), Kind: privacy.Const("fact"), State: MemoryActive, Confidence: 0.9,
			Title:   clean(fmt.Sprintf("The payments of region %d go to provider%d", i%97, i)),
			Created: from, Updated: from, Times: []Span{{From: from}}}
		if i%2 == 1 {
			f.State, f.Times[0].To = MemoryArchived, from.AddDate(0, 0, 30)
		}
		files = append(files, f)
	}
	if _, err := db.IndexMemories(b.Context(), root.ID, files, IndexOptions{}); err != nil {
		b.Fatal(err)
	}
	run := func(q Query) time.Duration {
		start := time.Now()
		if _, err := db.Search(b.Context(), q); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	var plain, past []time.Duration
	for i := 0; b.Loop(); i++ {
		text := fmt.Sprintf("payments of region %d", i%97)
		plain = append(plain, run(Query{Text: text, Type: KindMemory}))
		past = append(past, run(Query{Text: text, Type: KindMemory, AsOf: begin.AddDate(0, 0, i%300)}))
	}
	slices.Sort(plain)
	slices.Sort(past)
	p99 := func(d []time.Duration) float64 { return float64(d[len(d)*99/100].Microseconds()) / 1000 }
	b.ReportMetric(p99(past), "p99-ms")
	b.ReportMetric(p99(past)/p99(plain), "searches")
}
