package memory_test

import (
	"errors"
	"slices"
	"testing"

	"keepmum/memory"
)

func arrived(t *testing.T, title string, archived bool) memory.Received {
	t.Helper()
	return memory.Received{By: stamp(), Archived: archived, Candidate: memory.Candidate{Primitive: memory.Learning,
		Kind: memory.Insight, Title: clean(t, title), Body: clean(t, "The reason for "+title), Confidence: 0.9}}
}

// TestWhereAMemoryWillBeIsToldBeforeItIsThere: a process that is killed in between must find its own work again.
func TestWhereAMemoryWillBeIsToldBeforeItIsThere(t *testing.T) {
	tree := newTree(t)
	list := []memory.Received{arrived(t, "the port", false), arrived(t, "the host", true), arrived(t, "the port", false)}
	var told []string
	stop := errors.New("killed")
	_, err := tree.Receive(list, func(ids []string) error { told = slices.Clone(ids); return stop })
	if !errors.Is(err, stop) {
		t.Fatal(err)
	}
	if l, err := tree.Load(); err != nil || len(l.Memories()) != 0 || len(told) != 3 {
		t.Fatalf("%+v %v, told of %v", l, err, told)
	}
	for range 2 { // the second time everything exists
		refused, err := tree.Receive(list, func(ids []string) error {
			if !slices.Equal(ids, told) {
				t.Errorf("told of %v, then of %v", told, ids)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		l, err := tree.Load()
		if err != nil || len(l.Active) != 1 || len(l.Archived) != 1 || len(refused) != 0 {
			t.Fatalf("%+v %v", l, err)
		}
		if l.Active[0].ID != told[0] || l.Archived[0].ID != told[1] || told[2] != told[0] {
			t.Errorf("told of %v, there are %s and %s", told, l.Active[0].ID, l.Archived[0].ID)
		}
	}
}
