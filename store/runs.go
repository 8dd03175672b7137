package store

import (
	"context"
	"fmt"
	"time"

	"keepmum/privacy"
)

// RunKind is what a run does.
type RunKind string

// The kinds of run.
const (
	RunSync     RunKind = "sync"
	RunMaintain RunKind = "maintain"
)

// Outcome is how a run ended; "" = it is still running or was killed.
type Outcome string

// The outcomes.
const (
	OutcomeDone    Outcome = "done"
	OutcomePartial Outcome = "partial"
	OutcomeFailed  Outcome = "failed"
	OutcomeStopped Outcome = "stopped"
)

// RunResult is the result of a run.
type RunResult struct {
	Outcome                                    Outcome
	Sessions, Added, Updated, Archived, Failed int
	Error                                      privacy.Clean
}

// RunRow is a stored run.
type RunRow struct {
	ID                                         string
	Kind                                       RunKind
	Started                                    int64  // unix ms
	Finished                                   *int64 // unix ms
	Outcome                                    Outcome
	Sessions, Added, Updated, Archived, Failed int
	Error                                      string
}

// BeginRun records the start of a run.
func (db *DB) BeginRun(ctx context.Context, id privacy.Clean, kind RunKind, at time.Time) error {
	err := db.writer.do(ctx, func(s *txState) error {
		return s.exec(`INSERT INTO runs (id, kind, started) VALUES (?, ?, ?)`, id, kind, at.UnixMilli())
	})
	if err != nil {
		return fmt.Errorf("note the run: %w", err)
	}
	return nil
}

// keptRuns is how many runs are kept.
const keptRuns = 500

// EndRun records how a run ended, and removes the oldest runs beyond keptRuns.
func (db *DB) EndRun(ctx context.Context, id privacy.Clean, at time.Time, r RunResult) error {
	err := db.writer.do(ctx, func(s *txState) error {
		if err := s.exec(`UPDATE runs SET finished = ?, outcome = ?, sessions = ?, added = ?, updated = ?, archived = ?,
			failed = ?, error = ? WHERE id = ?`,
			at.UnixMilli(), r.Outcome, r.Sessions, r.Added, r.Updated, r.Archived, r.Failed, r.Error, id); err != nil {
			return err
		}
		return s.exec(`DELETE FROM runs WHERE id NOT IN (SELECT id FROM runs ORDER BY started DESC LIMIT ?)`, keptRuns)
	})
	if err != nil {
		return fmt.Errorf("note the end of the run: %w", err)
	}
	return nil
}

// Runs returns the last runs, newest first; kind "" = both.
func (db *DB) Runs(ctx context.Context, kind RunKind, limit int) ([]RunRow, error) {
	var rows []RunRow
	err := db.read.SelectContext(ctx, &rows,
		`SELECT id, kind, started, finished, outcome, sessions, added, updated, archived, failed, error
		FROM runs WHERE ? IN ('', kind) ORDER BY started DESC, id DESC LIMIT ?`, kind, limit)
	return rows, translate(err)
}

// ProjectName returns the display name of a project, or "" if it is unknown.
func (db *DB) ProjectName(ctx context.Context, id int64) (string, error) {
	var name string
	_, err := one(ctx, db.read, &name, `SELECT name FROM projects WHERE id = ?`, id)
	return name, translate(err)
}
