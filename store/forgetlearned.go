package store

import (
	"context"
	"iter"
	"slices"
	"strings"
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
