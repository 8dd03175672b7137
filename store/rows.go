package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"keepmum/privacy"
)

// ObservationRow is a stored document of any kind; all kinds share one sequence of ids.
type ObservationRow struct {
	ID               int64
	Type             Kind
	Date             time.Time
	Project, Agent   string
	ProjectID        int64
	Session          string // the agent's id
	SessionID        int64
	Turn             int64 // the prompt it answers; 0 = none
	Branch           string
	Role, Who        string
	Tool, Title      string
	Input, Output    string // JSON; JSON or text
	Text             string // its text without JSON
	Files            []string
	Failed, Excluded bool
	DurationMS       int64
	Subagent         string
	RulesVersion     string
}

// fullRow is a document with the names that its ids refer to.
type fullRow struct {
	docRow
	ProjectName   string `db:"project_name"`
	Agent         string
	SessionNative string `db:"session_native"`
	Branch        string
}

const fullColumns = docColumns +
	`, coalesce(p.name, '') AS project_name, coalesce(s.agent, iif(d.kind = 'commit', 'git', '')) AS agent, coalesce(s.native, '') AS session_native, coalesce(d.branch, s.branch, '') AS branch`

// fullJoin fixes the order: first the documents, then the names by id. A memory has no session, and some have no
// project.
const fullJoin = ` FROM docs d LEFT JOIN sessions s ON s.id = d.session_id LEFT JOIN projects p ON p.id = d.project_id`

func (r *fullRow) row() ObservationRow {
	out := ObservationRow{ID: r.ID, Type: r.Kind, Date: time.UnixMilli(r.At).UTC(), Project: r.ProjectName,
		ProjectID: r.Project, Agent: r.Agent, Session: r.SessionNative, SessionID: r.docRow.Session, Turn: r.Turn,
		Branch: r.Branch, Role: r.Role, Who: r.Who, Tool: r.Tool, Title: r.Title, Input: r.Input, Output: r.Output,
		Text: r.text(), Failed: r.Failed,
		Excluded: r.Excluded, DurationMS: r.DurationMS,
		Subagent: r.Subagent, RulesVersion: r.Rules}
	out.Files = fileList(r.Files)
	return out
}

func fileList(s string) []string {
	var files []string
	if s != "" {
		// The column is written by json.Marshal only; a damaged one reads as no files.
		_ = json.Unmarshal([]byte(s), &files)
	}
	return files
}

// Observations returns the documents with the given ids, in that order, without those that do not exist.
func (db *DB) Observations(ctx context.Context, ids []int64) ([]ObservationRow, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	query, args, err := sqlx.In(`SELECT `+fullColumns+fullJoin+` WHERE d.id IN (?)`, ids)
	if err != nil {
		return nil, err
	}
	rows, err := db.rows(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read documents: %w", err)
	}
	byID := make(map[int64]ObservationRow, len(rows))
	for _, r := range rows {
		byID[r.ID] = r
	}
	out := rows[:0]
	for _, id := range ids {
		if r, ok := byID[id]; ok {
			out = append(out, r)
		}
	}
	return out, nil
}

func (db *DB) rows(ctx context.Context, query string, args ...any) ([]ObservationRow, error) {
	var full []fullRow
	if err := db.read.SelectContext(ctx, &full, query, args...); err != nil {
		return nil, translate(err)
	}
	out := make([]ObservationRow, len(full))
	for i := range full {
		out[i] = full[i].row()
	}
	return out, nil
}

// Timeline is what happened in a session around one document.
type Timeline struct {
	Session, Project string
	Moments          []Moment // oldest first
}

// Moment is one document of a timeline.
type Moment struct {
	ID    int64
	Type  Kind
	Role  Role
	Date  time.Time
	Tool  string
	Title string // for a prompt, its beginning
}

// Timeline returns a document with those before and after it in its session, or a commit with those before and after it
// in the history of its project.
func (db *DB) Timeline(ctx context.Context, id int64, before, after int) (Timeline, error) {
	mid, err := db.Observations(ctx, []int64{id})
	if err != nil {
		return Timeline{}, err
	}
	if len(mid) == 0 {
		return Timeline{}, fmt.Errorf("document %d: %w", id, ErrNotFound)
	}
	at, within := mid[0].Date.UnixMilli(), mid[0].SessionID
	from := `SELECT ` + lineColumns + ` FROM docs d WHERE d.session_id = ? AND d.kind IN ('observation', 'prompt')`
	if mid[0].Type == KindCommit {
		from, within = `SELECT `+lineColumns+` FROM docs d WHERE d.project_id = ? AND d.kind = 'commit'`, mid[0].ProjectID
	}
	query := `SELECT * FROM (` + from + ` AND (d.at, d.id) < (?, ?) ORDER BY d.at DESC, d.id DESC LIMIT ?)
		UNION ALL SELECT ` + lineColumns + ` FROM docs d WHERE d.id = ?
		UNION ALL SELECT * FROM (` + from + ` AND (d.at, d.id) > (?, ?) ORDER BY d.at, d.id LIMIT ?)
		ORDER BY at, id`
	var lines []Line
	if err := db.read.SelectContext(ctx, &lines, query, within, at, id, max(before, 0), id, within, at, id,
		max(after, 0)); err != nil {
		return Timeline{}, fmt.Errorf("timeline of document %d: %w", id, translate(err))
	}
	out := Timeline{Session: mid[0].Session, Project: mid[0].Project}
	for _, l := range lines {
		title := l.Title
		if title == "" {
			title = clip(l.Text, 120)
		}
		out.Moments = append(out.Moments, Moment{l.ID, l.Type, Role(l.Role), time.UnixMilli(l.At).UTC(), l.Tool, title})
	}
	return out, nil
}

// clip returns up to n runes of the first line of a text.
func clip(s string, n int) string {
	s, _, _ = strings.Cut(s, "\n")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// SessionRow is a stored session.
type SessionRow struct {
	ID                                           int64
	Agent, Native                                string
	Project                                      int64  `db:"project_id"`
	ProjectName                                  string `db:"project_name"`
	Parent, Dir, Branch, Worktree, Source, Model string
	Transcript, Reason                           string
	Started, Last                                int64  // unix ms
	Ended                                        *int64 // unix ms
	Turn                                         int64  `db:"turn_id"`
	Docs                                         int64
	First                                        string // how its first prompt begins; only of SessionsBefore and Session
}

const sessionColumns = `s.id, s.agent, s.native, s.project_id, p.name AS project_name, s.parent, s.dir, s.branch,
	s.worktree, s.source, s.model, s.transcript, s.reason, s.started, s.last, s.ended, coalesce(s.turn_id, 0) AS turn_id,
	s.docs`

const firstPrompt = `, coalesce((SELECT substr(d.body, 1, 500) FROM docs d
	WHERE d.session_id = s.id AND d.kind = 'prompt' AND d.role IS NOT 'assistant'
	ORDER BY d.at, d.id LIMIT 1), '') AS first`

// RecentSessions returns the sessions of a project (0 = all) that have documents, newest first.
func (db *DB) RecentSessions(ctx context.Context, project int64, limit int) ([]SessionRow, error) {
	const from = ` FROM sessions s CROSS JOIN projects p ON p.id = s.project_id WHERE `
	query, args := `SELECT `+sessionColumns+from+`s.project_id = ? AND s.docs > 0 ORDER BY s.last DESC, s.id DESC LIMIT ?`,
		[]any{project, limit}
	if project == 0 {
		query, args = `SELECT `+sessionColumns+from+`s.docs > 0 ORDER BY s.last DESC, s.id DESC LIMIT ?`, []any{limit}
	}
	var rows []SessionRow
	err := db.read.SelectContext(ctx, &rows, query, args...)
	return rows, translate(err)
}

// FindSession returns a session by the agent's id for it.
func (db *DB) FindSession(ctx context.Context, agent, native privacy.Clean) (SessionRow, error) {
	var rows []SessionRow
	err := db.read.SelectContext(ctx, &rows,
		`SELECT `+sessionColumns+` FROM sessions s CROSS JOIN projects p ON p.id = s.project_id
		WHERE s.agent = ? AND s.native = ?`, agent, native)
	switch {
	case err != nil:
		return SessionRow{}, translate(err)
	case len(rows) == 0:
		return SessionRow{}, fmt.Errorf("session of %s: %w", agent, ErrNotFound)
	}
	return rows[0], nil
}

// SessionsLike returns the sessions of an agent ("" = any) with an id, or if there are none, up to two whose ids begin
// with it.
func (db *DB) SessionsLike(ctx context.Context, agent, id string) ([]Read, error) {
	const known = `SELECT agent, native FROM sessions UNION SELECT agent, native FROM catalogue`
	const query = `SELECT agent, native FROM (` + known +
		`) WHERE ?1 IN ('', agent) AND (native = ?2 OR length(?2) >= ?3 AND substr(native, 1, length(?2)) = ?2)
		ORDER BY native <> ?2 LIMIT 2`
	var rows []Read
	err := db.read.SelectContext(ctx, &rows, query, agent, id, minPrefix)
	if len(rows) > 1 && rows[0].Native == id && rows[1].Native != id {
		rows = rows[:1]
	}
	return rows, translate(err)
}

// Line holds the fields of a document that a list shows.
type Line struct {
	ID       int64
	Session  int64  // set if several sessions are listed,
	Agent    string // and its agent
	Type     Kind   `db:"kind"`
	Turn     int64  `db:"turn_id"`
	At       int64  // unix ms
	Role     string
	Who      string // of a message, a subagent's type or compaction, of a tool's use the subagent; "" = the agent itself
	Tool     string
	Title    string
	Text     string // for a prompt or a summary, the first 1,000 characters
	Failed   bool
	Excluded bool
	Foreign  bool `db:"theirs"` // a memory that came with the repository: someone else may have written it
}

const lineColumns = `d.id, d.kind, coalesce(d.turn_id, 0) AS turn_id, d.at, coalesce(d.role, '') AS role,
	iif(d.kind = 'observation', coalesce(d.subagent, ''), coalesce(d.who, '')) AS who,
	coalesce(d.tool, '') AS tool, coalesce(d.title, '') AS title,
	iif(d.kind = 'observation', '', substr(coalesce(d.body, ''), 1, 1000)) AS text, d.failed, d.excluded`

// SessionLines returns the newest documents of a session, oldest first.
func (db *DB) SessionLines(ctx context.Context, session int64, limit int) ([]Line, error) {
	var rows []Line
	err := db.read.SelectContext(ctx, &rows, `SELECT * FROM (SELECT `+lineColumns+` FROM docs d WHERE d.session_id = ?
		ORDER BY d.at DESC, d.id DESC LIMIT ?) ORDER BY at, id`, session, limit)
	return rows, translate(err)
}

// talkBytes is how much is read of each message, memory and commit.
const talkBytes = 6_000

const talkColumns = `d.id, d.session_id AS session, coalesce(s.agent, '') AS agent, d.kind,
	coalesce(d.turn_id, 0) AS turn_id, d.at, coalesce(d.role, '') AS role, coalesce(d.who, '') AS who,
	coalesce(d.tool, '') AS tool, coalesce(d.title, '') AS title, substr(coalesce(d.body, ''), 1, ?1) AS text, d.failed,
	d.excluded`

// Talk returns, in order, the messages of some sessions and some other documents.
func (db *DB) Talk(ctx context.Context, sessions, docs []int64) ([]Line, error) {
	const query = `SELECT ` + talkColumns +
		`, 0 AS theirs FROM docs d LEFT JOIN sessions s ON s.id = d.session_id WHERE d.session_id IN (SELECT value FROM json_each(?2)) AND d.kind = 'prompt'
		UNION ALL SELECT ` + talkColumns +
		`, EXISTS (SELECT 1 FROM memories m JOIN memory_roots r ON r.id = m.root_id
			WHERE m.doc_id = d.id AND r.kind = 'repo' AND NOT m.own)
		FROM docs d LEFT JOIN sessions s ON s.id = d.session_id
		WHERE d.id IN (SELECT value FROM json_each(?3)) ORDER BY 2, 6, 1`
	var rows []Line
	err := db.read.SelectContext(ctx, &rows, query, talkBytes, jsonIDs(sessions), jsonIDs(docs))
	return rows, translate(err)
}

// SessionPrompts returns the newest prompts of the user in a session, newest first.
func (db *DB) SessionPrompts(ctx context.Context, session int64, limit int) ([]Line, error) {
	var rows []Line
	err := db.read.SelectContext(ctx, &rows,
		`SELECT `+lineColumns+` FROM docs d WHERE d.session_id = ? AND d.kind = 'prompt' AND d.role = 'user'
		ORDER BY d.at DESC, d.id DESC LIMIT ?`, session, limit)
	return rows, translate(err)
}

// Unit returns the documents of a job's unit, oldest first: the prompt of a turn with its answers, or the turn
// summaries and prompts of a session.
func (db *DB) Unit(ctx context.Context, job Job) ([]ObservationRow, error) {
	if job.Kind == JobSession {
		return db.rows(ctx,
			`SELECT `+fullColumns+fullJoin+` WHERE d.session_id = ? AND d.kind IN ('prompt', 'summary') ORDER BY d.at, d.id`,
			job.Session)
	}
	return db.rows(ctx, `SELECT `+fullColumns+fullJoin+` WHERE d.session_id = ? AND d.kind IN ('prompt', 'observation')
		AND (d.id = ? OR coalesce(d.turn_id, 0) = ?) ORDER BY d.at, d.id`, job.Session, job.Turn, job.Turn)
}
