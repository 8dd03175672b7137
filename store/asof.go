package store

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepmum/sorting"
)

// retiredMemories holds the memories that were valid at a moment but are out of use now. The index does not hold their
// words.
type retiredMemories struct {
	docs  []*candidate
	terms map[int64]uint64 // the query terms that each contains
}

// maxRetired is how many of these memories a search reads, newest first: ten times what a project may have in use.
const maxRetired = 5_000

// readRetired reads these memories for a scope. They stay in the document cache.
func (ix *index) readRetired(ctx context.Context, sc scope, at time.Time, terms []term) (retiredMemories, error) {
	out := retiredMemories{terms: map[int64]uint64{}}
	if at.IsZero() {
		return out, nil
	}
	table, err := ix.times(ctx)
	if err != nil {
		return out, err
	}
	ids := table.retired(sc, at, maxRetired)
	if len(ids) == 0 {
		return out, nil
	}
	docs, err := ix.read(ctx, ids)
	if err != nil {
		return out, err
	}
	bit := make(map[lexeme]uint64, len(terms))
	for i, t := range terms {
		bit[lexemeOf(t.stem)] |= 1 << i
	}
	for _, d := range docs {
		var has uint64
		for _, text := range [][]lexeme{d.title, d.body} {
			for _, l := range text {
				has |= bit[l.whole()]
			}
		}
		if has != 0 {
			out.docs, out.terms[d.ID] = append(out.docs, d), has
		}
	}
	sorting.Stable(out.docs, func(a, b *candidate) int { return int(a.ID - b.ID) })
	return out, nil
}

// in returns the retired memories of the time that a query asks for, without the documents that it omits.
func (s retiredMemories) in(q Query) retiredMemories {
	s.docs = slices.DeleteFunc(slices.Clone(s.docs), func(d *candidate) bool {
		early := !q.Since.IsZero() && d.At < q.Since.UnixMilli()
		late := !q.Until.IsZero() && d.At >= q.Until.UnixMilli()
		return early || late || slices.Contains(q.Without, d.ID)
	})
	return s
}

// saying keeps only the documents that contain the query's exact text, if the query asks for an exact match.
func (ix *index) saying(ctx context.Context, q Query, s retiredMemories) (retiredMemories, error) {
	if !q.Exact {
		return s, nil
	}
	ids := make([]int64, len(s.docs))
	for i, d := range s.docs {
		ids[i] = d.ID
	}
	says, err := ix.among(ctx, `SELECT d.id FROM docs d WHERE d.id IN (SELECT value FROM json_each(?)) AND `+saysExactly,
		jsonIDs(ids), folded(q.Text))
	s.docs = slices.DeleteFunc(s.docs, func(d *candidate) bool { return !says[d.ID] })
	return s, err
}

// count returns how many of the memories contain a term.
func (s retiredMemories) count(term int) (n float64) {
	for _, has := range s.terms {
		if has>>term&1 != 0 {
			n++
		}
	}
	return n
}

// add puts the best of the memories before the documents from the index.
func (s retiredMemories) add(some []found, terms []term) []found {
	var own []found
	for _, d := range s.docs {
		f := found{id: d.ID, terms: s.terms[d.ID]}
		for i, t := range terms {
			if f.terms>>i&1 != 0 {
				f.sum += t.idf
			}
		}
		own = append(own, f)
	}
	sorting.Stable(own, func(a, b found) int {
		switch {
		case a.sum > b.sum:
			return -1
		case a.sum < b.sum:
			return 1
		}
		return int(b.id - a.id)
	})
	return append(own[:min(len(own), keepAll)], some...)
}

// lists returns the memories as posting lists, in the form that the index uses.
func (s retiredMemories) lists(terms []term) []postings {
	var out []postings
	for i, t := range terms {
		p := postings{idf: t.idf, term: 1 << i}
		for _, d := range s.docs {
			if s.terms[d.ID]>>i&1 != 0 {
				p.rows = append(p.rows, d.ID)
			}
		}
		if len(p.rows) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// until removes from lists whatever did not exist at a moment: documents written later, and memories that were not
// valid then.
func (ix *index) until(ctx context.Context, lists []postings, at time.Time) error {
	seen := map[int64]bool{}
	for _, l := range lists {
		for _, row := range l.rows {
			seen[docID(row)] = true
		}
	}
	table, err := ix.times(ctx)
	if err != nil {
		return err
	}
	was := map[int64]bool{}
	ids := make([]int64, 0, len(seen))
	for id := range seen {
		memory, held := table.was(id, at)
		if was[id] = held; !memory {
			ids = append(ids, id)
		}
	}
	said, err := ix.among(ctx, `SELECT id FROM docs WHERE id IN (SELECT value FROM json_each(?)) AND at <= ?`,
		jsonIDs(ids), at.UnixMilli())
	maps.Copy(was, said)
	for i := range lists {
		lists[i].rows = slices.DeleteFunc(slices.Clone(lists[i].rows), func(row int64) bool { return !was[docID(row)] })
	}
	return err
}

// unheld removes the memories that were not valid at the moment of a query, so that the query's filters need not check
// each one.
func (ix *index) unheld(ctx context.Context, q *Query, docs []found) ([]found, error) {
	if q.AsOf.IsZero() {
		return docs, nil
	}
	table, err := ix.times(ctx)
	if err != nil {
		return nil, err
	}
	q.heldOnly = true
	return slices.DeleteFunc(docs, func(f found) bool {
		memory, held := table.was(f.id, q.AsOf)
		return memory && !held
	}), nil
}

// wasThere is the SQL condition for a document that existed at a moment.
const wasThere = `(d.kind <> 'memory' AND d.at <= ? OR d.kind = 'memory' AND EXISTS (
	SELECT 1 FROM memories m WHERE m.doc_id = d.id AND ` + heldAt + `))`

func wasArgs(at time.Time) []any { return append([]any{at.UnixMilli()}, heldArgs(at)...) }

// SessionsAsOf returns the newest sessions of a project that had begun at a moment.
func (db *DB) SessionsAsOf(ctx context.Context, project int64, at time.Time, limit int) ([]SessionRow, error) {
	var rows []SessionRow
	where := `s.project_id = ? AND s.docs > 0 AND s.started <= ?`
	args := []any{project, at.UnixMilli(), limit}
	if project == 0 {
		where, args = strings.TrimPrefix(where, "s.project_id = ? AND "), args[1:]
	}
	err := db.read.SelectContext(ctx, &rows, `SELECT `+sessionColumns+` FROM sessions s CROSS JOIN projects p
		ON p.id = s.project_id WHERE `+where+` ORDER BY min(s.last,
			`+strconv.FormatInt(at.UnixMilli(), 10)+`) DESC, s.id DESC LIMIT ?`, args...)
	return rows, translate(err)
}
