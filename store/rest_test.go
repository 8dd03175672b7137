package store

import "testing"

// After Rest the caches are empty, and a search finds the same as before.
func TestRestEmptiesTheCaches(t *testing.T) {
	db := openTest(t)
	if _, err := db.PutPrompt(t.Context(),
		Prompt{Session: ref("shop", "s1"), Text: clean("the checkout has a rate limit")}); err != nil {
		t.Fatal(err)
	}
	look := func() int {
		res, err := db.Search(t.Context(), Query{Text: "rate limit", Project: "shop"})
		if err != nil {
			t.Fatal(err)
		}
		return len(res.Hits)
	}
	if look() != 1 || db.seeking.Stats().OpenConnections == 0 || len(db.cache.young) == 0 {
		t.Fatal("a search keeps nothing")
	}
	if err := db.Rest(t.Context()); err != nil {
		t.Fatal(err)
	}
	if open := db.seeking.Stats().OpenConnections + db.read.Stats().OpenConnections; open != 0 {
		t.Errorf("%d connections are open", open)
	}
	if kept := len(db.cache.young) + len(db.cache.old); kept != 0 {
		t.Errorf("%d documents are kept", kept)
	}
	if look() != 1 {
		t.Error("nothing is found behind it")
	}
}
