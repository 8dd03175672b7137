package store

import (
	"fmt"
	"testing"
)

// Documents are added and removed between searches. Each search must know which of them are messages.
func TestKindsOfNewDocumentsAreKnown(t *testing.T) {
	db := openTest(t)
	known := func() map[int64]bool {
		t.Helper()
		ix, err := db.openIndex(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer ix.close(t.Context())
		var all []found
		for id := range int64(1_000) {
			all = append(all, found{id: id})
		}
		are, err := db.kinds[KindPrompt].among(t.Context(), ix, all)
		if err != nil {
			t.Fatal(err)
		}
		out := map[int64]bool{}
		for i, f := range all {
			if are[i] {
				out[f.id] = true
			}
		}
		return out
	}
	if got := known(); len(got) != 0 {
		t.Errorf("an empty database has prompts: %v", got)
	}
	want := map[int64]bool{}
	for i := range 130 {
		want[put(t, db, "p", "s", fmt.Sprint("the tide of day ", i))] = true
		if _, err := db.PutObservation(t.Context(),
			Observation{Session: ref("p", "s"), Tool: clean("Read"), Output: clean(fmt.Sprint("harbour ", i))}); err != nil {
			t.Fatal(err)
		}
		if i%40 != 0 {
			continue
		}
		if got := known(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("after %d: got %v, want %v", i, got, want)
		}
	}
	if got := known(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A search for one kind reads only its postings; it finds what a search for all kinds would find of it.
func TestASearchForOneKindReadsItsPostingsOnly(t *testing.T) {
	db := openTest(t)
	for i := range 50 {
		put(t, db, "p", "s", fmt.Sprint("the tide of day ", i))
		if _, err := db.PutObservation(t.Context(),
			Observation{Session: ref("p", "s"), Tool: clean("Read"), Output: clean(fmt.Sprint("tide table ", i))}); err != nil {
			t.Fatal(err)
		}
	}
	ix, err := db.openIndex(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer ix.close(t.Context())
	terms, err := ix.widen(t.Context(), parse("tide"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ix.weigh(t.Context(), terms, retiredMemories{}); err != nil {
		t.Fatal(err)
	}
	all, err := ix.candidates(t.Context(), scope{}, terms)
	if err != nil {
		t.Fatal(err)
	}
	prompts, err := db.kinds[KindPrompt].pick(t.Context(), ix, all)
	if err != nil {
		t.Fatal(err)
	}
	if was, is := len(best(all, 1_000)), len(best(prompts, 1_000)); was != 100 || is != 50 {
		t.Errorf("%d of %d candidates are prompts, want 50 of 100", is, was)
	}
	found, err := db.Search(t.Context(), Query{Text: "tide", Type: KindPrompt, Limit: 100})
	if err != nil || found.Total != 50 {
		t.Errorf("found %d prompts (%v), want 50", found.Total, err)
	}
}
