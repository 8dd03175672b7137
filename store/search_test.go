package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/privacy"
)

func search(t *testing.T, db *DB, q Query) Results {
	t.Helper()
	res, err := db.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return res
}

func ids(r Results) (out []int64) {
	for _, h := range r.Hits {
		out = append(out, h.ID)
	}
	return out
}

func put(t *testing.T, db *DB, project, session, text string) int64 {
	t.Helper()
	r, err := db.PutPrompt(t.Context(), Prompt{Session: ref(project, session), Text: clean(text)})
	if err != nil {
		t.Fatal(err)
	}
	return r.ID
}

func TestAMisspeltWordIsReplacedAndTheAnswerSaysSo(t *testing.T) {
	db := openTest(t)
	want := put(t, db, "p", "s", "the migration of the billing schema: we lost money to rounding")
	for typed, meant := range map[string]string{"migratoin": "migration", "migratoins": "migration", "loost": "lost"} {
		res := search(t, db, Query{Text: typed})
		if len(res.Hits) != 1 || res.Hits[0].ID != want || res.Corrections[typed] != meant {
			t.Errorf("%s: got %+v", typed, res)
		}
	}
	// "lostes" is one edit away and has the stem of "lost", but it occurs nowhere
	if res := search(t, db, Query{Text: "losses"}); len(res.Corrections) != 0 {
		t.Errorf("corrected to what nobody wrote: %v", res.Corrections)
	}
}

func TestScriptsWithoutSpacesAreFoundInsideASentence(t *testing.T) {
	db := openTest(t)
	want := put(t, db, "p", "s", "認証トークンの有効期限を三十分に変更した")
	put(t, db, "p", "s", "データベースの接続数を増やした")
	res := search(t, db, Query{Text: "有効期限"})
	if len(res.Hits) == 0 || res.Hits[0].ID != want {
		t.Errorf("got %v, want %d", ids(res), want)
	}
}

func TestSnippetsMarkTheWordsAndEscapeTheRest(t *testing.T) {
	db := openTest(t)
	put(t, db, "p", "s",
		strings.Repeat("filler text ", 60)+`<script>alert("retry")</script> & the backoff grows`+
			strings.Repeat(" more filler", 60))
	got := search(t, db, Query{Text: "backoff retries"}).Hits[0].Snippet
	for _, want := range []string{"<mark>backoff</mark>", "&lt;script&gt;", "<mark>retry</mark>", "&amp;"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q has no %q", got, want)
		}
	}
}

func TestFiltersAndScopeLeaveOutTheRest(t *testing.T) {
	db := openTest(t)
	here := put(t, db, "here", "s1", "cache eviction policy")
	there := put(t, db, "there", "s2", "cache eviction policy")
	o, err := db.PutObservation(t.Context(),
		Observation{Session: ref("here", "s1"), Tool: clean("Edit"), Title: clean("Edit cache.go"), Output: clean("eviction"),
			Files: []privacy.Clean{clean("src/cache.go")}, At: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		q    Query
		want []int64
	}{
		"project":         {Query{Text: "eviction", Project: "here", Type: KindPrompt}, []int64{here}},
		"other project":   {Query{Text: "eviction", Project: "there"}, []int64{there}},
		"unknown project": {Query{Text: "eviction", Project: "nowhere"}, nil},
		"no project":      {Query{Text: "eviction", ProjectID: NoProject}, nil},
		"tool":            {Query{Text: "eviction", Tool: "Edit"}, []int64{o.ID}},
		"file":            {Query{Text: "eviction", File: "cache.go"}, []int64{o.ID}},
		"agent":           {Query{Text: "eviction", Agent: "codex"}, nil},
		"until":           {Query{Text: "eviction", Until: time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)}, []int64{o.ID}},
		"recent tool":     {Query{Tool: "Edit"}, []int64{o.ID}},
	} {
		if got := ids(search(t, db, c.q)); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestAListSaysHowManyThereAre(t *testing.T) {
	db := openTest(t)
	for i := range 17 {
		put(t, db, "p", fmt.Sprint("s", i), "the same words about queues")
	}
	put(t, db, "other", "s", "the same words about queues")
	for _, offset := range []int{0, 5, 10, 16, 17, 100} {
		for _, limit := range []int{1, 7, 20} {
			if got := search(t, db, Query{Project: "p", Limit: limit, Offset: offset}); got.Total != 17 {
				t.Errorf("offset %d, limit %d: total %d, %d shown", offset, limit, got.Total, len(got.Hits))
			}
		}
	}
}

func TestPagesDoNotOverlap(t *testing.T) {
	db := openTest(t)
	for i := range 30 {
		put(t, db, "p", fmt.Sprint("s", i), "the same words about queues")
	}
	seen := map[int64]bool{}
	for offset := 0; offset < 30; offset += 7 {
		for _, id := range ids(search(t, db, Query{Text: "queues", Limit: 7, Offset: offset})) {
			if seen[id] {
				t.Errorf("document %d is on two pages", id)
			}
			seen[id] = true
		}
	}
	if len(seen) != 30 {
		t.Errorf("got %d documents, want 30", len(seen))
	}
}

// The stemmer must agree with the index, or a word that was found is not counted. It is compared with the index itself,
// for all words available.
func TestTheStemmerAgreesWithTheIndex(t *testing.T) {
	db := openTest(t)
	var text strings.Builder
	for _, w := range strings.Fields(
		`caresses ponies ties cats feed agreed plastered bled motoring sing conflated troubled sized hopping tanned falling
		hissing fizzed failing filing happy sky relational conditional rational valenci hesitanci digitizer conformabli
		radicalli differentli vileli analogousli vietnamization predication operator feudalism decisiveness hopefulness
		callousness formaliti sensitiviti sensibiliti triplicate formative formalize electriciti electrical hopeful goodness
		revival allowance inference airliner gyroscopic adjustable defensible irritant replacement adjustment dependent
		adoption homologou communism activate angulariti homologous effective bowdlerize probate rate cease controll roll
		generalizations oscillators ing ed s sss yes yyy eyes using used users was sky apology logging logi biologically
		agreement engineering databases caching caches cached retries retrying retried`) {
		text.WriteString(w + " ")
	}
	for suffix := range strings.FieldsSeq(stopProbe) {
		for _, root := range []string{"connect", "rat", "trouble", "sky", "hop", "fil", "a", "oe", "bly", "fizz"} {
			text.WriteString(root + suffix + " ")
		}
	}
	put(t, db, "p", "s", text.String())
	var terms []string
	if err := db.read.Select(&terms, `SELECT term FROM docs_terms`); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, term := range terms {
		known[term] = true
	}
	words(text.String(), func(w string, _ int) bool {
		if !known[stem(w)] {
			t.Errorf("%q is %q here and something else in the index", w, stem(w))
		}
		return true
	})
}

const stopProbe = `s es ed ing ly ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness
	aliti iviti biliti logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ion ou
	ism ate iti ous ive ize e ll y`

func TestSearchReadsTheIndexAndNoTable(t *testing.T) {
	db := openTest(t)
	plan := func(query string, args ...any) string {
		var rows []struct {
			ID, Parent, Notused int
			Detail              string
		}
		if err := db.read.Select(&rows, "EXPLAIN QUERY PLAN "+query, args...); err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, r := range rows {
			all = append(all, r.Detail)
		}
		return strings.Join(all, "; ")
	}
	for name, c := range map[string]struct{ plan, want, not string }{
		"postings": {plan(postingsQuery, `"a"`, 1, 2, 10), "VIRTUAL TABLE INDEX", "TEMP B-TREE"},
		"pages": {plan(startsQuery, `{"1":1}`, "0a"), "SEARCH docs_fts_idx USING PRIMARY KEY (segid=? AND term<?)",
			"TEMP B-TREE"},
		"documents": {plan(`SELECT ` + docColumns + ` FROM docs d WHERE d.id IN (1, 2)`), "USING INTEGER PRIMARY KEY",
			"SCAN"},
		"recent": {plan(`SELECT ` + fullColumns + fullJoin +
			` WHERE 1 AND d.project_id IN (1) ORDER BY d.at DESC, d.id DESC LIMIT 10`), "docs_by_time", "TEMP B-TREE"},
		"order": {plan(
			`SELECT session_id, id FROM docs WHERE kind = 'prompt' AND session_id IN (1, 2) ORDER BY session_id, at, id`),
			"docs_prompts", "TEMP B-TREE"},
	} {
		if !strings.Contains(c.plan, c.want) || strings.Contains(c.plan, c.not) {
			t.Errorf("%s: %s", name, c.plan)
		}
	}
}

// ascii removes characters for which SQLite's and Go's tables may differ, because they follow different versions of
// Unicode.
func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

func FuzzAnyTextIsAQuery(f *testing.F) {
	for _, s := range []string{"", `"`, `a" OR "b`, "NEAR(a b)", "a*", "^x", "col:x", "-", "\x00", "\xff\xfe", "日本", "é́",
		"ǅ", "ⅷ", "𐐀𐐁", "a AND", "(", "'; DROP TABLE docs", "foo_bar.baz()", "Ünïcödé"} {
		f.Add(s)
	}
	db, err := Open(f.Context(), Options{Path: f.TempDir() + "/memory.db"})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := db.Close(); err != nil {
			f.Error(err)
		}
	})
	f.Fuzz(func(t *testing.T, s string) {
		text := strings.ToValidUTF8(s, " ") // as a query reads it
		want := put(t, db, "p", "s", text)
		res, err := db.Search(t.Context(), Query{Text: s, Limit: 100})
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		for _, h := range res.Hits {
			if h.ID == want {
				return
			}
		}
		if len(res.Hits) < 100 && len(parse(s)) > 0 && ascii(text) {
			t.Errorf("%q does not find itself", s)
		}
	})
}

func TestWhatWasDoneInOneTurnBelongsTogether(t *testing.T) {
	db := openTest(t)
	edit := func(session, file, text string) int64 {
		t.Helper()
		r, err := db.PutObservation(t.Context(),
			Observation{Session: ref("p", session), Tool: clean("Edit"), Title: clean("Edit " + file), Output: clean(text)})
		if err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
	want := edit("fix", "jar.go", "keep the cookie of the domain")
	edit("fix", "jar_test.go", "redirect across hosts drops the authorization header")
	edit("other", "box.go", "keep the cookie of the domain")
	edit("other", "box_test.go", "nothing to see")
	res := search(t, db, Query{Text: "cookie redirect authorization header"})
	if got := ids(res); len(got) < 3 || slices.Index(got, want) > slices.Index(got, want+2) {
		t.Errorf("got %v: %d should stand before its twin of another turn", got, want)
	}
}

// Searches remember how many documents have a word, and what a misspelt word stands for.
func TestWhatSearchesRememberGoesWithWhatIsForgotten(t *testing.T) {
	db := openTest(t)
	for i := range 100 {
		put(t, db, "p", fmt.Sprint("s", i%3), fmt.Sprint("the walrus sings song number ", i))
	}
	put(t, db, "p", "s", "the quokkapassage of the walrus")
	kept := put(t, db, "p", "kept", "the walrus rests")
	if got := search(t, db, Query{Text: "quokkapasage"}).Corrections; got["quokkapasage"] != "quokkapassage" {
		t.Fatalf("got %v", got)
	}
	search(t, db, Query{Text: "walrus"})
	for _, session := range []string{"s0", "s1", "s2", "s"} {
		forget(t, db, Selection{Session: session})
	}
	res := search(t, db, Query{Text: "walrus quokkapasage"})
	if len(res.Corrections) != 0 {
		t.Errorf("it offers what was forgotten: %v", res.Corrections)
	}
	if len(res.Hits) != 1 || res.Hits[0].ID != kept || res.Hits[0].Score <= 0 {
		t.Errorf("got %+v", res.Hits)
	}
	if w := idf(2, 102); w < 0 {
		t.Errorf("a word has a weight of %v", w)
	}
}
