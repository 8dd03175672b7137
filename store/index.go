package store

import (
	"context"
	"errors"
	"slices"
	"sort"
	"sync"

	"github.com/jmoiron/sqlx"
)

const (
	keepAll        = 200    // candidates of any kind are looked at closely,
	keepCandidates = 900    // and what people said among so many: it is short
	maxPostings    = 60_000 // that one search reads from the index
	sureTerms      = 3      // of a query are looked up however frequent they are
	commonShare    = 0.05   // of all documents: a word in more of them tells little,
	commonLeast    = 1_000  // where there are enough
	countExactly   = 20_000 // documents with a word; beyond that their number is estimated
)

// index is one search's view of the database, over one connection.
type index struct {
	db   *DB
	conn *sqlx.Conn
	n    float64          // documents in all
	avg  map[Kind]float64 // tokens in one, on average
}

func (db *DB) openIndex(ctx context.Context) (*index, error) {
	conn, err := db.read.Connx(ctx)
	if err != nil {
		return nil, err
	}
	ix := &index{db: db, conn: conn, avg: map[Kind]float64{}}
	var rows []struct {
		Kind         Kind
		Docs, Tokens float64
	}
	if err := conn.SelectContext(ctx, &rows, `SELECT kind, sum(docs) AS docs, sum(tokens) AS tokens FROM totals GROUP BY kind`); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	for _, r := range rows {
		ix.n += r.Docs
		ix.avg[r.Kind] = r.Tokens / max(r.Docs, 1)
	}
	return ix, nil
}

func (ix *index) close() { _ = ix.conn.Close() }

// weigh gives each term its weight, and replaces misspelt ones.
func (ix *index) weigh(ctx context.Context, terms []term) (map[string]string, error) {
	var fixed map[string]string
	for i := range terms {
		df, err := ix.frequency(ctx, terms[i])
		if err != nil {
			return nil, err
		}
		if df == 0 && len(fixed) < maxCorrections {
			other, odf, err := ix.correct(ctx, terms[i])
			if err != nil {
				return nil, err
			}
			if odf > 0 {
				if fixed == nil {
					fixed = map[string]string{}
				}
				fixed[terms[i].word] = other.word
				terms[i], df = other, odf
			}
		}
		terms[i].df, terms[i].idf = df, idf(ix.n, df)
	}
	return fixed, nil
}

// candidates sums the weights of the terms over the documents that hold them,
// best first. The index would walk every posting of every word; this reads the
// rarest words, as far as the budget goes.
func (ix *index) candidates(ctx context.Context, sc scope, terms []term) ([]int64, error) {
	sum := map[int64]float64{}
	budget := maxPostings
	for i, t := range rarest(terms) {
		if t.df == 0 {
			continue
		}
		most := budget
		if i < sureTerms {
			most = max(budget, maxPostings/sureTerms)
		} else if t.df > min(max(commonShare*ix.n, commonLeast), float64(budget)) {
			break
		}
		for _, r := range sc.ranges() {
			ids, err := ix.postings(ctx, t, r, most)
			if err != nil {
				return nil, err
			}
			budget -= len(ids)
			for _, id := range ids {
				sum[id] += t.idf
			}
		}
	}
	return best(sum), nil
}

// best orders documents by their sums; ties go to the newest.
func best(sum map[int64]float64) []int64 {
	type doc struct {
		id  int64
		sum float64
	}
	docs := make([]doc, 0, len(sum))
	for id, s := range sum {
		docs = append(docs, doc{id, s})
	}
	sort.Slice(docs, func(i, j int) bool {
		if docs[i].sum != docs[j].sum {
			return docs[i].sum > docs[j].sum
		}
		return docs[i].id > docs[j].id
	})
	ids := make([]int64, len(docs))
	for i, d := range docs {
		ids[i] = d.id
	}
	return ids
}

// postingsQuery returns the newest documents with a word as one text: a row
// for each takes three times as long.
const postingsQuery = `SELECT group_concat(id) FROM
	(SELECT rowid & 0xFFFFFFFFFF AS id FROM docs_fts WHERE docs_fts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?)`

func (ix *index) postings(ctx context.Context, t term, r [2]int64, limit int) ([]int64, error) {
	var list *string
	if err := ix.conn.GetContext(ctx, &list, postingsQuery, match(t), r[0], r[1], limit); err != nil || list == nil {
		return nil, err
	}
	return parseIDs(*list)
}

// keep takes the best candidates that pass the filters of a query.
func (ix *index) keep(ctx context.Context, q Query, ids []int64) ([]int64, error) {
	where, args := q.filters()
	if where == "" {
		return ids, nil
	}
	var kept []int64
	for len(ids) > 0 && len(kept) < keepCandidates {
		n := min(len(ids), keepCandidates)
		query, all, err := sqlx.In(`SELECT d.id FROM docs d LEFT JOIN sessions s ON s.id = d.session_id WHERE d.id IN (?)`, ids[:n])
		if err != nil {
			return nil, err
		}
		var pass []int64
		if err := ix.conn.SelectContext(ctx, &pass, query+where, append(all, args...)...); err != nil {
			return nil, err
		}
		for _, id := range ids[:n] {
			if slices.Contains(pass, id) {
				kept = append(kept, id)
			}
		}
		ids = ids[n:]
	}
	return kept, nil
}

// load reads the best candidates of all kinds, and of those that follow only
// what people said.
func (ix *index) load(ctx context.Context, ids []int64) ([]candidate, error) {
	first := min(len(ids), keepAll)
	docs, err := ix.read(ctx, nil, ids[:first], "")
	if err != nil {
		return nil, err
	}
	return ix.read(ctx, docs, ids[first:min(len(ids), keepCandidates)], ` AND kind = 'prompt'`)
}

// candidate is what the score of a document needs of it.
type candidate struct {
	ID, Session, Turn, At, Tokens int64
	Kind                          Kind
	Title, Who, Text              string
}

const candidateQuery = `SELECT id, session_id, coalesce(turn_id, 0), at, tokens, kind, coalesce(title, ''), coalesce(who, ''), coalesce(input, ''), coalesce(output, ''), body
	FROM docs WHERE id IN (?)`

// read appends documents. It scans by hand: this is where a search spends its time.
func (ix *index) read(ctx context.Context, docs []candidate, ids []int64, where string) ([]candidate, error) {
	if len(ids) == 0 {
		return docs, nil
	}
	query, args, err := sqlx.In(candidateQuery, ids)
	if err != nil {
		return nil, err
	}
	rows, err := ix.conn.QueryContext(ctx, query+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var c candidate
		var d docRow
		if err := rows.Scan(&c.ID, &c.Session, &c.Turn, &c.At, &c.Tokens, &c.Kind, &c.Title, &c.Who, &d.Input, &d.Output, &d.Body); err != nil {
			return nil, err
		}
		c.Text = d.text()
		docs = append(docs, c)
	}
	return docs, rows.Err()
}

// termCache remembers in how many documents a word stands.
type termCache struct {
	mu    sync.Mutex
	df    map[string]frequency
	typos map[string]typo
}

// typo is the word that was found for a misspelt one, if any.
type typo struct {
	term term
	frequency
}

// frequency is a count of documents, and how many there were in all then.
type frequency struct{ df, n float64 }

const maxCached = 50_000

func newTermCache() *termCache {
	return &termCache{df: map[string]frequency{}, typos: map[string]typo{}}
}

// get reports false for a word that was not counted, or that was when there
// were many fewer documents.
func (c *termCache) get(stem string, n float64) (float64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, ok := c.df[stem]
	return f.df, ok && f.df > 0 && n <= f.n*1.1+10
}

func (c *termCache) put(stem string, f frequency) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.df) >= maxCached {
		clear(c.df)
	}
	c.df[stem] = f
}

func (c *termCache) correction(word string, n float64) (term, float64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.typos[word]
	return t.term, t.df, ok && n <= t.n*1.1+10
}

func (c *termCache) correct(word string, t term, f frequency) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.typos) >= maxCached/10 {
		clear(c.typos)
	}
	c.typos[word] = typo{t, f}
}

const frequencyQuery = `SELECT count(*), coalesce(min(rowid), 0), coalesce(max(rowid), 0) FROM
	(SELECT rowid FROM docs_fts WHERE docs_fts MATCH ? ORDER BY rowid DESC LIMIT ?)`

// frequency is in how many documents a term stands: exact for most words; for
// the most frequent ones an estimate by how densely they stand.
func (ix *index) frequency(ctx context.Context, t term) (float64, error) {
	if df, ok := ix.db.terms.get(t.stem, ix.n); ok {
		return df, nil
	}
	var n, low, high int64
	if err := ix.conn.QueryRowxContext(ctx, frequencyQuery, match(t), countExactly).Scan(&n, &low, &high); err != nil {
		return 0, err
	}
	df := float64(n)
	if n == countExactly {
		df = min(max(df, ix.n/2), ix.n)
		if low>>projectShift == high>>projectShift {
			df = min(max(df, df*ix.n/max(float64(docID(high)-docID(low)), df)), ix.n)
		}
	}
	ix.db.terms.put(t.stem, frequency{df, ix.n})
	return df, nil
}
