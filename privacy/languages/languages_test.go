package languages

import (
	"slices"
	"testing"
)

func TestTheWordsOfEachKindAreSorted(t *testing.T) {
	kinds := ByKind()
	for _, kind := range []string{"password", "key", "name", "account", "code", "thing", "enter", "is", "label"} {
		words := kinds[kind]
		if len(words) == 0 || !slices.IsSorted(words) || len(slices.Compact(slices.Clone(words))) != len(words) {
			t.Errorf("%d words of %s: none, or not sorted, or one twice", len(words), kind)
		}
	}
}
