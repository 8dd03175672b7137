package store

import (
	"context"
	"math"
	"slices"
	"strings"
)

const (
	keepAll        = 100    // candidates of any kind that are scored,
	keepCandidates = 600    // up to this many if the others are prompts and answers, which are short,
	keepSummaries  = 60     // and this many summaries besides
	keepWindow     = 1_500  // candidates that are sorted by kind
	maxPostings    = 40_000 // that one search reads from the index
	sureTerms      = 3      // terms of a query that are looked up however frequent they are
	commonShare    = 0.05   // of all documents: a word in more of them says little,
	minCommon      = 1_000  // if there are at least this many
	readBytes      = 8_000  // bytes of a candidate's input, output and body that are read
)

// found is a document from the index, with the total weight of its terms and a bit for each query term it contains.
type found struct {
	id    int64
	sum   float64
	terms uint64
}

// candidates reads the documents that contain the terms, for each range of the scope. A plain index query would walk
// every posting of every word; this reads the rarest words first, until the budget is used up.
func (ix *index) candidates(ctx context.Context, sc scope, terms []term) ([][]postings, error) {
	ranges := sc.ranges()
	all := make([][]postings, len(ranges))
	budget := maxPostings
	share := ix.share(sc)
	for i, at := range rarest(terms) {
		t := terms[at]
		if t.df == 0 {
			continue
		}
		most := budget
		if i < sureTerms {
			most = max(budget, maxPostings/sureTerms)
		} else if share*t.df > min(max(share*commonShare*ix.n, minCommon), float64(budget)) {
			break
		}
		for n, r := range ranges {
			rows, err := ix.postings(ctx, t, r, most)
			if err != nil {
				return nil, err
			}
			budget -= len(rows)
			all[n] = append(all[n], postings{rows, t.idf, 1 << at})
		}
	}
	return all, nil
}

// share returns the fraction of all documents that a scope covers.
func (ix *index) share(sc scope) float64 {
	if len(sc.projects) == 0 {
		return 1
	}
	n := 0.0
	for _, p := range sc.projects {
		n += ix.of[p]
	}
	return n / max(ix.n, 1)
}

// postingsQuery returns the newest documents with a word as one string; a row for each takes three times as long. The
// limit is written 0 + ? because SQLite prepares the statement again for each value of a bare parameter there.
const postingsQuery = `SELECT group_concat(id) FROM
	(SELECT rowid AS id FROM docs_fts WHERE docs_fts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT 0 + ?)`

func (ix *index) postings(ctx context.Context, t term, r [2]int64, limit int) ([]int64, error) {
	if rows, ok := ix.rare[t.stem]; ok {
		return within(rows, r, limit), nil
	}
	if rows, ok, err := ix.rows(ctx, t, r, limit); ok || err != nil {
		return rows, err
	}
	var list *string
	if err := ix.get(ctx, &list, postingsQuery, match(t), r[0], r[1], limit); err != nil || list == nil {
		return nil, err
	}
	return parseIDs(*list)
}

const keepQuery = `SELECT d.id FROM docs d LEFT JOIN sessions s ON s.id = d.session_id
	WHERE d.id IN (SELECT value FROM json_each(?))`

// keep returns the best candidates that pass the filters of a query.
func (ix *index) keep(ctx context.Context, q Query, all [][]postings) ([]found, error) {
	if where, _ := q.filters(); where == "" {
		return best(all, keepWindow), nil
	}
	if kind := ix.db.kinds[q.Type]; kind != nil {
		var err error
		if all, err = kind.pick(ctx, ix, all); err != nil {
			return nil, err
		}
	}
	docs, err := ix.unheld(ctx, &q, best(all, math.MaxInt))
	if err != nil {
		return nil, err
	}
	where, args := q.filters()
	var kept []found
	for len(docs) > 0 && len(kept) < keepWindow {
		some := docs[:min(len(docs), keepWindow)]
		docs = docs[len(some):]
		passed, err := ix.among(ctx, keepQuery+where, append([]any{jsonIDs(idsOf(some))}, args...)...)
		if err != nil {
			return nil, err
		}
		kept = append(kept, slices.DeleteFunc(slices.Clone(some), func(f found) bool { return !passed[f.id] })...)
	}
	return kept, nil
}

// load reads the best candidates: some of any kind, more prompts and answers, since they are short, and some summaries
// besides, so that summaries do not displace other documents.
func (ix *index) load(ctx context.Context, docs []found) ([]*candidate, error) {
	prompts, summaries := make([]bool, len(docs)), make([]bool, len(docs))
	var err error
	if len(docs) > keepAll && ix.avg[KindPrompt] > 0 {
		if prompts, err = ix.db.kinds[KindPrompt].among(ctx, ix, docs); err != nil {
			return nil, err
		}
	}
	if ix.avg[KindSummary] > 0 {
		if summaries, err = ix.db.kinds[KindSummary].among(ctx, ix, docs); err != nil {
			return nil, err
		}
	}
	ids := make([]int64, 0, min(len(docs), keepCandidates+keepSummaries))
	others, told := 0, 0
	for i, f := range docs {
		switch {
		case summaries[i]:
			if told++; told > keepSummaries {
				continue
			}
		case others >= keepCandidates || others >= keepAll && !prompts[i]:
			continue
		default:
			others++
		}
		ids = append(ids, f.id)
	}
	return ix.read(ctx, ids)
}

// among returns the set of document ids that an SQL query selects.
func (ix *index) among(ctx context.Context, query string, args ...any) (map[int64]bool, error) {
	var ids []int64
	if err := ix.list(ctx, &ids, query, args...); err != nil {
		return nil, err
	}
	out := make(map[int64]bool, len(ids))
	for _, id := range ids {
		out[id] = true
	}
	return out, nil
}

func idsOf(docs []found) []int64 {
	ids := make([]int64, len(docs))
	for i, f := range docs {
		ids[i] = f.id
	}
	return ids
}

// candidate holds what scoring needs of a document. Searches share candidates, so one never changes.
type candidate struct {
	ID, Session, Turn, At, Tokens int64
	Kind                          Kind

	title, who, body []lexeme
	speaker          []lexeme // author of the prompt
	near             int      // how many lexemes of the body the prompts next to it use
	question         bool
	cut              bool // the text was longer than what was read
}

// read returns documents in no particular order.
func (ix *index) read(ctx context.Context, ids []int64) ([]*candidate, error) {
	out, missing := ix.db.cache.get(ids)
	if len(missing) == 0 {
		return out, nil
	}
	rows, err := ix.query(ctx, candidateQuery, jsonIDs(missing), readBytes)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	known := len(out)
	for rows.Next() {
		var d docRow
		if err := rows.Scan(&d.ID, &d.Session, &d.Turn, &d.At, &d.Tokens, &d.Kind, &d.Title, &d.Who, &d.Input, &d.Output,
			&d.Body); err != nil {
			return nil, err
		}
		out = append(out, ix.words.candidate(&d))
	}
	ix.db.cache.put(ix.epoch, out[known:])
	return out, rows.Err()
}

const candidateQuery = `SELECT id, session_id, coalesce(turn_id, 0), at, tokens, kind, coalesce(title, ''),
	coalesce(who, ''), substr(coalesce(input, ''), 1, ?2), substr(coalesce(output, ''), 1, ?2), substr(body, 1, ?2)
	FROM docs WHERE id IN (SELECT value FROM json_each(?1))`

func (l *lexicon) candidate(d *docRow) *candidate {
	text, cut := d.beginning()
	c := &candidate{ID: d.ID, Session: d.Session, Turn: d.Turn, At: d.At, Tokens: d.Tokens, Kind: d.Kind, cut: cut}
	c.title, _ = l.read(d.Title, 0)
	c.who, _ = l.read(d.Who, 0)
	c.body, c.near = l.read(text, nearBytes)
	if d.Kind == KindPrompt {
		c.speaker, _ = l.read(speaker(d.Who, text), 0)
		c.question = strings.HasSuffix(strings.TrimSpace(text), "?")
	}
	return c
}

// speaker returns the author of a prompt: the field, or a name before a colon.
func speaker(who, text string) string {
	if who != "" {
		return who
	}
	if i := strings.Index(text[:min(len(text), 40)], ": "); i > 0 && !strings.ContainsAny(text[:i], ".,;!?/\n") &&
		class(text[0]) == upper {
		return text[:i]
	}
	return ""
}
