package store

import (
	"context"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
)

const (
	keepCandidates = 300
	maxLimit       = 100
)

// Search finds the documents that a text is about. Any text is a valid one.
func (db *DB) Search(ctx context.Context, q Query) (Results, error) {
	if q.Limit <= 0 || q.Limit > maxLimit {
		q.Limit = min(max(q.Limit, 20), maxLimit)
	}
	out, err := db.search(ctx, q)
	if err != nil {
		return Results{}, fmt.Errorf("search: %w", translate(err))
	}
	return out, nil
}

func (db *DB) search(ctx context.Context, q Query) (Results, error) {
	scope, err := db.scope(ctx, q)
	if err != nil || scope.none {
		return Results{}, err
	}
	terms := parse(q.Text)
	if len(terms) == 0 {
		return db.recent(ctx, q, scope)
	}
	ix, err := db.openIndex(ctx)
	if err != nil {
		return Results{}, err
	}
	defer ix.close()
	return ix.search(ctx, q, scope, terms)
}

// scope is which projects are searched.
type scope struct {
	projects []int64 // empty = all
	none     bool    // a project was named that is not known
}

func (db *DB) scope(ctx context.Context, q Query) (scope, error) {
	if q.ProjectID == NoProject {
		return scope{none: true}, nil
	}
	if q.ProjectID != 0 {
		return scope{projects: []int64{q.ProjectID}}, nil
	}
	if q.Project == "" || q.Project == "*" {
		return scope{}, nil
	}
	ids, err := db.ProjectsNamed(ctx, q.Project)
	return scope{projects: ids, none: len(ids) == 0}, err
}

// ranges are the parts of the index that a scope covers.
func (s scope) ranges() [][2]int64 {
	if len(s.projects) == 0 {
		return [][2]int64{{0, math.MaxInt64}}
	}
	var out [][2]int64
	for _, p := range s.projects {
		out = append(out, [2]int64{indexID(p, 0), indexID(p+1, 0) - 1})
	}
	return out
}

// index is one search's view of the database, over one connection.
type index struct {
	db   *DB
	conn *sqlx.Conn
	n    float64 // documents in all
	avg  float64 // tokens in one, on average
}

func (db *DB) openIndex(ctx context.Context) (*index, error) {
	conn, err := db.read.Connx(ctx)
	if err != nil {
		return nil, err
	}
	ix := &index{db: db, conn: conn}
	var docs, tokens float64
	err = conn.QueryRowxContext(ctx, `SELECT coalesce(sum(docs), 0), coalesce(sum(tokens), 0) FROM totals`).Scan(&docs, &tokens)
	ix.n, ix.avg = max(docs, 1), max(tokens/max(docs, 1), 1)
	return ix, err
}

func (ix *index) close() { _ = ix.conn.Close() }

func (ix *index) search(ctx context.Context, q Query, sc scope, terms []term) (Results, error) {
	terms, fixed, err := ix.weigh(ctx, terms)
	if err != nil {
		return Results{}, err
	}
	ids, err := ix.candidates(ctx, sc, terms)
	if err != nil {
		return Results{}, err
	}
	docs, err := ix.load(ctx, q, ids)
	if err != nil {
		return Results{}, err
	}
	scored := ix.rescore(q, terms, docs)
	out := Results{Total: len(scored), Corrections: fixed}
	for _, sd := range page(scored, q.Offset, q.Limit) {
		out.Hits = append(out.Hits, sd.hit(terms))
	}
	return out, nil
}

func page[T any](all []T, offset, limit int) []T {
	offset = min(max(offset, 0), len(all))
	return all[offset:min(offset+limit, len(all))]
}

// weigh gives each term its weight.
func (ix *index) weigh(ctx context.Context, terms []term) ([]term, map[string]string, error) {
	for i := range terms {
		df, err := ix.frequency(ctx, terms[i])
		if err != nil {
			return nil, nil, err
		}
		terms[i].df = df
		terms[i].idf = math.Log(1 + (ix.n-df+0.5)/(df+0.5))
	}
	return terms, nil, nil
}

// candidates sums the weights of the terms over the documents that hold them,
// rarest first, and keeps the best.
func (ix *index) candidates(ctx context.Context, sc scope, terms []term) ([]int64, error) {
	sum := map[int64]float64{}
	budget := 60_000
	for i, t := range rarest(terms) {
		if t.df == 0 || i >= 3 && t.df > float64(budget) {
			continue
		}
		for _, r := range sc.ranges() {
			ids, err := ix.postings(ctx, t, r)
			if err != nil {
				return nil, err
			}
			budget -= len(ids)
			for _, id := range ids {
				sum[id] += t.idf
			}
		}
	}
	return best(sum, keepCandidates), nil
}

func best(sum map[int64]float64, keep int) []int64 {
	ids := make([]int64, 0, len(sum))
	for id := range sum {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool {
		if a, b := sum[ids[i]], sum[ids[j]]; a != b {
			return a > b
		}
		return ids[i] > ids[j]
	})
	return ids[:min(len(ids), keep)]
}

// postings returns the documents that hold a term. They come as one text: a
// row for each would take three times as long.
func (ix *index) postings(ctx context.Context, t term, r [2]int64) ([]int64, error) {
	var list *string
	err := ix.conn.GetContext(ctx, &list, `SELECT group_concat(rowid) FROM docs_fts WHERE docs_fts MATCH ? AND rowid BETWEEN ? AND ?`, match(t), r[0], r[1])
	if err != nil || list == nil {
		return nil, err
	}
	ids := make([]int64, 0, strings.Count(*list, ",")+1)
	for part := range strings.SplitSeq(*list, ",") {
		id, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return nil, err
		}
		ids = append(ids, docID(id))
	}
	return ids, nil
}

// termCache remembers in how many documents a word stands.
type termCache struct {
	mu sync.Mutex
	df map[string]frequency
}

type frequency struct{ df, n float64 }

func newTermCache() *termCache { return &termCache{df: map[string]frequency{}} }

// frequency estimates in how many documents a term stands: exactly for a rare
// one, by the density of its newest postings for a frequent one.
func (ix *index) frequency(ctx context.Context, t term) (float64, error) {
	c := ix.db.terms
	c.mu.Lock()
	f, ok := c.df[t.stem]
	c.mu.Unlock()
	if ok && ix.n < f.n*1.1+10 && f.df > 0 {
		return f.df, nil
	}
	const sample = 1000
	var n int
	var low int64
	err := ix.conn.QueryRowxContext(ctx, `SELECT count(*), coalesce(min(rowid & 0xFFFFFFFFFF), 0) FROM
		(SELECT rowid FROM docs_fts WHERE docs_fts MATCH ? ORDER BY rowid DESC LIMIT ?)`, match(t), sample).Scan(&n, &low)
	if err != nil {
		return 0, err
	}
	df := float64(n)
	if n == sample {
		df = min(max(df, df*ix.n/max(ix.n-float64(low), df)), ix.n)
	}
	c.mu.Lock()
	if len(c.df) > 100_000 {
		clear(c.df)
	}
	c.df[t.stem] = frequency{df, ix.n}
	c.mu.Unlock()
	return df, nil
}

// load reads the candidates that pass the filters of the query.
func (ix *index) load(ctx context.Context, q Query, ids []int64) ([]fullRow, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	where, args := q.filters()
	query, all, err := sqlx.In(`SELECT `+fullColumns+fullJoin+` WHERE d.id IN (?)`, ids)
	if err != nil {
		return nil, err
	}
	var rows []fullRow
	err = ix.conn.SelectContext(ctx, &rows, query+where, append(all, args...)...)
	return rows, err
}

// filters are the conditions of a query as SQL, each led by AND.
func (q Query) filters() (string, []any) {
	var sql strings.Builder
	var args []any
	add := func(cond string, arg any) {
		sql.WriteString(" AND " + cond)
		args = append(args, arg)
	}
	if q.Type != "" && q.Type != "all" {
		add("d.kind = ?", q.Type)
	}
	if q.Tool != "" {
		add("d.tool = ?", q.Tool)
	}
	if q.File != "" {
		add("instr(d.files, ?) > 0", q.File)
	}
	if q.Branch != "" {
		add("s.branch = ?", q.Branch)
	}
	if q.Agent != "" {
		add("s.agent = ?", q.Agent)
	}
	if !q.Since.IsZero() {
		add("d.at >= ?", q.Since.UnixMilli())
	}
	if !q.Until.IsZero() {
		add("d.at < ?", q.Until.UnixMilli())
	}
	return sql.String(), args
}

// recent lists the newest documents, for a query without words.
func (db *DB) recent(ctx context.Context, q Query, sc scope) (Results, error) {
	where, args := q.filters()
	query := `SELECT ` + fullColumns + fullJoin + ` WHERE 1` + where
	if len(sc.projects) > 0 {
		in, ids, err := sqlx.In(` AND d.project_id IN (?)`, sc.projects)
		if err != nil {
			return Results{}, err
		}
		query, args = query+in, append(args, ids...)
	}
	var rows []fullRow
	query += ` ORDER BY d.at DESC, d.id DESC LIMIT ? OFFSET ?`
	if err := db.read.SelectContext(ctx, &rows, query, append(args, q.Limit, max(q.Offset, 0))...); err != nil {
		return Results{}, err
	}
	out := Results{Total: max(q.Offset, 0) + len(rows)}
	for i := range rows {
		out.Hits = append(out.Hits, scoredDoc{row: &rows[i]}.hit(nil))
	}
	return out, nil
}

// scoredDoc is a candidate with its score.
type scoredDoc struct {
	row   *fullRow
	score float64
}

func (ix *index) rescore(_ Query, terms []term, docs []fullRow) []scoredDoc {
	out := make([]scoredDoc, 0, len(docs))
	for i := range docs {
		out = append(out, scoredDoc{&docs[i], ix.bm25(terms, &docs[i])})
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		switch {
		case a.score != b.score:
			return a.score > b.score
		case a.row.At != b.row.At:
			return a.row.At > b.row.At
		}
		return a.row.ID > b.row.ID
	})
	return out
}

func (ix *index) bm25(terms []term, d *fullRow) (score float64) {
	tf := map[string]float64{}
	add := func(s string, weight float64) {
		words(s, func(w string, _ int) bool {
			tf[stem(fold(w))] += weight
			return true
		})
	}
	add(d.Title, 4)
	add(d.Who, 1)
	add(d.text(), 1)
	norm := 1.2 * (0.25 + 0.75*float64(d.Tokens)/ix.avg)
	for _, t := range terms {
		if f := tf[t.stem]; f > 0 {
			score += t.idf * f * 2.2 / (f + norm)
		}
	}
	return score
}

func (d scoredDoc) hit(terms []term) Hit {
	r := d.row
	return Hit{ID: r.ID, Type: r.Kind, Date: time.UnixMilli(r.At).UTC(), Tool: r.Tool, Title: r.Title, Snippet: snippet(r.text(), terms),
		Files: fileList(r.Files), Project: r.ProjectName, Session: r.SessionNative, Agent: r.Agent, Role: r.Role, Branch: r.Branch, Score: d.score}
}
