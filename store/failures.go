package store

import (
	"context"
	"strconv"
)

// Failure is a command that failed, with one thing that fixed it. It contains no text.
type Failure struct {
	Signature, Remedy string // of [DB.FailureMark]
	How               string // ran, edited or instead
	Project, Session  int64
	Doc               int64 // the run that failed
	MendedBy          int64 // what fixed it
	PassedBy          int64 // the run that succeeded
	At                int64 // unix ms, when it was fixed
}

// FailureMark is a keyed hash that identifies a failure or a remedy.
func (db *DB) FailureMark(text string) string { return db.mac("failure", text) }

// failuresUpto is the key in meta of the last document that was searched for failures.
const failuresUpto = "failures"

// Unlearned returns some sessions with tool uses that were not yet searched for failures, and the last document that
// they cover.
func (db *DB) Unlearned(ctx context.Context) (sessions []int64, upto int64, err error) {
	if err = db.read.GetContext(ctx, &upto, `SELECT coalesce(max(id), 0) FROM docs`); err != nil {
		return nil, 0, translate(err)
	}
	err = db.read.SelectContext(ctx, &sessions, `SELECT DISTINCT session_id FROM docs d WHERE d.kind = 'observation'
		AND d.id <= ? AND d.id > coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?), 0) ORDER BY 1`,
		upto, failuresUpto)
	return sessions, upto, translate(err)
}

// Unread returns how many documents, including forgotten ones, arrived since the last search for failures.
func (db *DB) Unread(ctx context.Context) (n int64, err error) {
	err = db.read.GetContext(ctx, &n, `SELECT coalesce((SELECT max(id) FROM docs), 0) -
		coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?), 0)`, failuresUpto)
	return n, translate(err)
}

// Learned records the last document that was searched for failures.
func (db *DB) Learned(ctx context.Context, upto int64) error {
	return db.writer.do(ctx, func(s *txState) error {
		return s.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)`, failuresUpto, strconv.FormatInt(upto, 10))
	})
}

// Limits on what is read of a session to find its failures: the latest tool uses, without those with more output than a
// person would read on a screen.
const (
	maxWork   = 2000
	workBytes = 32 << 10
)

// Work returns the tool uses of a session, oldest first.
func (db *DB) Work(ctx context.Context, session int64) ([]ObservationRow, error) {
	return db.rows(ctx, `SELECT * FROM (SELECT `+fullColumns+fullJoin+` WHERE d.session_id = ? AND d.kind = 'observation'
		AND d.excluded = 0 AND coalesce(length(d.input), 0) + coalesce(length(d.output), 0) <= ?
		ORDER BY d.at DESC, d.id DESC LIMIT ?) ORDER BY at, id`, session, workBytes, maxWork)
}

// PutFailures stores failures. A fix that two sessions used becomes a gotcha; another form of the same command becomes
// one after a single session. A failure is not stored if one of its documents was forgotten meanwhile.
func (db *DB) PutFailures(ctx context.Context, found []Failure) error {
	return db.writer.do(ctx, func(s *txState) error {
		for _, f := range found {
			n, err := s.changed(`INSERT INTO failures (signature, remedy, how, project_id, session_id, doc_id, mended_by,
				passed_by, at) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
				WHERE (SELECT count(*) FROM docs WHERE id IN (?6, ?7, ?8)) = iif(?7 = ?8, 2, 3) ON CONFLICT DO NOTHING`,
				f.Signature, f.Remedy, f.How, f.Project, f.Session, f.Doc, f.MendedBy, f.PassedBy, f.At)
			if err != nil {
				return err
			}
			if n == 0 {
				continue
			}
			if err := s.exec(`INSERT INTO gotchas (project_id, signature, remedy) SELECT ?1, ?2, ?3
				WHERE ?4 = 'instead' OR (SELECT count(DISTINCT session_id) FROM failures WHERE signature = ?2 AND project_id = ?1
				AND remedy = ?3) >= 2 ON CONFLICT DO NOTHING`, f.Project, f.Signature, f.Remedy, f.How); err != nil {
				return err
			}
		}
		return nil
	})
}

// forgetFailures removes what was learned from a document, and gotchas that no failure supports any more.
func (s *txState) forgetFailures(doc int64) error {
	n, err := s.changed(`DELETE FROM failures WHERE doc_id = ?1 OR mended_by = ?1 OR passed_by = ?1`, doc)
	if err != nil || n == 0 {
		return err
	}
	for _, q := range []string{
		`DELETE FROM gotchas WHERE NOT EXISTS (SELECT 1 FROM failures f WHERE f.signature = gotchas.signature
			AND f.project_id = gotchas.project_id AND f.remedy = gotchas.remedy)`,
		`DELETE FROM gotchas_told WHERE gotcha_id NOT IN (SELECT id FROM gotchas)`,
	} {
		if err := s.exec(q); err != nil {
			return err
		}
	}
	return nil
}
