package store

import (
	"path/filepath"
	"testing"
	"time"
)

// A deleted branch is remembered as long as it matters: a memory of it, or a session unless it was merged.
func TestADeletedBranchIsRememberedWhileSomethingRefersToIt(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	db, err := Open(t.Context(),
		Options{Path: filepath.Join(t.TempDir(), "memory.db"), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	root := memoryRoot(t, db, "shop")
	m := memoryFile("m1", "The queue is kept in order", "")
	m.Branch = clean("learned")
	reread(t, db, root, m)
	for _, branch := range []string{"said", "merged"} {
		in := ref("shop", branch)
		in.Branch = clean(branch)
		if _, err := db.PutPrompt(t.Context(), Prompt{Session: in, Text: clean("keep the queue in order")}); err != nil {
			t.Fatal(err)
		}
	}
	repo, err := db.OpenRepository(t.Context(), clean("/shop/.git"), root.Project)
	if err != nil {
		t.Fatal(err)
	}
	for name, standing := range map[string]string{"learned": "lost", "said": "lost", "merged": "merged", "other": "lost"} {
		if err := db.PutBranch(t.Context(), repo.ID, Branch{Name: clean(name), Tip: "1", Standing: standing}); err != nil {
			t.Fatal(err)
		}
	}
	now = now.Add(branchKept + time.Hour)
	if err := db.SawBranches(t.Context(), repo.ID, nil); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Branches(t.Context(), root.Project, "")
	if err != nil || len(rows) != 2 || rows[0].Name != "learned" || rows[1].Name != "said" {
		t.Errorf("remembered are %+v, %v", rows, err)
	}
	bound, err := db.BoundBranches(t.Context(), root.Project)
	if err != nil || len(bound) != 2 {
		t.Errorf("checked are %v, %v", bound, err)
	}
}
