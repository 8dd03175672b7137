package sorting

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestItSortsAsSlicesDoes(t *testing.T) {
	type pair struct{ key, place int }
	compare := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
	r := rand.New(rand.NewPCG(1, 2))
	for size := range 100 {
		var list []pair
		for i := range size {
			list = append(list, pair{r.IntN(size/2 + 1), i})
		}
		want := slices.SortedStableFunc(slices.Values(list), compare)
		if got := Sorted(slices.Values(list), compare); !slices.Equal(got, want) {
			t.Fatalf("%v, not %v", got, want)
		}
		if Stable(list, compare); !slices.Equal(list, want) {
			t.Fatalf("%v, not %v", list, want)
		}
	}
}
