package store

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// learned is a memory of one of the sessions of a plan.
type learned struct {
	ID    int64 `db:"doc_id"`
	Named bool  // its source is a document that goes, or an unknown part of the session
	Text  string
}

// sourceDoc is the document of a source e of a memory; see [Place].
const sourceDoc = `(CASE WHEN instr(e.value ->> 'ref', '#') > 0
	THEN CAST(substr(e.value ->> 'ref', instr(e.value ->> 'ref', '#') + 1) AS INTEGER) END)`

// learnedFrom finds the memories that refer to a document of a plan, or to its session without a document that stays:
// if it is unknown which part of a session a memory comes from, it counts as coming from the part that is removed. A
// memory from another part goes too if it repeats what is removed: it may tell on which question it came up.
func (db *DB) learnedFrom(ctx context.Context, plan *ForgetPlan) ([]int64, error) {
	var err error
	if plan.From, err = db.SessionsOf(ctx, slices.Concat(plan.Docs, plan.Derived)); err != nil {
		return nil, err
	}
	const (
		stays = `EXISTS (SELECT 1 FROM docs d CROSS JOIN sessions s ON s.id = d.session_id
			WHERE d.id = ` + sourceDoc + ` AND s.agent || '/' || s.native = e.value ->> 'session')`
		query = `SELECT m.doc_id, max(` + sourceDoc + ` IN (SELECT value FROM json_each(?2)) OR NOT ` + stays + `) AS named,
			concat_ws(char(10), t.title, t.body) AS text
			FROM memories m CROSS JOIN docs t ON t.id = m.doc_id, json_each(m.sources) e
			WHERE e.value ->> 'session' IN (SELECT value FROM json_each(?1)) GROUP BY m.doc_id`
	)
	var rows []learned
	gone := jsonIDs(slices.Concat(plan.Docs, plan.Derived))
	if err := db.read.SelectContext(ctx, &rows, query, jsonTexts(plan.From), gone); err != nil {
		return nil, err
	}
	var ids []int64
	var others []learned
	for _, m := range rows {
		if m.Named {
			ids = append(ids, m.ID)
		} else {
			others = append(others, m)
		}
	}
	repeating, err := db.repeating(ctx, others, plan.Docs)
	return append(ids, repeating...), err
}

// maxLeft limits how many documents are named that contain a memory and stay.
const maxLeft = 100

// Left returns the documents that stay although a memory of a plan came from them, or although they contain a piece of
// one. The first letter of a piece does not count: a memory begins with a capital.
func (db *DB) Left(ctx context.Context, plan ForgetPlan) (ids []int64, err error) {
	if len(plan.Memories) == 0 {
		return nil, nil
	}
	rows, err := db.Observations(ctx, plan.Memories[:min(len(plan.Memories), 2*maxProbes)])
	if err != nil {
		return nil, err
	}
	pieces := []string{}
	for _, r := range rows {
		for _, text := range []string{r.Title, r.Text} {
			if p := Probe(text); p != "" {
				_, first := utf8.DecodeRuneInString(p)
				pieces = append(pieces, p[first:])
			}
		}
	}
	const query = `SELECT d.id FROM memories m, json_each(m.sources) e
			CROSS JOIN docs d ON d.id = ` + sourceDoc + ` CROSS JOIN sessions s ON s.id = d.session_id
			WHERE m.doc_id IN (SELECT value FROM json_each(?1)) AND s.agent || '/' || s.native = e.value ->> 'session'
			AND d.id NOT IN (SELECT value FROM json_each(?2))
		UNION SELECT d.id FROM docs d WHERE d.kind NOT IN ('memory', 'summary')
			AND d.id NOT IN (SELECT value FROM json_each(?2)) AND EXISTS (SELECT 1 FROM json_each(?3) p
			WHERE instr(concat_ws(char(10), d.title, d.input, d.output, d.body), p.value) > 0)
		ORDER BY 1 LIMIT ?4`
	err = db.read.SelectContext(ctx, &ids, query, jsonIDs(plan.Memories), jsonIDs(slices.Concat(plan.Docs, plan.Derived)),
		jsonTexts(pieces), maxLeft)
	if err != nil {
		return nil, fmt.Errorf("look for what stays: %w", translate(err))
	}
	return ids, nil
}

// repeating returns the memories that contain words of some documents in a row.
func (db *DB) repeating(ctx context.Context, list []learned, docs []int64) (ids []int64, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	rows, err := db.read.QueryContext(ctx, `SELECT concat_ws(char(10), title, input, output, body) FROM docs
		WHERE id IN (SELECT value FROM json_each(?))`, jsonIDs(docs))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	runs := map[string][]int64{}
	for _, m := range list {
		for n := minRun; n <= maxRun; n++ {
			for run := range runsOf(singleWords(m.Text), n) {
				runs[run] = append(runs[run], m.ID)
			}
		}
	}
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		words := singleWords(text)
		for run := range runsOf(words, min(len(words), maxRun)) {
			ids = append(ids, runs[run]...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), rows.Err()
}

// Words in a row by which a text is recognised in another: maxRun, or all of a shorter text that has minRun.
const (
	minRun = 2
	maxRun = 4
)

// runsOf yields each n words in a row.
func runsOf(words []string, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; n >= minRun && i+n <= len(words); i++ {
			if !yield(strings.Join(words[i:i+n], " ")) {
				return
			}
		}
	}
}

// singleWords splits a text into words, and what is written without spaces into characters.
func singleWords(text string) (out []string) {
	for _, w := range strings.Fields(wordsOnly(text)) {
		if hasWide(w) {
			out = append(out, strings.Split(w, "")...)
		} else {
			out = append(out, w)
		}
	}
	return out
}
