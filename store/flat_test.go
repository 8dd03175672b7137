package store

import (
	"fmt"
	"math/rand"
	"os"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"

	"keepmum/longtest"
)

// An event does not write more in a larger database. The log contains each page that a commit or a fold changes.
func TestAnEventWritesNoMorePagesInALargerDatabase(t *testing.T) {
	db := openTest(t)
	err := db.writer.alone(t.Context(), func(conn *sqlx.Conn) error { // no checkpoint, so the length of the log counts
		_, err := conn.ExecContext(t.Context(), "PRAGMA wal_autocheckpoint = 0")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	const step = 320 // five folds
	grown := longtest.Size(2, 5) * step
	r := rand.New(rand.NewSource(1))
	n := 0
	pages := func(events int) int64 {
		before := logSize(t, db)
		for range events {
			n++
			if n%10 == 1 {
				_, err = db.PutPrompt(t.Context(),
					Prompt{Session: ref("shop", fmt.Sprint("s", n/50)), Text: clean(someWords(r, 40))})
			} else {
				_, err = db.PutObservation(t.Context(),
					Observation{Session: ref("shop", fmt.Sprint("s", n/50)), Tool: clean("Bash"), Output: clean(someWords(r, 150))})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		db.settle(t.Context())
		return (logSize(t, db) - before) / 8192
	}
	pages(step) // the first pages of each table
	first := pages(step)
	pages(grown)
	last := pages(step)
	t.Logf("%.1f pages for an event, %.1f after %d more", float64(first)/step, float64(last)/step, grown)
	if first == 0 || last > first*3/2 {
		t.Errorf("%d pages for %d events, %d after %d more", first, step, last, grown)
	}
}

func logSize(t *testing.T, db *DB) int64 {
	t.Helper()
	st, err := os.Stat(db.path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	return st.Size()
}

func someWords(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprint("word", int(r.ExpFloat64()*400))
	}
	return strings.Join(words, " ")
}
