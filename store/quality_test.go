package store

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"keepmum/privacy"
)

// evalDoc and evalQuery are the lines of a retrieval set: docs.jsonl and queries.jsonl.
type evalDoc struct {
	ID, Group, Session, TS, Who, Title, Text string
}

type evalQuery struct {
	ID, Group, Text, Cat string
	Rel                  []string
	RelSessions          []string `json:"rel_sessions"`
}

// TestSearchQuality measures the sets in the directory MUM_EVAL_DIR, or in its subdirectory retrieval (each set has
// docs.jsonl and queries.jsonl), and prints a table. The thresholds are for the set "dialogue"; the others are code
// edits.
func TestSearchQuality(t *testing.T) {
	dir := os.Getenv("MUM_EVAL_DIR")
	if dir == "" {
		t.Skip("MUM_EVAL_DIR names no directory of retrieval sets")
	}
	var sets []string
	for _, in := range []string{dir, filepath.Join(dir, "retrieval")} {
		found, err := filepath.Glob(filepath.Join(in, "*", "queries.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, found...)
	}
	if len(sets) == 0 {
		t.Skipf("no retrieval set in %s", dir)
	}
	var code codeSets
	for _, set := range sets {
		set = filepath.Dir(set)
		t.Run(filepath.Base(set), func(t *testing.T) { measureSet(t, set, &code) })
	}
	if code.n > 0 {
		t.Logf("%.0f code sets: NDCG@10 %.1f, with summaries %.1f, plain %.1f", code.n, code.ours/code.n, code.told/code.n,
			code.plain/code.n)
		atLeast(t, "NDCG@10 with summaries over the code sets", code.told/code.n, code.ours/code.n-summariesCost)
		atLeast(t, "NDCG@10 over the code sets", code.ours/code.n, code.plain/code.n+4)
	}
}

// codeSets adds up NDCG@10 over the sets of code edits. Sets differ in difficulty from repository to repository, so all
// of them are compared with a plain search for the same words.
type codeSets struct{ n, ours, told, plain float64 } // told: with summaries

// summariesCost is how much summaries may reduce the score: they displace no documents, but they change how rare a word
// is.
const summariesCost = 0.5

func measureSet(t *testing.T, dir string, code *codeSets) {
	db := openTest(t)
	docs := readLines[evalDoc](t, filepath.Join(dir, "docs.jsonl"))
	ids, sessions := map[int64]string{}, map[string]string{}
	for _, d := range docs {
		ids[putEval(t, db, d)] = d.ID
		sessions[d.ID] = d.Session
	}
	queries := readLines[evalQuery](t, filepath.Join(dir, "queries.jsonl"))
	turns, whole := askSet(t, db, queries, ids, sessions)
	summarise(t, db)
	turnsToo, wholeToo := askSet(t, db, queries, ids, sessions)
	t.Logf("%s: %d docs, %.0f queries", filepath.Base(dir), len(docs), turns.n)
	report(t, "", turns, whole)
	report(t, "with summaries, ", turnsToo, wholeToo)
	if filepath.Base(dir) == "dialogue" {
		atLeast(t, "NDCG@10 with summaries", turnsToo.mean(turnsToo.ndcg), turns.mean(turns.ndcg)-summariesCost)
		atLeast(t, "turn R@5", turns.mean(turns.r5), 65)
		atLeast(t, "turn NDCG@10", turns.mean(turns.ndcg), 57)
		atLeast(t, "session Hit@5", whole.mean(whole.hit5), 93)
		return
	}
	plain := plainSearch(t, docs, queries)
	t.Logf("plain:     R@5 %.1f  R@10 %.1f  NDCG@10 %.1f", plain.mean(plain.r5), plain.mean(plain.r10),
		plain.mean(plain.ndcg))
	code.n++
	code.ours += turns.mean(turns.ndcg)
	code.told += turnsToo.mean(turnsToo.ndcg)
	code.plain += plain.mean(plain.ndcg)
}

func report(t *testing.T, how string, turns, whole scores) {
	t.Helper()
	t.Logf("%sdocuments: R@5 %.1f  R@10 %.1f  NDCG@10 %.1f", how, turns.mean(turns.r5), turns.mean(turns.r10),
		turns.mean(turns.ndcg))
	t.Logf("%ssessions:  Hit@1 %.1f  Hit@5 %.1f", how, whole.mean(whole.hit1), whole.mean(whole.hit5))
}

// askSet measures the answers to all queries except the adversarial ones. Summaries are never listed as relevant, so
// they can only lower the score.
func askSet(t *testing.T, db *DB, queries []evalQuery, ids map[int64]string,
	sessions map[string]string) (turns, whole scores) {
	t.Helper()
	for _, q := range queries {
		if q.Cat == "5-adversarial" {
			continue
		}
		res, err := db.Search(t.Context(), Query{Text: q.Text, Project: q.Group, Limit: 20})
		if err != nil {
			t.Fatal(err)
		}
		var got, gotSessions []string
		seen := map[string]bool{}
		for _, h := range res.Hits {
			id := ids[h.ID]
			got = append(got, id)
			if s := sessions[id]; !seen[s] {
				seen[s] = true
				gotSessions = append(gotSessions, s)
			}
		}
		turns.add(got, q.Rel)
		whole.add(gotSessions, q.RelSessions)
	}
	return turns, whole
}

// summarise writes a summary of each turn and session as a model-free one would be: the beginnings of messages.
func summarise(t *testing.T, db *DB) {
	t.Helper()
	for {
		jobs, err := db.UndraftedJobs(t.Context(), 200)
		if err != nil {
			t.Fatal(err)
		}
		if len(jobs) == 0 {
			return
		}
		for _, job := range jobs {
			rows, err := db.Unit(t.Context(), job)
			if err != nil {
				t.Fatal(err)
			}
			var sum *Summary
			if len(rows) > 0 {
				said := make([]string, 0, 8)
				for _, r := range rows[:min(len(rows), 8)] {
					said = append(said, clip(r.Text, 100))
				}
				sum = &Summary{Title: clean(clip(rows[0].Text, 80)), Text: clean("Asked: " + strings.Join(said, "; ")),
					Type: clean("feature")}
			}
			if err := db.PutDraft(t.Context(), job, sum, true); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// plainSearch is the baseline: any of the quoted content words, ranked by SQLite's own bm25.
func plainSearch(t *testing.T, docs []evalDoc, queries []evalQuery) (s scores) {
	db, err := sqlx.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	db.MustExec(`CREATE VIRTUAL TABLE plain USING fts5(id UNINDEXED, scope UNINDEXED, title, body,
		tokenize = 'porter unicode61 remove_diacritics 2')`)
	for _, d := range docs {
		db.MustExec(`INSERT INTO plain VALUES (?, ?, ?, ?)`, d.ID, d.Group, d.Title, d.Text)
	}
	for _, q := range queries {
		var any, got []string
		for _, term := range parse(q.Text) {
			if !term.ident {
				any = append(any, match(term))
			}
		}
		if err := db.Select(&got, `SELECT id FROM plain WHERE plain MATCH ? AND scope = ? ORDER BY bm25(plain) LIMIT 20`,
			strings.Join(any, " OR "), q.Group); err != nil {
			t.Fatal(err)
		}
		s.add(got, q.Rel)
	}
	return s
}

func atLeast(t *testing.T, name string, got, want float64) {
	t.Helper()
	if got < want {
		t.Errorf("%s is %.1f, want at least %.1f", name, got, want)
	}
}

// putEval stores a document as a client over HTTP would.
func putEval(t *testing.T, db *DB, d evalDoc) int64 {
	t.Helper()
	at, err := time.Parse("2006-01-02T15:04:05", d.TS[:min(len(d.TS), 19)])
	if d.TS != "" && err != nil {
		t.Fatal(err)
	}
	session := ref(d.Group, d.Session)
	var r Receipt
	if d.Title == "" {
		text := d.Text
		if d.Who != "" {
			text = d.Who + ": " + text
		}
		r, err = db.PutPrompt(t.Context(), Prompt{Session: session, Role: RoleUser, Text: clean(text), At: at})
	} else {
		out, _ := json.Marshal(d.Text)
		in, _ := json.Marshal(map[string]string{"file_path": d.Title})
		r, err = db.PutObservation(t.Context(),
			Observation{Session: session, Tool: clean(d.Who), Title: clean(d.Who + " " + d.Title), Input: clean(string(in)),
				Output: clean(string(out)), Files: []privacy.Clean{clean(d.Title)}, At: at})
	}
	if err != nil {
		t.Fatal(err)
	}
	return r.ID
}

func readLines[T any](t *testing.T, path string) (out []T) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var v T
		if err := json.Unmarshal(sc.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// scores adds up the usual retrieval measures over queries.
type scores struct{ n, r5, r10, hit1, hit5, ndcg float64 }

func (s *scores) add(got, want []string) {
	rel := map[string]bool{}
	for _, w := range want {
		rel[w] = true
	}
	var in5, in10, first, dcg, ideal float64
	for i, g := range got {
		if !rel[g] || i >= 10 {
			continue
		}
		dcg += 1 / math.Log2(float64(i)+2)
		in10++
		if i < 5 {
			in5++
		}
		if i == 0 {
			first++
		}
	}
	for i := range min(10, len(rel)) {
		ideal += 1 / math.Log2(float64(i)+2)
	}
	s.n++
	s.r5 += in5 / float64(len(rel))
	s.r10 += in10 / float64(len(rel))
	s.hit1 += first
	s.hit5 += min(in5, 1)
	s.ndcg += dcg / ideal
}

func (s *scores) mean(sum float64) float64 { return 100 * sum / s.n }
