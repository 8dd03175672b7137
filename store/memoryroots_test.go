package store

import (
	"testing"
	"time"
)

func TestATreeThatChangesItsProjectTakesItsMemoriesAlong(t *testing.T) {
	db := openTest(t)
	root := memoryRoot(t, db, "old")
	reread(t, db, root, memoryFile("m1", "The queue is kept in order", ""))
	to, err := db.PutProject(t.Context(), Project{Name: clean("new")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.PutMemoryRoot(t.Context(), to, root.Kind, clean(root.Path), false); err != nil {
		t.Fatal(err)
	}
	for project, n := range map[int64]int{root.Project: 0, to: 1} {
		if got := search(t, db, Query{Text: "queue", ProjectID: project}); len(got.Hits) != n {
			t.Errorf("project %d has %d of it", project, len(got.Hits))
		}
	}
	checkIndex(t, db)
}

func TestWhatWasForgottenInAProjectStaysForgottenWhereItIsMerged(t *testing.T) {
	db := openTest(t)
	dir := Alias{AliasDir, clean("/home/dev/shop")}
	old, err := db.PutProject(t.Context(), Project{clean("shop"), []Alias{dir}})
	if err != nil {
		t.Fatal(err)
	}
	root, err := db.PutMemoryRoot(t.Context(), old, RootHome, clean("projects/1/memory"), false)
	if err != nil {
		t.Fatal(err)
	}
	reread(t, db, root, memoryFile("m1", "The queue is kept in order", "It is sorted at night"))
	rows, err := db.Memories(t.Context(), MemoryFilter{Root: root.ID})
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	if err := db.BuryMemories(t.Context(), []int64{rows[0].ID}, nil, nil); err != nil {
		t.Fatal(err)
	}
	into := old
	for _, remote := range []string{"example.com/a/shop", "example.com/b/shop"} { // each takes in the one before
		at := Alias{AliasRemote, clean(remote)}
		next, err := db.PutProject(t.Context(), Project{clean("shop"), []Alias{at}})
		if err != nil || next == into {
			t.Fatal(next, err)
		}
		if err := db.writer.do(t.Context(), func(s *txState) error { return s.merge(into, next) }); err != nil {
			t.Fatal(err)
		}
		into = next
	}
	again := MemoryMark{Project: into, Title: "The queue is kept in order!", Body: "In other words"}
	if gone, err := db.Tombstoned(t.Context(), again, time.Time{}); err != nil || !gone {
		t.Errorf("it comes back: %v", err)
	}
	if err := db.ExhumeMemory(t.Context(), again, nil); err != nil {
		t.Fatal(err)
	}
	if gone, err := db.Tombstoned(t.Context(), again, time.Time{}); err != nil || gone {
		t.Errorf("it is still forgotten: %v", err)
	}
	checkIndex(t, db)
}
