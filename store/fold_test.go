package store

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"keepmum/privacy"
)

// crashed copies the database's files as they are on disk now, and opens the copy.
func crashed(t *testing.T, db *DB) *DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.db")
	for _, end := range []string{"", "-wal"} {
		data, err := os.ReadFile(db.path + end)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+end, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = again.Close() })
	return again
}

// What was acknowledged but not folded in is found after a crash, and counted once.
func TestWhatWaitsIsFoldedAfterACrash(t *testing.T) {
	db := openTest(t)
	_, err := db.PutPrompt(t.Context(), Prompt{Session: ref("shop", "s1"), Text: clean("why does the walrus sing")})
	if err != nil {
		t.Fatal(err)
	}
	seen := false
	for i := range 3 * foldDocs / 2 {
		_, err := db.PutObservation(t.Context(),
			Observation{Session: ref("shop", "s1"), Tool: clean("Bash"),
				Output: clean(fmt.Sprint("song number ", i, " of the walrus"))})
		if err != nil {
			t.Fatal(err)
		}
		if i%20 > 0 {
			continue
		}
		seen = seen || db.waiting.Load() > 0
		again := crashed(t, db)
		if got := search(t, again, Query{Text: "walrus", Limit: maxLimit}); len(got.Hits) != min(i+2, maxLimit) {
			t.Errorf("of %d documents %d were found", i+2, len(got.Hits))
		}
		rows, err := again.RecentSessions(t.Context(), 0, 10)
		if err != nil || len(rows) != 1 || rows[0].Docs != int64(i+2) {
			t.Errorf("%+v, %v", rows, err)
		}
		if s, err := again.Stats(t.Context()); err != nil || s.Prompts+s.Observations != int64(i+2) ||
			s.Jobs["pending"] != 1 {
			t.Errorf("%+v, %v", s, err)
		}
		checkIndex(t, again)
	}
	if !seen {
		t.Error("nothing ever waited: the test looks at nothing")
	}
}

// If a call of a group fails, the others are not affected, and what it wrote is not folded in.
func TestAFailingMemberLeavesWhatWaits(t *testing.T) {
	db := openTest(t)
	began, hold := make(chan struct{}), make(chan struct{})
	go func() {
		_ = db.writer.do(t.Context(), func(*txState) error { close(began); <-hold; return nil })
	}()
	<-began
	errs := make(chan error, 3)
	texts := []string{"the first walrus", "", "the second walrus"}
	for _, text := range texts {
		go func() {
			r := ref("shop", "s1")
			if text == "" {
				r.Native = privacy.Clean{}
			}
			_, err := db.PutPrompt(t.Context(), Prompt{Session: r, Text: clean(text)})
			errs <- err
		}()
	}
	for len(db.writer.calls) < len(texts) { // until they wait for the same commit
	}
	close(hold)
	failed := 0
	for range texts {
		if err := <-errs; err != nil {
			failed++
		}
	}
	if got := search(t, db, Query{Text: "walrus"}); failed != 1 || len(got.Hits) != 2 {
		t.Errorf("%d failed, %d were found", failed, len(got.Hits))
	}
	checkIndex(t, db)
}

// If the index cannot be written, no acknowledged event is lost, and health reports the error.
func TestADamagedIndexLosesNoEvent(t *testing.T) {
	db := openTest(t)
	put(t, db, "shop", "s1", "before the damage")
	db.settle(t.Context())
	if err := db.writer.do(t.Context(),
		func(s *txState) error { return s.exec(`UPDATE docs_fts_data SET block = x'00'`) }); err != nil {
		t.Fatal(err)
	}
	db = crashed(t, db) // the open index has cached what it read
	id := put(t, db, "shop", "s1", "said after the damage")
	db.settle(t.Context())
	if rows, err := db.Observations(t.Context(), []int64{id}); err != nil || len(rows) != 1 ||
		!strings.Contains(rows[0].Text, "after the damage") {
		t.Errorf("%+v, %v", rows, err)
	}
	if err := db.Health(t.Context()); err == nil {
		t.Error("health says that all is well")
	}
}

// BenchmarkIngest has one client whose events of 2 KB each wait for the disk. It measures disk writes per event; a page
// has 8 KiB.
func BenchmarkIngest(b *testing.B) {
	commits := 0
	db, err := Open(b.Context(),
		Options{Path: filepath.Join(b.TempDir(), "memory.db"), Committed: func(time.Duration, int) { commits++ }})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	pragma := func(query string) (row struct{ Busy, Log, Checkpointed int }) {
		if err := db.writer.alone(b.Context(),
			func(c *sqlx.Conn) error { return c.GetContext(b.Context(), &row, query) }); err != nil {
			b.Fatal(err)
		}
		return row
	}
	if err := db.writer.alone(b.Context(), func(c *sqlx.Conn) error {
		_, err := c.ExecContext(b.Context(), "PRAGMA wal_autocheckpoint = 0")
		return err
	}); err != nil {
		b.Fatal(err)
	}
	pragma("PRAGMA wal_checkpoint(TRUNCATE)")
	r := rand.New(rand.NewSource(1))
	commits = 0
	n := 0
	for b.Loop() {
		n++
		o := Observation{Session: ref("shop", fmt.Sprint("s", n%5)), Tool: clean("Bash"), Output: clean(babble(r, 250))}
		if _, err := db.PutObservation(b.Context(), o); err != nil {
			b.Fatal(err)
		}
	}
	syncs := commits
	db.settle(b.Context())
	pages := float64(pragma("PRAGMA wal_checkpoint(PASSIVE)").Log)
	b.ReportMetric(pages/float64(n), "pages/event")
	b.ReportMetric(pages/float64(n)*8, "KiB/event")
	b.ReportMetric(float64(syncs)/float64(n), "syncs/event")
}
