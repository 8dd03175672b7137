package store

import "testing"

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
