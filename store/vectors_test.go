package store

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepmum/privacy"
)

// meanings is a model that knows three concepts under several names.
func meanings(text string) []float32 {
	v := []float32{0.01, 0.01, 0.01}
	for i, words := range [][]string{{"automobile", "car", "vehicle"}, {"cat", "feline"}, {"bill", "invoice"}} {
		for _, w := range words {
			if strings.Contains(strings.ToLower(text), w) {
				v[i] = 1
			}
		}
	}
	return v
}

func embedAll(t *testing.T, db *DB, model string) int {
	t.Helper()
	texts, err := db.Unembedded(t.Context(), model, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var vectors []Vector
	for _, x := range texts {
		vectors = append(vectors, Vector{x.ID, meanings(x.Text)})
	}
	clean := testClean(t, model)
	if err := db.PutVectors(t.Context(), clean, vectors); err != nil {
		t.Fatal(err)
	}
	return len(texts)
}

func idsFound(t *testing.T, db *DB, q Query) []int64 {
	t.Helper()
	r, err := db.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for _, h := range r.Hits {
		ids = append(ids, h.ID)
	}
	return ids
}

func testClean(t *testing.T, s string) privacy.Clean {
	t.Helper()
	g, err := privacy.New(privacy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, _ := g.Text(s)
	return c
}

func TestAParaphraseIsFoundByItsMeaning(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.db")
	db, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	ref := SessionRef{Agent: privacy.Const("claude"), Native: privacy.Const("s"),
		Project: Project{Name: privacy.Const("shop")}}
	put := func(text string) int64 {
		t.Helper()
		r, err := db.PutPrompt(t.Context(), Prompt{Session: ref, Role: RoleUser, Text: testClean(t, text)})
		if err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
	vehicle := put("Where do we park the vehicle in winter?")
	feline := put("The feline sleeps on the keyboard")
	invoice := put("Invoice numbers must not have gaps")

	plain := Query{Text: "automobile"}
	if got := idsFound(t, db, plain); len(got) != 0 {
		t.Fatalf("words alone found %v", got)
	}
	before := idsFound(t, db, Query{Text: "invoice numbers"})
	if n := embedAll(t, db, "one"); n != 3 {
		t.Fatalf("%d texts had no vector, want 3", n)
	}
	if n := embedAll(t, db, "one"); n != 0 {
		t.Errorf("%d texts are embedded twice", n)
	}
	if got := idsFound(t, db, Query{Text: "invoice numbers"}); !slices.Equal(got, before) {
		t.Errorf("without a meaning the result changed from %v to %v", before, got)
	}
	with := func(text, model string) Query {
		return Query{Text: text, Meaning: Meaning{Model: model, Values: meanings(text)}}
	}
	if got := idsFound(t, db, with("automobile", "one")); !slices.Equal(got, []int64{vehicle}) {
		t.Errorf("found %v, want %d", got, vehicle)
	}
	if got := idsFound(t, db, with("bill", "one")); !slices.Equal(got, []int64{invoice}) {
		t.Errorf("found %v, want %d", got, invoice)
	}
	if got := idsFound(t, db, with("automobile", "another")); len(got) != 0 {
		t.Errorf("the vectors of another model were used: %v", got)
	}
	q := with("automobile", "one")
	q.Agent = "codex"
	if got := idsFound(t, db, q); len(got) != 0 {
		t.Errorf("the filter did not hold: %v", got)
	}
	if n := embedAll(t, db, "two"); n != 3 {
		t.Errorf("a new model was asked about %d texts, want 3", n)
	}
	forgetDoc(t, db, feline)
	if done, all, err := db.Embedded(t.Context()); err != nil || done != 2 || all != 2 {
		t.Errorf("%d of %d, %v: a vector outlived its text", done, all, err)
	}
}

func forgetDoc(t *testing.T, db *DB, id int64) {
	t.Helper()
	plan, err := db.PlanForget(context.Background(), Selection{IDs: []int64{id}})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Forget(context.Background(), plan); err != nil {
		t.Fatal(err)
	}
}

func TestSearchModes(t *testing.T) {
	db, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "m.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	ref := SessionRef{Agent: privacy.Const("claude"), Native: privacy.Const("s"),
		Project: Project{Name: privacy.Const("shop")}}
	var ids []int64
	for _, text := range []string{"Round half to EVEN for every invoice", "Even the other half of the invoice goes round",
		"We park the vehicle in winter"} {
		r, err := db.PutPrompt(t.Context(), Prompt{Session: ref, Role: RoleUser, Text: testClean(t, text)})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.ID)
	}
	embedAll(t, db, "one")
	if got := idsFound(t, db, Query{Text: "half to even"}); len(got) != 2 {
		t.Errorf("words found %v", got)
	}
	if got := idsFound(t, db, Query{Text: "half to even", Exact: true}); !slices.Equal(got, ids[:1]) {
		t.Errorf("exactly found %v, want %v", got, ids[:1])
	}
	if got := idsFound(t, db, Query{Text: "the", Exact: true}); len(got) != 3-1 {
		t.Errorf("a small word stands exactly in %v", got)
	}
	near := Query{Text: "invoice automobile", Nearest: true,
		Meaning: Meaning{Model: "one", Values: meanings("automobile")}}
	if got := idsFound(t, db, near); !slices.Equal(got, ids[2:]) {
		t.Errorf("by meaning alone found %v, want %v", got, ids[2:])
	}
}
