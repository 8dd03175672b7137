package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Remains is what stays although it says what the memories of a plan say.
type Remains struct {
	Sources  []int64 // the documents that a memory came from
	Repeated []int64 // others that contain its title or its first paragraph
}

// maxLeft limits how many documents of each sort are named.
const maxLeft = 100

// Left returns the documents that stay although a memory of a plan came from them, or although they contain it.
func (db *DB) Left(ctx context.Context, plan ForgetPlan) (out Remains, err error) {
	if len(plan.Memories) == 0 {
		return out, nil
	}
	const query = `SELECT DISTINCT d.id FROM memories m, json_each(m.sources) e
		CROSS JOIN docs d ON d.id = ` + sourceDoc + ` CROSS JOIN sessions s ON s.id = d.session_id
		WHERE m.doc_id IN (SELECT value FROM json_each(?1)) AND s.agent || '/' || s.native = e.value ->> 'session'
		AND d.id NOT IN (SELECT value FROM json_each(?2)) ORDER BY d.id LIMIT ?3`
	gone := slices.Concat(plan.Docs, plan.Derived)
	err = db.read.SelectContext(ctx, &out.Sources, query, jsonIDs(plan.Memories), jsonIDs(gone), maxLeft)
	if err == nil {
		out.Repeated, err = db.repeated(ctx, plan.Memories, slices.Concat(gone, out.Sources))
	}
	if err != nil {
		return out, fmt.Errorf("look for what stays: %w", translate(err))
	}
	return out, nil
}

// sentence is what a memory says first, and the project in which it says so.
type sentence struct {
	Project int64
	Piece   string // by which the documents that may contain it are found
	words   string
}

// sentencesOf returns what memories say: their titles and first paragraphs. The first letter of a piece does not count:
// a memory begins with a capital.
func sentencesOf(rows []MemoryRow) []sentence {
	out := []sentence{}
	for i := range rows {
		first, _, _ := strings.Cut(rows[i].Body(), "\n\n")
		for _, text := range []string{rows[i].Title, first} {
			if p := Probe(text); p != "" {
				_, capital := utf8.DecodeRuneInString(p)
				out = append(out, sentence{rows[i].Project, p[capital:], " " + wordsOnly(text) + " "})
			}
		}
	}
	return out
}

// repeated returns the documents of the projects of some memories that contain everything that one of these says first.
func (db *DB) repeated(ctx context.Context, memories, without []int64) (ids []int64, err error) {
	rows, err := db.Memories(ctx, MemoryFilter{IDs: memories[:min(len(memories), 2*maxProbes)], AnyState: true})
	if err != nil {
		return nil, err
	}
	said := sentencesOf(rows)
	list, err := json.Marshal(said)
	if err != nil {
		return nil, err
	}
	const query = `SELECT d.id, d.project_id, concat_ws(char(10), d.title, d.input, d.output, d.body) FROM docs d
		WHERE d.kind NOT IN ('memory', 'summary') AND d.id NOT IN (SELECT value FROM json_each(?1)) AND EXISTS (SELECT 1
			FROM json_each(?2) p WHERE p.value ->> 'Project' IN (?3, d.project_id)
			AND instr(concat_ws(char(10), d.title, d.input, d.output, d.body), p.value ->> 'Piece') > 0) ORDER BY d.id`
	found, err := db.read.QueryContext(ctx, query, jsonIDs(without), string(list), NoProjectRow)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	for found.Next() && len(ids) < maxLeft {
		var id, project int64
		var text string
		if err := found.Scan(&id, &project, &text); err != nil {
			return nil, err
		}
		text = " " + wordsOnly(text) + " "
		if slices.ContainsFunc(said, func(s sentence) bool {
			return (s.Project == NoProjectRow || s.Project == project) && strings.Contains(text, s.words)
		}) {
			ids = append(ids, id)
		}
	}
	return ids, found.Err()
}
