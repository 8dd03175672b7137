package store

import (
	"context"
	"errors"
	"fmt"
)

// GotchaState is what the user decided about a gotcha.
type GotchaState string

// The states.
const (
	GotchaLearned    GotchaState = "learned"    // not decided yet
	GotchaKept       GotchaState = "kept"       // told to agents in its project
	GotchaEverywhere GotchaState = "everywhere" // told to agents in every project
	GotchaDropped    GotchaState = "dropped"    // not told to agents
)

// GotchaRow is a failure that was fixed in the same way in more than one session.
type GotchaRow struct {
	ID          int64
	Project     int64  `db:"project_id"`
	ProjectName string `db:"project_name"`
	State       GotchaState
	How         string
	Sessions    int   // that fixed it in this way,
	Mended      int   // out of this many that fixed it in any way
	Projects    int   // in which it was fixed in this way
	Doc         int64 // the latest run that failed,
	MendedBy    int64 // what fixed it,
	PassedBy    int64 // the run that succeeded then,
	At          int64 // and when (unix ms)
	Told        int   // sessions that were told
}

const gotchaQuery = `SELECT g.id, g.project_id, coalesce(p.name, '') AS project_name, g.state, f.how,
	count(DISTINCT f.session_id) AS sessions,
	(SELECT count(DISTINCT a.session_id) FROM failures a WHERE a.signature = g.signature AND a.project_id = g.project_id
		AND a.session_id <> ?1) AS mended,
	(SELECT count(DISTINCT a.project_id) FROM failures a WHERE a.signature = g.signature
		AND a.remedy = g.remedy) AS projects,
	f.doc_id AS doc, f.mended_by AS mendedby, f.passed_by AS passedby, max(f.at) AS at,
	(SELECT count(*) FROM gotchas_told t WHERE t.gotcha_id = g.id) AS told
	FROM gotchas g CROSS JOIN failures f ON f.signature = g.signature AND f.project_id = g.project_id
		AND f.remedy = g.remedy AND f.session_id <> ?1 LEFT JOIN projects p ON p.id = g.project_id `

// Gotchas lists what was learned from failures in a project, or in all (0), latest first.
func (db *DB) Gotchas(ctx context.Context, project int64) ([]GotchaRow, error) {
	var rows []GotchaRow
	err := db.read.SelectContext(ctx, &rows, gotchaQuery+`WHERE ?2 IN (0, g.project_id) GROUP BY g.id
		ORDER BY at DESC, g.id DESC`, 0, project)
	return rows, translate(err)
}

// Gotcha returns one gotcha, or [ErrNotFound].
func (db *DB) Gotcha(ctx context.Context, id int64) (GotchaRow, error) {
	var rows []GotchaRow
	err := db.read.SelectContext(ctx, &rows, gotchaQuery+`WHERE g.id = ?2 GROUP BY g.id`, 0, id)
	switch {
	case err != nil:
		return GotchaRow{}, translate(err)
	case len(rows) == 0:
		return GotchaRow{}, fmt.Errorf("gotcha %d: %w", id, ErrNotFound)
	}
	return rows[0], nil
}

// GotchasFor returns what other sessions learned about a failure, in its project or kept for all.
func (db *DB) GotchasFor(ctx context.Context, signature string, project, session int64) ([]GotchaRow, error) {
	var rows []GotchaRow
	err := db.read.SelectContext(ctx, &rows, gotchaQuery+`WHERE g.signature = ?2
		AND (g.project_id = ?3 OR g.state = 'everywhere') GROUP BY g.id`, session, signature, project)
	return rows, translate(err)
}

// DecideGotcha records what the user decided about a gotcha.
func (db *DB) DecideGotcha(ctx context.Context, id int64, state GotchaState) error {
	return db.writer.do(ctx, func(s *txState) error {
		n, err := s.changed(`UPDATE gotchas SET state = ?, decided = ? WHERE id = ?`, state, s.now, id)
		if err == nil && n == 0 {
			err = fmt.Errorf("gotcha %d: %w", id, ErrNotFound)
		}
		return err
	})
}

// errTold means that a session was already told about a failure.
var errTold = errors.New("told before")

// TellGotcha records that a session is told about a failure, with the receipt. It returns false if that session was
// told before.
func (db *DB) TellGotcha(ctx context.Context, signature string, gotcha int64, in Injection) (bool, error) {
	entries, err := entriesJSON(in)
	if err != nil {
		return false, err
	}
	err = db.writer.do(ctx, func(s *txState) error {
		n, err := s.changed(`INSERT INTO gotchas_told (session_id, signature, gotcha_id, at) VALUES (?, ?, ?, ?)
			ON CONFLICT DO NOTHING`, in.Session, signature, gotcha, s.now)
		if err != nil {
			return err
		}
		if n == 0 {
			return errTold
		}
		_, err = s.insertInjection(in, entries)
		return err
	})
	if errors.Is(err, errTold) {
		return false, nil
	}
	return err == nil, err
}
