package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"keepmum/privacy"
)

// Injection is the receipt of what an agent was told, and why.
type Injection struct {
	ID      int64
	At      time.Time
	Project int64
	Session int64 // row id of the session that was told
	Doc     int64 // the prompt it was told for; 0 = a session start
	Reason  string
	Query   privacy.Clean // the prompt that it was found for
	Entries []Injected
	Tokens  int
}

// Injected is one entry that an agent was told.
type Injected struct {
	ID    int64   `json:"id"`
	Type  Kind    `json:"type"`
	Score float64 `json:"score"`
	Held  bool    `json:"held,omitempty"` // withheld because it looks like an instruction
}

// PutInjection stores a receipt and returns its id.
func (db *DB) PutInjection(ctx context.Context, in Injection) (int64, error) {
	entries, err := entriesJSON(in)
	if err != nil {
		return 0, err
	}
	var id int64
	err = db.writer.do(ctx, func(s *txState) (err error) {
		id, err = s.insertInjection(in, entries)
		return err
	})
	if err != nil {
		return 0, err // the caller gave up; the writer may still be filling it in
	}
	return id, nil
}

func entriesJSON(in Injection) (string, error) {
	b, err := json.Marshal(in.Entries)
	return string(b), err
}

func (s *txState) insertInjection(in Injection, entries string) (int64, error) {
	const insert = `INSERT INTO injections (at, project_id, session_id, reason, query, entries, tokens, doc_id)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
	if err := s.withoutTexts(&in.Query); err != nil {
		return 0, err
	}
	return s.insert(insert, s.now, in.Project, in.Session, in.Reason, in.Query, entries, in.Tokens, in.Doc)
}

// InjectionRow is a stored receipt.
type InjectionRow struct {
	ID          int64
	At          int64 // unix ms
	Project     int64 `db:"project_id"`
	Session     int64 `db:"session_id"`
	Reason      string
	Query       string
	EntriesJSON string `db:"entries"`
	Tokens      int
	Doc         int64 `db:"doc_id"`

	Agent, ProjectName string // only of [DB.Injections]
}

// Entries returns what was told.
func (r InjectionRow) Entries() []Injected {
	var out []Injected
	_ = json.Unmarshal([]byte(r.EntriesJSON), &out) // written by PutInjection only
	return out
}

const injectionColumns = `id, at, project_id, session_id, reason, query, entries, tokens, doc_id`

// FindInjection returns a receipt; id 0 is the last one.
func (db *DB) FindInjection(ctx context.Context, id int64) (InjectionRow, error) {
	var rows []InjectionRow
	err := db.read.SelectContext(ctx, &rows,
		`SELECT `+injectionColumns+` FROM injections WHERE ? IN (0, id) ORDER BY id DESC LIMIT 1`, id)
	if err != nil {
		return InjectionRow{}, translate(err)
	}
	if len(rows) == 0 {
		return InjectionRow{}, fmt.Errorf("injection %d: %w", id, ErrNotFound)
	}
	return rows[0], nil
}

// ReasonCompacted is the reason of a receipt for what was told after the agent's context was compacted.
const ReasonCompacted = "compacted"

// Told returns the ids of what a session has already been told, since its context was compacted for the last time.
func (db *DB) Told(ctx context.Context, session int64) ([]int64, error) {
	var ids []int64
	err := db.read.SelectContext(ctx, &ids,
		`SELECT DISTINCT json_extract(e.value, '$.id') FROM injections i, json_each(i.entries) e
		WHERE i.session_id = ?1 AND json_extract(e.value, '$.held') IS NULL AND i.id >=
			(SELECT coalesce(max(id), 0) FROM injections WHERE session_id = ?1 AND reason = ?2)`, session, ReasonCompacted)
	return ids, translate(err)
}

// lateReceipts is how many receipts of a project count for what is told often.
const lateReceipts = 200

// ToldOften returns the ids of what at least that many sessions of a project were told because of a prompt's words, in
// its latest receipts.
func (db *DB) ToldOften(ctx context.Context, project int64, sessions int) ([]int64, error) {
	var ids []int64
	err := db.read.SelectContext(ctx, &ids,
		`SELECT json_extract(e.value, '$.id') AS told
		FROM (SELECT session_id, entries FROM injections WHERE project_id = ? ORDER BY id DESC LIMIT ?) i,
			json_each(i.entries) e
		GROUP BY told HAVING count(DISTINCT i.session_id) >= ?`, project, lateReceipts, sessions)
	return ids, translate(err)
}

// Session returns a session by row id.
func (db *DB) Session(ctx context.Context, id int64) (SessionRow, error) {
	var rows []SessionRow
	err := db.read.SelectContext(ctx, &rows,
		`SELECT `+sessionColumns+firstPrompt+` FROM sessions s CROSS JOIN projects p ON p.id = s.project_id
		WHERE s.id = ?`, id)
	if err != nil {
		return SessionRow{}, translate(err)
	}
	if len(rows) == 0 {
		return SessionRow{}, fmt.Errorf("session %d: %w", id, ErrNotFound)
	}
	return rows[0], nil
}
