package store

import (
	"strings"
	"testing"
)

func TestASearchSeesADocumentAsItIsNow(t *testing.T) {
	db := openTest(t)
	r, err := db.PutPrompt(t.Context(),
		Prompt{Session: ref("p", "s"), Text: clean("the harbour master said harbour-7781 opens the gate")})
	if err != nil {
		t.Fatal(err)
	}
	find := func() string {
		res, err := db.Search(t.Context(), Query{Text: "what opens the harbour gate"})
		if err != nil || len(res.Hits) != 1 || res.Hits[0].ID != r.ID {
			t.Fatalf("found %+v, %v", res.Hits, err)
		}
		return res.Hits[0].Snippet
	}
	if s := find(); !strings.Contains(s, "7781") {
		t.Fatalf("the snippet is %q", s)
	}
	if known, _ := db.cache.get([]int64{r.ID}); len(known) != 1 {
		t.Fatal("the document is not kept: the test looks at nothing")
	}
	if _, err := db.Replace(t.Context(), "harbour-7781"); err != nil {
		t.Fatal(err)
	}
	if known, _ := db.cache.get([]int64{r.ID}); len(known) != 0 {
		t.Error("the document is kept as it was")
	}
	if s := find(); strings.Contains(s, "7781") {
		t.Errorf("the snippet is %q", s)
	}
}

func TestWhatASearchReadBeforeAChangeIsNotKept(t *testing.T) {
	c := newDocCache()
	epoch := c.now()
	c.drop([]int64{7})
	c.put(epoch, []*candidate{{ID: 7}})
	if known, _ := c.get([]int64{7}); len(known) != 0 {
		t.Error("an older state of a document was kept")
	}
}

func TestTheCacheStaysWithinItsBounds(t *testing.T) {
	c := newDocCache()
	big := make([]lexeme, 10_000)
	for id := range int64(2 * cacheBytes / 40_000) {
		c.put(0, []*candidate{{ID: id, body: big}})
		c.get([]int64{0}) // this one is used all the time
	}
	if n := len(c.young) + len(c.old); n*40_000 > cacheBytes+80_000 {
		t.Errorf("%d documents of 40 kB are kept", n)
	}
	if known, _ := c.get([]int64{0}); len(known) != 1 {
		t.Error("what is asked for again and again is gone")
	}
}

func TestLongTextsAreCutNotMissed(t *testing.T) {
	db := openTest(t)
	long := `{"stdout":"` + strings.Repeat("some line of output\\n", 1000) + `zebrafish at the end"}`
	r, err := db.PutObservation(t.Context(),
		Observation{Session: ref("p", "s"), Tool: clean("Bash"), Title: clean("Bash"), Output: clean(long)})
	if err != nil {
		t.Fatal(err)
	}
	res, err := db.Search(t.Context(), Query{Text: "zebrafish"})
	if err != nil || len(res.Hits) != 1 || res.Hits[0].ID != r.ID || res.Hits[0].Score <= 0 {
		t.Fatalf("found %+v, %v", res.Hits, err)
	}
	if s := res.Hits[0].Snippet; strings.Contains(s, "stdout") || strings.Contains(s, `\n`) {
		t.Errorf("the snippet shows JSON: %q", s)
	}
}
