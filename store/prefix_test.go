package store

import (
	"slices"
	"strings"
	"testing"
)

func TestAStarStandsForTheEndOfAWord(t *testing.T) {
	db := openTest(t)
	want := put(t, db, "p", "s", "the migrations of the billing schema")
	put(t, db, "p", "s", "nothing of the kind")
	for query, found := range map[string]bool{"migra*": true, "billing migr*": true, "migr": false, "mi*": false,
		"zebra*": false, "*": false} {
		res := search(t, db, Query{Text: query})
		got := false
		for _, h := range res.Hits {
			got = got || h.ID == want
		}
		if got != found {
			t.Errorf("%q found %+v", query, res.Hits)
		}
		if len(res.Corrections) != 0 && strings.HasSuffix(query, "*") {
			t.Errorf("%q was corrected: %v", query, res.Corrections)
		}
	}
	if s := search(t, db, Query{Text: "migra*"}).Hits[0].Snippet; !strings.Contains(s, "<mark>migrations</mark>") {
		t.Errorf("the snippet is %q", s)
	}
}

func TestAStarFindsWordsWhoseStemHasAStem(t *testing.T) {
	db := openTest(t)
	want := put(t, db, "p", "s", "the university of the coast")
	put(t, db, "p", "s", "a univ elsewhere")
	if got := ids(search(t, db, Query{Text: "univers*"})); !slices.Contains(got, want) {
		t.Errorf("found %v, want %d", got, want)
	}
}
