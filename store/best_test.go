package store

import (
	"cmp"
	"math/rand"
	"slices"
	"testing"
)

// The best of some lists are the same as after adding up and sorting all documents.
func TestBestIsWhatSortingAllGives(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for round := range 200 {
		lists := make([][]postings, 1+r.Intn(3))
		sums := map[int64]found{}
		for term := range 1 + r.Intn(6) {
			for group := range lists {
				p := postings{idf: float64(1 + r.Intn(3)), term: 1 << term}
				for doc := int64(300); doc > 0; doc-- {
					if doc%int64(len(lists)) == int64(group) && r.Intn(4) == 0 { // each document is in one range
						p.rows = append(p.rows, indexID(int64(group+1), doc))
						f := sums[doc]
						sums[doc] = found{doc, f.sum + p.idf, f.terms | p.term}
					}
				}
				lists[group] = append(lists[group], p)
			}
		}
		want := make([]found, 0, len(sums))
		for _, f := range sums {
			want = append(want, f)
		}
		slices.SortFunc(want, func(a, b found) int { return cmp.Or(cmp.Compare(b.sum, a.sum), cmp.Compare(b.id, a.id)) })
		n := 1 + r.Intn(100)
		if got := best(lists, n); !slices.Equal(got, want[:min(n, len(want))]) {
			t.Fatalf("round %d: the best %d are %v, want %v", round, n, got, want[:min(n, len(want))])
		}
	}
	if got := best(nil, 5); len(got) != 0 {
		t.Errorf("of no lists the best are %v", got)
	}
}

func TestWithinARangeNewestFirst(t *testing.T) {
	rows := []int64{90, 70, 50, 30, 10}
	for _, tc := range []struct {
		low, high int64
		limit     int
		want      []int64
	}{
		{0, 100, 9, rows}, {30, 70, 9, []int64{70, 50, 30}}, {31, 69, 9, []int64{50}}, {0, 100, 2, []int64{90, 70}},
		{91, 95, 9, nil}, {0, 9, 9, nil},
	} {
		if got := within(rows, [2]int64{tc.low, tc.high}, tc.limit); !slices.Equal(got, tc.want) {
			t.Errorf("%d..%d, %d of them: %v, want %v", tc.low, tc.high, tc.limit, got, tc.want)
		}
	}
}
