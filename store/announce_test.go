package store

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Writes that were announced share a commit, and one that no other was announced with waits for nobody.
func TestACommitWaitsForWhatWasAnnounced(t *testing.T) {
	var groups []int
	db, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "memory.db"),
		Committed: func(_ time.Duration, calls int) { groups = append(groups, calls) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.writer.joinWait = time.Hour
	put := func(n int, done func()) {
		defer done()
		if _, err := db.PutObservation(t.Context(), Observation{Session: ref("shop", "s1"), Tool: clean("Bash"),
			Output: clean(fmt.Sprint("song ", n))}); err != nil {
			t.Error(err)
		}
	}
	put(0, db.Announce())
	var all sync.WaitGroup
	const together = 5
	var done [together]func()
	for i := range done {
		done[i] = db.Announce()
	}
	for i := range done {
		all.Go(func() { put(1+i, done[i]) })
	}
	all.Wait()
	put(9, func() {})
	if got, want := fmt.Sprint(groups), fmt.Sprint([]int{1, together, 1}); got != want {
		t.Errorf("writes shared commits like %s, want %s", got, want)
	}
}
