package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/longtest"
)

// Reading the pages of the index gives the same as FTS5, while documents are added, changed and removed and segments
// are merged.
func TestPagesSayWhatTheIndexSays(t *testing.T) {
	db := openTest(t)
	r := rand.New(rand.NewSource(7))
	var kept []int64
	for round := range longtest.Rounds(4, 8) { // every fourth one merges
		for i := range 40 {
			session := fmt.Sprint("s", r.Intn(20))
			kept = append(kept,
				put(t, db, fmt.Sprint("project", r.Intn(3)), session,
					babble(r, 20+r.Intn(100))+fmt.Sprint(" common once", round, "x", i)))
		}
		switch round % 4 {
		case 1:
			forgetSome(t, db, &kept, r)
		case 2:
			if _, err := db.Replace(t.Context(), "qarosti"); err != nil {
				t.Fatal(err)
			}
		case 3:
			if _, err := db.Merge(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		samePostings(t, db, r)
	}
}

// A word in very many documents fills pages of its own, which are searched for the rows of a project.
func TestPagesOfACommonWordSayWhatTheIndexSays(t *testing.T) {
	db := openTest(t)
	err := db.writer.do(t.Context(), func(s *txState) error {
		for project := range int64(5) {
			for doc := range int64(12_000) {
				if err := s.exec(`INSERT INTO docs_fts (rowid, text) VALUES (?, 'common ship')`,
					indexID(project+1, 3*doc*(project+1)+1)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		samePostings(t, db, rand.New(rand.NewSource(3)))
		if _, err := db.Merge(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func babble(r *rand.Rand, words int) string {
	var b strings.Builder
	for range words {
		for range 1 + r.Intn(3) {
			b.WriteString([]string{"qa", "ro", "sti", "ing", "ed", "s", "7", "le", "ation"}[r.Intn(9)])
		}
		b.WriteByte(' ')
	}
	return b.String()
}

func forgetSome(t *testing.T, db *DB, kept *[]int64, r *rand.Rand) {
	t.Helper()
	r.Shuffle(len(*kept), func(i, j int) { (*kept)[i], (*kept)[j] = (*kept)[j], (*kept)[i] })
	plan, err := db.PlanForget(t.Context(), Selection{IDs: (*kept)[:10]})
	if err == nil {
		err = db.Forget(t.Context(), plan)
	}
	if err != nil {
		t.Fatal(err)
	}
	*kept = (*kept)[10:]
}

// samePostings compares the results for words of the index in several ranges.
func samePostings(t *testing.T, db *DB, r *rand.Rand) {
	t.Helper()
	ix, err := db.openIndex(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer ix.close(t.Context())
	var terms []string
	if err := ix.list(t.Context(), &terms, `SELECT term FROM docs_terms`); err != nil {
		t.Fatal(err)
	}
	r.Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
	for _, word := range append(terms[:min(len(terms), 500)], "absent", "zzz", "a") {
		for _, span := range [][2]int64{{0, math.MaxInt64}, {indexID(2, 0), indexID(3, 0) - 1},
			{indexID(1, 200), indexID(3, 40)}} {
			tm, limit := term{word: word, stem: word}, 1+r.Intn(9_000)
			got, ok, err := ix.rows(t.Context(), tm, span, limit)
			if _, plain := indexed(word); err != nil || ok != plain {
				t.Fatalf("%q: read is %v, %v", word, ok, err)
			}
			if want := askFTS5(t.Context(), t, ix, tm, span, limit); ok && !slices.Equal(got, want) {
				t.Fatalf("%q in %v, %d of them: %d rows, want %d; %v, want %v", word, span, limit, len(got), len(want),
					got[:min(len(got), 9)], want[:min(len(want), 9)])
			}
		}
	}
}

// A misspelt word is looked up in many forms at once. The result is the forms that FTS5 has.
func TestKnownWordsAreThoseOfTheIndex(t *testing.T) {
	db := openTest(t)
	r := rand.New(rand.NewSource(5))
	for round := range longtest.Rounds(4, 6) { // the fourth one merges
		for i := range 30 {
			put(t, db, "p", fmt.Sprint("s", i%4), babble(r, 150))
		}
		if round == 3 {
			if _, err := db.Merge(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		ix, err := db.openIndex(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range longtest.Rounds(15, 40) {
			word := strings.Fields(babble(r, 1))[0]
			tries := slices.DeleteFunc(edits(word), func(w string) bool { return !plainLetters(w) })
			list, err := json.Marshal(tries)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			if err := ix.list(t.Context(), &want, existQuery, string(list)); err != nil {
				t.Fatal(err)
			}
			if got, ok, err := ix.known(t.Context(), word[:1], tries); err != nil || !ok || !slices.Equal(got, want) {
				t.Errorf("%q: known are %v (%v, %v), want %v", word, got, ok, err, want)
			}
		}
		ix.close(t.Context())
	}
}

func askFTS5(ctx context.Context, t *testing.T, ix *index, tm term, span [2]int64, limit int) []int64 {
	t.Helper()
	var list *string
	if err := ix.get(ctx, &list, postingsQuery, match(tm), span[0], span[1], limit); err != nil {
		t.Fatal(err)
	}
	if list == nil {
		return nil
	}
	rows, err := parseIDs(*list)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// A page of another format is left to FTS5, and never read beyond its end.
func FuzzPagesOfAnyForm(f *testing.F) {
	f.Add([]byte{0, 4, 0, 12, 4, '0', 'a', 'b', 'c', 5, 1, 2, 4}, "0abc")
	f.Add([]byte{0, 0, 0, 1, 0, 1, 1, 7, 0, 1, 3, 1, 9}, "0abc")
	f.Fuzz(func(t *testing.T, block []byte, word string) {
		if from, to, ok := find(block, word); ok && (from > to || to > len(block)) {
			t.Errorf("rows stand from %d to %d of %d", from, to, len(block))
		}
		firstTerm(block)
		segmentsIn(block)
		if rows, ok := decode(nil, block); ok && len(rows) > len(block) {
			t.Errorf("%d rows in %d bytes", len(rows), len(block))
		}
	})
}

// BenchmarkPages searches for three words in 20,000 documents with natural word frequencies, reading the pages directly
// and with FTS5 alone.
func BenchmarkPages(b *testing.B) {
	db := openTest(b)
	r := rand.New(rand.NewSource(5))
	zipf := rand.NewZipf(r, 1.1, 4, 30_000)
	word := func() string {
		return "w" + strings.Map(func(c rune) rune { return c - '0' + 'b' }, fmt.Sprint(zipf.Uint64()))
	}
	for i := range 20_000 {
		var text strings.Builder
		for range 60 {
			text.WriteString(word() + " ")
		}
		d := docRow{Kind: KindPrompt, Role: string(RoleUser), Body: ptr(text.String())}
		if _, err := db.put(b.Context(), ref("shop", fmt.Sprint("s", i%50)), clean(fmt.Sprint(i)), time.Time{}, d,
			nil); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := db.Merge(b.Context()); err != nil {
		b.Fatal(err)
	}
	for _, off := range []bool{false, true} {
		b.Run(fmt.Sprint("off=", off), func(b *testing.B) {
			db.pagesOff.Store(off)
			for b.Loop() {
				db.terms = newTermCache()
				if _, err := db.Search(b.Context(), Query{Text: word() + " " + word() + " " + word()}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A connection that was used for a search must not report an index as corrupt that was merged since.
func TestASoundIndexIsSoundAfterASearchAndAMerge(t *testing.T) {
	db := openTest(t)
	r := rand.New(rand.NewSource(3))
	for round := range 12 {
		for i := range 20 {
			put(t, db, "p", fmt.Sprint("s", i%4), babble(r, 60)+" common")
			if i%5 == 0 {
				db.settle(t.Context())
			}
		}
		for range 4 { // each connection reads the current segments
			if _, err := db.Search(t.Context(), Query{Text: "common"}); err != nil {
				t.Fatal(err)
			}
		}
		report, err := db.Check(t.Context(), false)
		if err != nil || !report.OK() {
			t.Fatalf("round %d: %+v, %v", round, report, err)
		}
		if _, err := db.Merge(t.Context()); err != nil {
			t.Fatal(err)
		}
		if report, err = db.Check(t.Context(), false); err != nil || !report.OK() {
			t.Fatalf("round %d, merged: %+v, %v", round, report, err)
		}
	}
}
