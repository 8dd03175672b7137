package daemon

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/longtest"
)

// TestAsOfIsTheSameInEveryReader asks the table, the search and the files of a random
// history for what held at some days.
func TestAsOfIsTheSameInEveryReader(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r, repo, rnd := startRig(t, t.TempDir()), repository(t), rand.New(rand.NewPCG(seed, 1))
	begin := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for i := range 30 {
		key := fmt.Sprintf("room/%d", rnd.IntN(3))
		r.remember(
			t,
			api.MemoryAdd{Title: fmt.Sprintf("The payments of %s go to provider%d now", key, 7919*i), Key: key, Directory: repo,
				ValidFrom: begin.AddDate(0, 0, rnd.IntN(60)).Add(time.Duration(i) * time.Minute).Format(time.RFC3339)},
		)
	}
	where := "directory=" + url.QueryEscape(repo)
	all := into[api.MemoryList](t, r.ask(t, "GET", "/memories?state=all&limit=1000&"+where, ""))
	for day := 0; day < 60; day += longtest.Size(14, 7) {
		at := begin.AddDate(0, 0, day)
		end := at.Add(12*time.Hour - time.Millisecond) // of the day
		var want []int64
		for _, m := range all.Memories {
			if !m.ValidFrom.After(end) && (m.ValidTo == nil || m.ValidTo.After(end)) {
				want = append(want, m.Entry)
			}
		}
		q := "as_of=" + at.Format(time.DateOnly) + "&limit=100&" + where
		for _, path := range []string{"/memories?" + q, "/memories/search?q=payments+provider&" + q} {
			got := entries(into[api.MemoryList](t, r.ask(t, "GET", path, "")))
			if slices.Sort(want); !slices.Equal(got, want) {
				t.Errorf("%s: got %v, want %v", path, got, want)
			}
		}
		found := into[api.SearchResults](t, r.ask(t, "GET", "/search?type=memory&q=payments+provider&"+q, ""))
		var got []int64
		for _, h := range found.Results {
			got = append(got, h.ID)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("search as of %s: got %v, want %v", at, got, want)
		}
	}
	active := into[api.MemoryList](t, r.ask(t, "GET", "/memories?"+where, ""))
	if len(active.Memories) != 3 {
		t.Errorf("%d are in use for 3 keys", len(active.Memories))
	}
}

func entries(l api.MemoryList) []int64 {
	var out []int64
	for _, m := range l.Memories {
		out = append(out, m.Entry)
	}
	slices.Sort(out)
	return out
}
