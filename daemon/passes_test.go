package daemon

import (
	"fmt"
	"sync"
	"testing"

	"keepmum/api"
	"keepmum/longtest"
	"keepmum/store"
)

// TestAMemoryKeepsItsNumber reads a tree again and again while memories are written to it.
func TestAMemoryKeepsItsNumber(t *testing.T) {
	r, dir := startRig(t, t.TempDir(), undisturbed), repository(t)
	first := r.remember(t, api.MemoryAdd{Title: "The till has number 0", Directory: dir, Kind: "fact"}).Memory
	roots, err := r.d.db.MemoryRoots(t.Context())
	if err != nil || len(roots) != 1 {
		t.Fatal(roots, err)
	}
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if _, err := r.d.reindexRoot(t.Context(), roots[0], store.IndexOptions{}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	written := []api.Memory{first}
	for i := range longtest.Rounds(10, 200) {
		in := api.MemoryAdd{Title: fmt.Sprintf("The till has number %d", i+1), Directory: dir, Kind: "fact", New: true}
		written = append(written, r.remember(t, in).Memory)
	}
	close(done)
	readers.Wait()
	for _, m := range written {
		now := into[api.Memory](t, r.ask(t, "GET", "/memories/"+m.ID+"?directory="+dir, ""))
		if now.Entry != m.Entry {
			t.Errorf("%s had the number %d, and has %d now", m.ID, m.Entry, now.Entry)
		}
	}
}
