package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"keepmum/privacy"
)

// testGate removes nothing. It is shared because compiling one for each test would be slow.
var testGate = sync.OnceValues(func() (*privacy.Gate, error) {
	return privacy.New(privacy.Options{Mode: privacy.ModeNone})
})

func clean(s string) privacy.Clean {
	g, err := testGate()
	if err != nil {
		panic(err)
	}
	c, _ := g.Text(s)
	return c
}

func openTest(t testing.TB) *DB {
	t.Helper()
	db, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "memory.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func ref(project, native string) SessionRef {
	return SessionRef{Agent: clean("claude"), Native: clean(native), Project: Project{Name: clean(project)}}
}

func TestAnObservationIsFoundAgain(t *testing.T) {
	db := openTest(t)
	p, err := db.PutPrompt(t.Context(),
		Prompt{Session: ref("shop", "s1"), Text: clean("make the checkout rate limit configurable")})
	if err != nil {
		t.Fatal(err)
	}
	o, err := db.PutObservation(t.Context(),
		Observation{Session: ref("shop", "s1"), Tool: clean("Edit"), Title: clean("Edit limiter.go"),
			Input: clean(`{"file_path":"limiter.go","new_string":"func newTokenBucket(rate int) *bucket {\n\treturn nil\n}"}`),
			Files: []privacy.Clean{clean("limiter.go")}})
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int64{"rate limits of the checkout?": p.ID, "token bucket": o.ID,
		"newTokenBucket": o.ID, "": o.ID} {
		res, err := db.Search(t.Context(), Query{Text: query, Project: "shop"})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Hits) == 0 || res.Hits[0].ID != want {
			t.Errorf("%q: got %+v, want %d first", query, res.Hits, want)
		}
	}
	rows, err := db.Observations(t.Context(), []int64{o.ID})
	if err != nil || len(rows) != 1 || rows[0].Turn != p.ID || !strings.Contains(rows[0].Text, "\treturn nil") {
		t.Errorf("got %+v, %v", rows, err)
	}
	job, ok, err := db.ClaimJob(t.Context(), clean("me"), time.Minute)
	if err != nil || !ok || job.Turn != p.ID {
		t.Fatalf("got job %+v %v %v", job, ok, err)
	}
	if err := db.CompleteJob(t.Context(), job,
		Summary{Text: clean("Made a bucket."), Type: clean("feature")}); err != nil {
		t.Fatal(err)
	}
}

func TestConcurrentWritersShareCommits(t *testing.T) {
	db := openTest(t)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 50 {
				if _, err := db.PutObservation(t.Context(),
					Observation{Session: ref("p", fmt.Sprint("s", w)), Key: clean(fmt.Sprint(i % 40)), Tool: clean("Bash"),
						Output: clean("ok")}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	st, err := db.Stats(t.Context())
	if err != nil || st.Observations != 320 {
		t.Errorf("got %+v, %v", st, err)
	}
}

func TestAForeignFileIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("hello", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{Path: path}); !errors.Is(err, ErrCorrupt) ||
		!strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
}
