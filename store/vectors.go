package store

import (
	"context"
	"fmt"
	"math"
	"slices"

	"keepmum/privacy"
)

// Vector is the meaning of a text, as an embedding model returns it.
type Vector struct {
	Doc    int64
	Values []float32 // nil: the text must not be sent to the model
}

// Meaning is the embedding of a query. Its zero value leaves the search unchanged.
type Meaning struct {
	Model  string // digest of the model
	Values []float32
}

// Text is a document without a vector.
type Text struct {
	ID   int64
	Text string
}

const wordlessQuery = `SELECT d.id, trim(coalesce(d.title, '') || char(10) || coalesce(d.body, '')) AS text
	FROM docs d INDEXED BY docs_meaning LEFT JOIN vectors v ON v.doc_id = d.id AND v.model = ?
	WHERE d.kind IN ('prompt', 'summary', 'memory') AND d.id < ? AND v.doc_id IS NULL AND d.tokens > 0
	ORDER BY d.id DESC LIMIT ?`

// Unembedded lists messages, and what was derived from them, that have no vector from a model, newest first, starting
// below an id (0 = the newest).
func (db *DB) Unembedded(ctx context.Context, model string, below int64, limit int) ([]Text, error) {
	if below == 0 {
		below = math.MaxInt64
	}
	var out []Text
	err := db.read.SelectContext(ctx, &out, wordlessQuery, model, below, limit)
	return out, translate(err)
}

// PutVectors stores vectors, and records which texts have none.
func (db *DB) PutVectors(ctx context.Context, model privacy.Clean, vectors []Vector) error {
	err := db.writer.do(ctx, func(s *txState) error {
		for _, v := range vectors {
			if err := s.exec(`INSERT INTO vectors (doc_id, model, vector) SELECT id, ?, ? FROM docs WHERE id = ?
				ON CONFLICT DO UPDATE SET model = excluded.model, vector = excluded.vector`, model, pack(v.Values),
				v.Doc); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep vectors: %w", err)
	}
	return nil
}

// Embedded counts the texts that have a vector, and all that could have one.
func (db *DB) Embedded(ctx context.Context) (done, all int64, err error) {
	err = db.read.GetContext(ctx, &done, `SELECT count(*) FROM vectors`)
	if err == nil {
		err = db.read.GetContext(ctx, &all,
			`SELECT coalesce(sum(docs), 0) FROM totals WHERE kind IN ('prompt', 'summary', 'memory')`)
	}
	return done, all, translate(err)
}

// pack writes a vector of length one with one byte per number: search only needs an order, and a quarter of the bytes
// gives the same one.
func pack(v []float32) []byte {
	norm := 0.0
	for _, x := range v {
		norm += float64(x) * float64(x)
	}
	out := make([]byte, len(v))
	for i, x := range v {
		out[i] = byte(int8(math.Round(127 * float64(x) / max(math.Sqrt(norm), 1e-12))))
	}
	return out
}

// alike returns the cosine of two packed vectors.
func alike(a, b []byte) float64 {
	sum := 0
	for i := range a {
		sum += int(int8(a[i])) * int(int8(b[i]))
	}
	return float64(sum) / (127 * 127)
}

const (
	neighbours   = 50     // number of texts with a similar meaning that are read
	maxVectors   = 50_000 // of a scope, newest first, so that a search stays quick
	minAlike     = 0.35   // below this, two texts are unrelated
	reciprocalAt = 60     // the usual constant of reciprocal rank fusion (Cormack et al. 2009)
)

const vectorsQuery = `SELECT v.doc_id AS id, v.vector FROM vectors v CROSS JOIN docs d ON d.id = v.doc_id LEFT
	JOIN sessions s ON s.id = d.session_id
	WHERE v.model = ? AND length(v.vector) = ? AND NOT (d.kind = 'memory' AND d.role IS NOT NULL)`

// nearest returns the texts in scope that are nearest in meaning, nearest first.
func (ix *index) nearest(ctx context.Context, q Query, sc scope) ([]int64, error) {
	want := pack(q.Meaning.Values)
	where, args := q.filters()
	query := vectorsQuery + where + sc.projectCondition() + ` ORDER BY v.doc_id DESC LIMIT ?`
	var rows []struct {
		ID     int64
		Vector []byte
	}
	if err := ix.list(ctx, &rows, query,
		append(append([]any{q.Meaning.Model, len(want)}, args...), maxVectors)...); err != nil {
		return nil, err
	}
	type near struct {
		id    int64
		alike float64
	}
	var all []near
	for _, r := range rows {
		if n := alike(want, r.Vector); n >= minAlike {
			all = append(all, near{r.ID, n})
		}
	}
	slices.SortFunc(all, func(a, b near) int {
		switch {
		case a.alike > b.alike:
			return -1
		case a.alike < b.alike:
			return 1
		}
		return int(b.id - a.id)
	})
	var ids []int64
	for _, n := range all[:min(len(all), neighbours)] {
		ids = append(ids, n.id)
	}
	return ids, nil
}

// fuse merges the results by words and by meaning by reciprocal rank. The best keeps its score; the others get a
// fraction of it, so that scores still decrease.
func (ix *index) fuse(ctx context.Context, q Query, sc scope, scored []scoredDoc) ([]scoredDoc, error) {
	ids, err := ix.nearest(ctx, q, sc)
	if err != nil || len(ids) == 0 {
		return scored, err
	}
	rank := map[int64]float64{}
	docs := map[int64]*candidate{}
	top := 1.0
	for i, d := range scored {
		rank[d.doc.ID] += 1 / float64(reciprocalAt+i+1)
		docs[d.doc.ID] = d.doc
		top = max(top, d.score)
	}
	var missing []int64
	for i, id := range ids {
		rank[id] += 1 / float64(reciprocalAt+i+1)
		if docs[id] == nil {
			missing = append(missing, id)
		}
	}
	more, err := ix.read(ctx, missing)
	if err != nil {
		return nil, err
	}
	for _, d := range more {
		docs[d.ID] = d
	}
	out := make([]scoredDoc, 0, len(docs))
	for id, d := range docs {
		out = append(out, scoredDoc{d, top * rank[id] * (reciprocalAt + 1) / 2})
	}
	sortScored(out)
	return out, nil
}
