package recall_test

import (
	"path/filepath"
	"testing"
	"time"

	"keepmum/recall"
	"keepmum/store"
)

func TestWordsOfTroubleCountIfTheStatementDoesNotContainThem(t *testing.T) {
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "memory.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	remember(t, db, []work{
		{At: time.Now(), Topic: "invoices", Asked: "Invoices must always wait ten days before a timeout, never less.",
			Answered: "Done: invoices wait ten days."},
	})
	var m recall.Model
	m.Order[0] = 1
	f, found, err := recall.GateExample(t.Context(), db, &m,
		store.Subjects{Text: "Invoices crash with a TypeError after a timeout", Projects: []int64{1}})
	if err != nil || !found {
		t.Fatalf("found %v, %v", found, err)
	}
	if f.Trouble != 2 {
		t.Errorf("%v words of trouble, not those of the crash and of the TypeError", f.Trouble)
	}
	if f.Share <= 0 || f.Share >= 1 {
		t.Errorf("the statement contains %v of the prompt", f.Share)
	}
}
