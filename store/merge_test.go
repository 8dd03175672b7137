package store

import (
	"fmt"
	"testing"
)

func TestMergingLeavesFewSegmentsAndTheSameAnswers(t *testing.T) {
	db := openTest(t)
	for i := range 60 {
		if _, err := db.PutPrompt(t.Context(),
			Prompt{Session: ref("p", "s"),
				Text: clean(fmt.Sprintf("the %d. remark about lighthouse keeper%d", i, i))}); err != nil {
			t.Fatal(err)
		}
		db.settle(t.Context()) // each in a segment of its own
	}
	q := Query{Text: "lighthouse keeper7", Limit: 50}
	before, err := db.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	was := segments(t, db)
	if _, err := db.Merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if is := segments(t, db); was < 3 || is > 2 {
		t.Errorf("%d segments before, %d after", was, is)
	}
	after, err := db.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if len(before.Hits) != 50 || fmt.Sprint(before.Hits) != fmt.Sprint(after.Hits) {
		t.Errorf("merging changed what is found: %d hits before, %d after", len(before.Hits), len(after.Hits))
	}
	checkIndex(t, db)
	if steps, err := db.Merge(t.Context()); err != nil || steps != 0 {
		t.Errorf("a second time took %d steps, %v", steps, err)
	}
}

func segments(t *testing.T, db *DB) (n int) {
	t.Helper()
	if err := db.read.Get(&n, `SELECT count(DISTINCT segid) FROM docs_fts_idx`); err != nil {
		t.Fatal(err)
	}
	return n
}
