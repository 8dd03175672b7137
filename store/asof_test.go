package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"keepmum/privacy"
)

// TestASearchAsOfADayIsTheListOfThatDay compares what a search finds with the list, while memories are added, changed
// and removed between the searches.
func TestASearchAsOfADayIsTheListOfThatDay(t *testing.T) {
	db := openTest(t)
	root, err := db.PutMemoryRoot(t.Context(), NoProjectRow, RootGlobal, clean("memory"), false)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	day := func(n int) time.Time { return begin.AddDate(0, 0, n) }
	files := map[int]MemoryFile{}
	for round := range 8 {
		for range 12 {
			i := r.IntN(40)
			from := r.IntN(30)
			f := MemoryFile{Name: clean(fmt.Sprintf("m%d", i)), Path: clean(fmt.Sprintf("learnings/m%d.md", i)),
				Form: privacy.Const("learning"), Kind: privacy.Const("fact"), State: MemoryActive, Confidence: 0.9,
				Title:   clean(fmt.Sprintf("The payments of region %d go to provider%d", i, i)),
				Created: day(0), Updated: day(round), Times: []Span{{From: day(from)}}}
			switch r.IntN(4) {
			case 0:
				f.State, f.Times[0].To = MemoryArchived, day(from+1+r.IntN(9))
			case 1:
				f.Times = []Span{{From: day(from), To: day(from + 2)}, {From: day(from + 5)}}
			case 2:
				delete(files, i)
				continue
			}
			files[i] = f
		}
		var list []MemoryFile
		for i := range 40 {
			if f, ok := files[i]; ok {
				list = append(list, f)
			}
		}
		if _, err := db.IndexMemories(t.Context(), root.ID, list, IndexOptions{}); err != nil {
			t.Fatal(err)
		}
		for n := range 5 {
			at := day(n * 7).Add(time.Hour)
			rows, err := db.Memories(t.Context(), MemoryFilter{AsOf: at})
			if err != nil {
				t.Fatal(err)
			}
			found, err := db.Search(t.Context(), Query{Text: "payments of region", Type: KindMemory, AsOf: at, Limit: 100})
			if err != nil {
				t.Fatal(err)
			}
			want, got := []int64{}, []int64{}
			for _, m := range rows {
				want = append(want, m.ID)
			}
			for _, h := range found.Hits {
				got = append(got, h.ID)
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) || n == 4 && len(want) == 0 {
				t.Fatalf("round %d, day %d: found %v, held %v", round, n*7, got, want)
			}
		}
	}
}

func TestRetiredMemoriesAreFoundWithinTheTimeAskedFor(t *testing.T) {
	db := openTest(t)
	day := func(n int) time.Time { return time.Date(2026, 1, 1+n, 0, 0, 0, 0, time.UTC) }
	old := memoryFile("m1", "The payments go to stripe", "", func(f *MemoryFile) {
		f.State, f.Said, f.Times = MemoryArchived, day(10), []Span{{From: day(10), To: day(30)}}
	})
	reread(t, db, memoryRoot(t, db, "p"), old)
	for name, q := range map[string]struct {
		since, until time.Time
		found        int
	}{"any time": {found: 1}, "since then": {day(10), time.Time{}, 1}, "since the day after": {day(11), time.Time{}, 0},
		"until then": {time.Time{}, day(10), 0}, "until the day after": {time.Time{}, day(11), 1}} {
		got := search(t, db, Query{Text: "payments", AsOf: day(20), Since: q.since, Until: q.until})
		if len(got.Hits) != q.found {
			t.Errorf("%s: found %v", name, ids(got))
		}
	}
}
