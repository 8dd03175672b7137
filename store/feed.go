package store

import (
	"context"
	"fmt"
	"slices"
)

// FeedFilter selects documents of all sessions, newest first. Before and After are ids, exclusive; 0 = no bound.
type FeedFilter struct {
	Before, After int64
	Session       int64 // row id; 0 = all
	Excluded      bool  // only those with a denied path
	Oldest        bool  // oldest first
	Limit         int
}

// FeedRow is one hook event, as shown in a list.
type FeedRow struct {
	Line
	Native  string // the agent's session id
	Project string
	Branch  string
	Files   string // JSON array
	Ran     int64  // milliseconds, as reported by the agent
}

const feedColumns = lineColumns + `, d.session_id AS session, coalesce(s.agent, '') AS agent, coalesce(s.native, '') AS native,
	coalesce(p.name, '') AS project, coalesce(d.branch, s.branch, '') AS branch, coalesce(d.files,
		'') AS files, d.duration_ms AS ran`

const feedJoin = ` FROM docs d LEFT JOIN sessions s ON s.id = d.session_id LEFT JOIN projects p ON p.id = d.project_id`

// Feed lists what hooks captured, and the summaries made from it.
func (db *DB) Feed(ctx context.Context, f FeedFilter) ([]FeedRow, error) {
	where, args := ` WHERE d.kind IN ('observation', 'prompt', 'summary')`, []any{}
	for _, c := range []struct {
		on   bool
		cond string
		arg  any
	}{
		{f.Before > 0, `d.id < ?`, f.Before}, {f.After > 0, `d.id > ?`, f.After},
		{f.Session > 0, `d.session_id = ?`, f.Session},
	} {
		if c.on {
			where, args = where+` AND `+c.cond, append(args, c.arg)
		}
	}
	if f.Excluded {
		where += ` AND d.excluded = 1` // written so that SQLite uses the index
	}
	order := ` ORDER BY d.id DESC LIMIT ?`
	if f.Oldest {
		order = ` ORDER BY d.id LIMIT ?`
	}
	var rows []FeedRow
	err := db.read.SelectContext(ctx, &rows, `SELECT `+feedColumns+feedJoin+where+order, append(args, f.Limit)...)
	return rows, translate(err)
}

// Taken is what the gate removed from a document under one rule.
type Taken struct {
	Doc   int64 `db:"doc_id"`
	Rule  string
	Count int64
	Bytes int64
}

// TakenOut sums up what was removed from some documents, by rule.
func (db *DB) TakenOut(ctx context.Context, docs []int64) ([]Taken, error) {
	var rows []Taken
	err := db.read.SelectContext(ctx, &rows, `SELECT doc_id, rule, count(*) AS count, sum(bytes) AS bytes
		FROM json_each(?) e CROSS JOIN ledger l ON l.doc_id = e.value AND l.doc_id > 0
		WHERE l.kind = 'redaction' GROUP BY doc_id, rule ORDER BY doc_id, count DESC, rule`, jsonIDs(docs))
	return rows, translate(err)
}

// Sent is what was sent to a model about one turn.
type Sent struct {
	Turn                 int64
	Host, Model, Purpose string
	Times, Bytes         int64
	Last                 int64 // unix ms
}

// SentOf sums up what was sent about some turns, by host and purpose.
func (db *DB) SentOf(ctx context.Context, turns []int64) ([]Sent, error) {
	var rows []Sent
	err := db.read.SelectContext(ctx, &rows, `SELECT d.id AS turn, l.host, l.model, l.purpose, count(*) AS times, sum(l.bytes) AS bytes, max(l.at) AS last
		FROM json_each(?) e CROSS JOIN docs d ON d.id = e.value
		CROSS JOIN jobs j ON j.kind = 'turn' AND j.session_id = d.session_id AND j.turn_id = d.id
		CROSS JOIN ledger l ON l.job_id = j.id AND l.job_id > 0 WHERE l.kind = 'egress'
		GROUP BY d.id, l.host, l.model, l.purpose`, jsonIDs(turns))
	return rows, translate(err)
}

// SentTo sums up everything that was sent, by host, model and purpose, most bytes first.
func (db *DB) SentTo(ctx context.Context) ([]Sent, error) {
	var rows []Sent
	err := db.read.SelectContext(ctx, &rows, `SELECT 0 AS turn, host, model, purpose, count(*) AS times, sum(bytes) AS bytes, max(at) AS last
		FROM ledger WHERE kind = 'egress' GROUP BY host, model, purpose ORDER BY bytes DESC`)
	return rows, translate(err)
}

const injectionNames = `, coalesce((SELECT agent FROM sessions s WHERE s.id = session_id), '') AS agent,
	coalesce((SELECT name FROM projects p WHERE p.id = project_id), '') AS projectname`

// InjectionFilter selects receipts, newest first.
type InjectionFilter struct {
	Before  int64   // an id, exclusive; 0 = no bound
	Docs    []int64 // for one of these prompts; nil = any
	Session int64   // row id; 0 = all
	Limit   int
}

// Injections lists receipts of what agents were told.
func (db *DB) Injections(ctx context.Context, f InjectionFilter) ([]InjectionRow, error) {
	where, args := ` WHERE 1`, []any{}
	if f.Before > 0 {
		where, args = where+` AND id < ?`, append(args, f.Before)
	}
	if f.Docs != nil {
		where, args = where+` AND doc_id > 0 AND doc_id IN (SELECT value FROM json_each(?))`, append(args, jsonIDs(f.Docs))
	}
	if f.Session > 0 {
		where, args = where+` AND session_id = ?`, append(args, f.Session)
	}
	var rows []InjectionRow
	err := db.read.SelectContext(ctx, &rows,
		`SELECT `+injectionColumns+injectionNames+` FROM injections`+where+` ORDER BY id DESC LIMIT ?`,
		append(args, f.Limit)...)
	return rows, translate(err)
}

// ToldTotal sums up what one session was told.
type ToldTotal struct {
	Session       int64
	Agent, Native string
	Project       string
	Times, Tokens int64
	Last          int64 // unix ms
}

// ToldSince sums up what sessions were told since a time, latest session first.
func (db *DB) ToldSince(ctx context.Context, since int64, limit int) ([]ToldTotal, error) {
	var rows []ToldTotal
	err := db.read.SelectContext(ctx, &rows, `SELECT i.session_id AS session, coalesce(s.agent, '') AS agent, coalesce(s.native, '') AS native,
		coalesce(p.name, '') AS project, count(*) AS times, sum(i.tokens) AS tokens, max(i.at) AS last
		FROM injections i LEFT JOIN sessions s ON s.id = i.session_id LEFT JOIN projects p ON p.id = i.project_id
		WHERE i.at >= ? GROUP BY i.session_id ORDER BY last DESC LIMIT ?`, since, limit)
	return rows, translate(err)
}

// SetMuted sets whether a document is withheld from agents.
func (db *DB) SetMuted(ctx context.Context, doc int64, muted bool) error {
	return db.writer.do(ctx, func(s *txState) error {
		if muted {
			return s.exec(`INSERT INTO untold (doc_id, at) SELECT id, ? FROM docs WHERE id = ? ON CONFLICT DO NOTHING`, s.now, doc)
		}
		return s.exec(`DELETE FROM untold WHERE doc_id = ?`, doc)
	})
}

// Muted lists the documents that are withheld from agents.
func (db *DB) Muted(ctx context.Context) ([]int64, error) {
	var ids []int64
	err := db.read.SelectContext(ctx, &ids, `SELECT doc_id FROM untold ORDER BY doc_id`)
	return ids, translate(err)
}

// Week counts what was stored in the sessions last active in one week.
type Week struct {
	Week int64 // unix weeks, counted from a Thursday
	Docs int64
}

// Weeks returns the latest weeks, oldest first.
func (db *DB) Weeks(ctx context.Context, limit int) ([]Week, error) {
	var rows []Week
	err := db.read.SelectContext(ctx, &rows, `SELECT last / 604800000 AS week, sum(docs) AS docs FROM sessions GROUP BY 1 ORDER BY 1 DESC LIMIT ?`, limit)
	slices.Reverse(rows)
	return rows, translate(err)
}

// Size is the size of the database on one day.
type Size struct {
	Day, Bytes, Docs int64 // unix days
}

// NoteSize records the size of the database today.
func (db *DB) NoteSize(ctx context.Context) error {
	st, err := db.Totals(ctx)
	if err != nil {
		return err
	}
	docs := st.Prompts + st.Answers + st.Observations + st.Summaries + st.Memories + st.Commits
	day := db.now().Unix() / 86400
	err = db.writer.doLight(ctx, func(s *txState) error {
		return s.exec(`INSERT INTO sizes (day, bytes, docs) VALUES (?, ?, ?)
			ON CONFLICT DO UPDATE SET bytes = excluded.bytes, docs = excluded.docs`, day, st.Bytes, docs)
	})
	if err != nil {
		return fmt.Errorf("note the size of the database: %w", err)
	}
	return nil
}

// Sizes returns the sizes on the latest days, oldest first.
func (db *DB) Sizes(ctx context.Context, limit int) ([]Size, error) {
	var rows []Size
	err := db.read.SelectContext(ctx, &rows, `SELECT day, bytes, docs FROM sizes ORDER BY day DESC LIMIT ?`, limit)
	slices.Reverse(rows)
	return rows, translate(err)
}

// SessionsBefore lists sessions with content, latest first: those of a project (0 = all) last active before a time (0 =
// now).
func (db *DB) SessionsBefore(ctx context.Context, project, before int64, limit int) ([]SessionRow, error) {
	where, args := `s.docs > 0`, []any{}
	if project > 0 {
		where, args = where+` AND s.project_id = ?`, append(args, project)
	}
	if before > 0 {
		where, args = where+` AND s.last < ?`, append(args, before)
	}
	var rows []SessionRow
	err := db.read.SelectContext(ctx, &rows, `SELECT `+sessionColumns+firstPrompt+` FROM sessions s
		CROSS JOIN projects p ON p.id = s.project_id
		WHERE `+where+` ORDER BY s.last DESC, s.id DESC LIMIT ?`, append(args, limit)...)
	return rows, translate(err)
}

// FailedIn counts the failed tool uses of some sessions.
func (db *DB) FailedIn(ctx context.Context, sessions []int64) (map[int64]int64, error) {
	var rows []struct{ Session, N int64 }
	err := db.read.SelectContext(ctx, &rows, `SELECT d.session_id AS session, sum(d.failed) AS n FROM docs d
		WHERE d.session_id IN (SELECT value FROM json_each(?)) GROUP BY d.session_id`, jsonIDs(sessions))
	out := make(map[int64]int64, len(rows))
	for _, r := range rows {
		out[r.Session] = r.N
	}
	return out, translate(err)
}
