package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"keepmum/longtest"
)

// The index is rebuilt from the documents, whatever part of it is damaged; a start detects that.
func TestADamagedIndexIsRebuilt(t *testing.T) {
	docs := longtest.Size(100, 300) // more than one fold
	damages := map[string]string{
		"no places":     `DELETE FROM docs_fts_idx`,
		"no pages":      `DELETE FROM docs_fts_data WHERE id > 10`,
		"garbage":       `UPDATE docs_fts_data SET block = x'00FF00FF'`,
		"no structure":  `DELETE FROM docs_fts_data`,
		"no settings":   `DELETE FROM docs_fts_config`,
		"other version": `UPDATE docs_fts_config SET v = 99 WHERE k = 'version'`,
		"no sizes":      `DELETE FROM docs_fts_docsize`,
	}
	for i, name := range slices.Sorted(maps.Keys(damages)) {
		if !longtest.Every(3, i) {
			continue
		}
		damage := damages[name]
		t.Run(name, func(t *testing.T) {
			db := openTest(t)
			for i := range docs {
				put(t, db, "shop", fmt.Sprint("s", i%7), fmt.Sprint("the walrus sings song", i))
			}
			db.settle(t.Context())
			if err := db.writer.do(t.Context(), func(s *txState) error { return s.exec(damage) }); err != nil {
				t.Fatal(err)
			}
			db = crashed(t, db)
			put(t, db, "shop", "s1", "a walrus that came after the damage")
			if rep, err := db.Check(t.Context(), false); err == nil && rep.OK() {
				t.Error("the check finds nothing")
			}
			if err := db.Rebuild(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			checkIndex(t, db)
			if df, _, err := db.DocumentFrequencies(t.Context(), 1, []string{"walrus", "song90"}); err != nil ||
				df["walrus"] != docs+1 || df["song90"] != 1 {
				t.Errorf("%v, %v", df, err)
			}
			if got := search(t, db, Query{Text: "walrus after the damage"}); len(got.Hits) == 0 {
				t.Error("the newest was not found")
			}
			if err := db.Health(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// An interrupted rebuild continues after a crash. Documents added, changed or removed meanwhile are indexed correctly.
func TestARebuildContinuesAfterACrash(t *testing.T) {
	db := openTest(t)
	var ids []int64
	for i := range 3 * rebuildBatch {
		ids = append(ids, put(t, db, "shop", "s", fmt.Sprint("the walrus sings song", i)))
	}
	ctx, stop := context.WithCancel(t.Context())
	if err := db.Rebuild(ctx, func(int, int) { stop() }); !errors.Is(err, context.Canceled) || !db.Rebuilding() {
		t.Fatal(err, db.Rebuilding())
	}
	db = crashed(t, db)
	if !db.Rebuilding() {
		t.Fatal("it is forgotten")
	}
	checkIndex(t, db) // what is not reached yet is not damaged
	put(t, db, "shop", "s", "the walrus that came meanwhile")
	plan, err := db.PlanForget(t.Context(), Selection{IDs: []int64{ids[0], ids[len(ids)-1]}})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Forget(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Replace(t.Context(), "song599"); err != nil {
		t.Fatal(err)
	}
	if err := db.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	checkIndex(t, db)
	if df, _, err := db.DocumentFrequencies(t.Context(), 1, []string{"walrus"}); err != nil ||
		df["walrus"] != len(ids)-1 || db.Rebuilding() {
		t.Errorf("%v of %d, %v", df, len(ids)-1, err)
	}
}

// Pages that differ from what FTS5 returns are not read any more.
func TestPagesThatDifferAreLeftToTheIndex(t *testing.T) {
	db := openTest(t)
	for i := range 300 {
		put(t, db, "shop", "s", fmt.Sprint("the walrus sings song", i))
	}
	if err := db.VerifyPages(t.Context()); err != nil || db.pagesOff.Load() {
		t.Fatalf("they are as they should be: %v", err)
	}
	err := db.writer.do(t.Context(), func(s *txState) error {
		return s.exec(`UPDATE docs_fts_config SET v = 6 WHERE k = 'version'`)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.checkFormat(t.Context(), db.read); err != nil || !db.pagesOff.Load() {
		t.Errorf("a version that nobody has read is read: %v", err)
	}
}
