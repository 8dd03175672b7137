package store

import (
	"context"
	"errors"
	"math"
	"sync"
)

// countExactly is up to how many documents with a word are counted; beyond that, their number is estimated.
const countExactly = 5_000

// index is one search's view of the database, on one connection.
type index struct {
	db *DB
	*seeker
	n   float64           // documents in all
	of  map[int64]float64 // documents of a project
	avg map[Kind]float64  // tokens in one, on average

	rare map[string][]int64 // row ids of words counted in this search, newest first

	segments []segment // of the full-text index
	firsts   string    // their first pages; "" = not read yet
	decoded  []int64   // the rows of one page
}

func (db *DB) openIndex(ctx context.Context) (*index, error) {
	s, err := db.seek(ctx)
	if err != nil {
		return nil, err
	}
	ix := &index{db: db, seeker: s, avg: map[Kind]float64{}, of: map[int64]float64{}, rare: map[string][]int64{}}
	var rows []struct {
		Project      int64 `db:"project_id"`
		Kind         Kind
		Docs, Tokens float64
	}
	if err := ix.list(ctx, &rows, `SELECT project_id, kind, docs, tokens FROM totals`); err != nil {
		return nil, errors.Join(err, db.release(ctx, s))
	}
	docs := map[Kind]float64{}
	for _, r := range rows {
		ix.n += r.Docs
		ix.of[r.Project] += r.Docs
		docs[r.Kind] += r.Docs
		ix.avg[r.Kind] += r.Tokens
	}
	for kind, n := range docs {
		ix.avg[kind] /= max(n, 1)
	}
	return ix, nil
}

func (ix *index) close(ctx context.Context) {
	_ = ix.db.release(ctx, ix.seeker) // closing fails only for a connection that is already broken
}

// weigh gives each term its weight and replaces misspelt terms. Words in retired memories are spelt correctly.
func (ix *index) weigh(ctx context.Context, terms []term, past retiredMemories) (map[string]string, error) {
	var fixed map[string]string
	tries := 0
	for i := range terms {
		df, err := ix.frequency(ctx, terms[i])
		if err != nil {
			return nil, err
		}
		df += past.count(i)
		if df == 0 && tries < maxCorrections && correctable(terms[i]) {
			tries++
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

// termCache remembers how many documents contain a word.
type termCache struct {
	mu    sync.Mutex
	df    map[string]frequency
	typos map[string]typo
}

// typo is the replacement for a misspelt word, if there is one.
type typo struct {
	term term
	frequency
}

// frequency is the number of documents with a word, and of all documents at that time.
type frequency struct{ df, n float64 }

const maxCached = 50_000

func newTermCache() *termCache {
	return &termCache{df: map[string]frequency{}, typos: map[string]typo{}}
}

// clear drops all words: what was forgotten must not be offered as a correction.
func (c *termCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.df)
	clear(c.typos)
}

// about reports whether there are about as many documents now as when a word was counted.
func (f frequency) about(n float64) bool { return n <= f.n*1.1+10 && f.n <= n*1.1+10 }

// get returns false for a word that was not counted, or was counted when there were many more or fewer documents.
func (c *termCache) get(stem string, n float64) (float64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, ok := c.df[stem]
	return f.df, ok && f.df > 0 && f.about(n)
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
	return t.term, t.df, ok && t.about(n)
}

func (c *termCache) correct(word string, t term, f frequency) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.typos) >= maxCached/10 {
		clear(c.typos)
	}
	c.typos[word] = typo{t, f}
}

// frequency returns how many documents contain a term. The number is exact for most words; for the most frequent ones
// it is estimated from how densely they occur.
func (ix *index) frequency(ctx context.Context, t term) (float64, error) {
	if df, ok := ix.db.terms.get(t.stem, ix.n); ok {
		return df, nil
	}
	rows, err := ix.postings(ctx, t, [2]int64{0, math.MaxInt64}, countExactly)
	if err != nil {
		return 0, err
	}
	df := float64(len(rows))
	if n := len(rows); n == countExactly {
		low, high := rows[n-1], rows[0]
		df = min(max(df, ix.n/2), ix.n)
		if low>>projectShift == high>>projectShift {
			df = min(max(df, df*ix.n/max(float64(docID(high)-docID(low)), df)), ix.n)
		}
	} else if n > 0 { // the search asks for them next
		ix.rare[t.stem] = rows
	}
	ix.db.terms.put(t.stem, frequency{df, ix.n})
	return df, nil
}
