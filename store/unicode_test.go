package store

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"keepmum/longtest"
)

// The words of a query and those of the index are cut and folded by different code, which must agree on every
// character: a word that only one of them has is never found, and a query of several words in quotes is an error.
func TestEveryCharacterIsReadAsTheIndexReadsIt(t *testing.T) {
	db, err := sqlx.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	defer func() { _ = db.Close() }()
	db.MustExec(`CREATE VIRTUAL TABLE f USING fts5(text, content = '', detail = none,
		tokenize = 'unicode61 remove_diacritics 2')`)
	db.MustExec(`CREATE VIRTUAL TABLE v USING fts5vocab(f, instance)`)
	tx := db.MustBegin()
	looked := 0
	for r := rune(0x80); r < 0x20000; r++ {
		if utf8.ValidRune(r) && (r < 0x3000 || longtest.Every(8, int(r))) { // above are Han, Hangul and rare ones
			looked++
			tx.MustExec(`INSERT INTO f(rowid, text) VALUES (?, ?)`, int(r), around(r))
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Doc  int
		Term string
	}
	if err := db.Select(&rows, `SELECT doc, term FROM v`); err != nil {
		t.Fatal(err)
	}
	read := map[rune][]string{}
	for _, row := range rows {
		read[rune(row.Doc)] = append(read[rune(row.Doc)], row.Term)
	}
	later := 0
	for r, want := range read {
		var got []string
		words(around(r), func(w string, _ int) bool { got = append(got, fold(w)); return true })
		slices.Sort(got)
		slices.Sort(want)
		switch {
		case slices.Equal(slices.Compact(got), slices.Compact(want)):
		case len(want) == 1 && !(unicode.IsLetter(r) && unicode.In(r, common...)):
			later++ // the tokenizer takes what came after Unicode 6.1 for letters
		default:
			t.Errorf("%U %c: %q, in the index %q", r, r, got, want)
		}
	}
	if later > looked*3/8 || len(read) < looked*7/9 {
		t.Errorf("%d of %d characters differ, of %d", later, len(read), looked)
	}
}

// common are alphabets in which every letter must agree.
var common = []*unicode.RangeTable{{R16: []unicode.Range16{
	{Lo: 0x80, Hi: 0x1DC, Stride: 1},    // Latin
	{Lo: 0x386, Hi: 0x3CE, Stride: 1},   // Greek
	{Lo: 0x400, Hi: 0x527, Stride: 1},   // Cyrillic
	{Lo: 0x5D0, Hi: 0x5EA, Stride: 1},   // Hebrew
	{Lo: 0x620, Hi: 0x669, Stride: 1},   // Arabic
	{Lo: 0x904, Hi: 0x96F, Stride: 1},   // Devanagari
	{Lo: 0xE01, Hi: 0xE59, Stride: 1},   // Thai
	{Lo: 0x1E00, Hi: 0x1EFF, Stride: 1}, // Latin of Vietnam
	{Lo: 0x3041, Hi: 0x30FF, Stride: 1}, // Japanese
	{Lo: 0x4E00, Hi: 0x9FCB, Stride: 1}, // Chinese
	{Lo: 0xAC00, Hi: 0xD7A3, Stride: 1}, // Korean
}}}

func TestWordsOfAnyLanguageAreFoundAndForgotten(t *testing.T) {
	db := openTest(t)
	for _, text := range []string{"файл настройка ещё", "αρχείο σίσυφος", "ガイド バグ", "दस्तावेज़ हिन्दी", "தமிழ்",
		"steps 1️⃣2️⃣ first", "größe naïve", "yarın", "ຄວາມ", "ᦺᦑ"} {
		want := put(t, db, "p", "s", "note: "+text)
		for _, w := range append(strings.Fields(text), strings.ToUpper(text)) {
			if w == "YARIN" {
				continue // in Turkish only
			}
			res := search(t, db, Query{Text: "where is " + w + " now"})
			if len(res.Hits) == 0 || res.Hits[0].ID != want {
				t.Errorf("%q: found %v, want %d", w, ids(res), want)
			}
			plan, err := db.PlanForget(t.Context(), Selection{Words: w})
			if err != nil || !slices.Contains(plan.Docs, want) {
				t.Errorf("%q: to be forgotten are %v: %v", w, plan.Docs, err)
			}
		}
	}
}

func around(r rune) string { return "qa" + string(r) + "bq" }
