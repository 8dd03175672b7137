package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"keepmum/privacy"
)

// JobKind says what a job compresses.
type JobKind string

// The kinds of job. The unit of a turn job is a prompt with its answers; the unit of a session job is the summaries of
// one session.
const (
	JobTurn    JobKind = "turn"
	JobSession JobKind = "session"
)

// JobState is the state of a job.
type JobState string

// A failed job is retried after a while, a dead one is not.
const (
	JobPending     JobState = "pending"
	JobLeased      JobState = "leased"
	JobDone        JobState = "done"
	JobFailed      JobState = "failed"
	JobDead        JobState = "dead"
	JobQuarantined JobState = "quarantined"
	JobSkipped     JobState = "skipped"
)

// ErrLeaseLost means that a job no longer belongs to the caller: the lease ran out and another owner has it, or it was
// skipped.
var ErrLeaseLost = errors.New("the lease of the job was lost")

const (
	maxAttempts  = 3
	firstBackoff = 30 * time.Second
	maxBackoff   = time.Hour
	maxLease     = 10 * time.Minute
)

// due and expired are SQL conditions with the current time as the first argument. A time that is later than any that is
// given out was set before the clock was set back.
var (
	due     = fmt.Sprintf(`(not_before <= ?1 OR not_before > ?1 + %d)`, maxBackoff.Milliseconds())
	expired = fmt.Sprintf(`(lease_until < ?1 OR lease_until > ?1 + %d)`, maxLease.Milliseconds())
)

// Job is one unit of work of the compressor.
type Job struct {
	ID         int64
	Kind       JobKind
	Project    int64 `db:"project_id"`
	Session    int64 `db:"session_id"`
	Turn       int64 `db:"turn_id"` // the prompt that began the turn; 0 = before the first one
	State      JobState
	Rev        int64
	Attempts   int
	NotBefore  int64 `db:"not_before"` // unix ms
	Lease      string
	LeaseUntil int64 `db:"lease_until"` // unix ms
	Error      string
	Created    int64 // unix ms
	Updated    int64 // unix ms
}

const jobColumns = `id, kind, project_id, session_id, turn_id, state, rev, attempts, not_before, lease, lease_until, error, created, updated`

// enqueue queues the work on a unit, once however often the unit changes.
func (s *txState) enqueue(kind JobKind, ses *session, turn int64) error {
	const upsert = `INSERT INTO jobs (kind, project_id, session_id, turn_id, state, created, updated)
		VALUES (?, ?, ?, ?, 'pending', ?, ?)
		ON CONFLICT DO UPDATE SET rev = rev + 1, updated = excluded.updated,
			attempts = iif(state IN ('done', 'dead'), 0, attempts), not_before = iif(state IN ('done', 'dead'), 0, not_before),
			state = iif(state IN ('done', 'dead'), 'pending', state)`
	return s.exec(upsert, kind, ses.Project, ses.ID, turn, s.now, s.now)
}

// claimQuery finds the newest job that is due. A session is summarised from its turns, so it waits until they are done
// or given up.
var claimQuery = `SELECT ` + jobColumns + ` FROM jobs j WHERE state IN ('pending', 'failed') AND ` + due + `
	AND NOT (kind = 'session' AND EXISTS (SELECT 1 FROM jobs t WHERE t.kind = 'turn' AND t.session_id = j.session_id
		AND t.state IN ('pending', 'failed', 'leased')))
	ORDER BY id DESC LIMIT 1`

// ClaimJob first takes back expired leases, then leases the newest job that is due, for up to ten minutes. It returns
// false if there is nothing to do.
func (db *DB) ClaimJob(ctx context.Context, owner privacy.Clean, lease time.Duration) (Job, bool, error) {
	var job Job
	var found bool
	err := db.writer.do(ctx, func(s *txState) (err error) {
		if err := s.reclaim(); err != nil {
			return err
		}
		found, err = s.get(&job, claimQuery, s.now)
		if err != nil || !found {
			return err
		}
		job.State, job.Lease, job.LeaseUntil = JobLeased, owner.String(), s.until(lease)
		job.Attempts++
		return s.exec(`UPDATE jobs SET state = 'leased', lease = ?, lease_until = ?, attempts = ?, updated = ? WHERE id = ?`,
			job.Lease, job.LeaseUntil, job.Attempts, s.now, job.ID)
	})
	if err != nil {
		return Job{}, false, fmt.Errorf("claim a job: %w", err)
	}
	return job, found, nil
}

// reclaim takes back expired leases. A job that has used up its attempts because its worker kept dying is dead.
func (s *txState) reclaim() error {
	return s.exec(
		`UPDATE jobs SET state = iif(attempts >= ?2, 'dead', 'pending'), lease = '', error = 'the worker stopped',
		updated = ?1 WHERE state = 'leased' AND `+expired, s.now, maxAttempts)
}

// until returns when a lease ends.
func (s *txState) until(lease time.Duration) int64 {
	return s.now + min(lease, maxLease).Milliseconds()
}

// HeartbeatJob extends a lease.
func (db *DB) HeartbeatJob(ctx context.Context, job Job, lease time.Duration) error {
	return db.ownJob(ctx, job, func(s *txState) error {
		return s.exec(`UPDATE jobs SET lease_until = ? WHERE id = ?`, s.until(lease), job.ID)
	})
}

// CompleteJob stores the summaries of a unit and ends its job in one transaction. If the unit changed meanwhile, the
// job is pending again.
func (db *DB) CompleteJob(ctx context.Context, job Job, summaries ...Summary) error {
	return db.ownJob(ctx, job, func(s *txState) error {
		for _, sum := range summaries {
			if err := s.putSummary(job, sum); err != nil {
				return err
			}
		}
		return s.exec(`UPDATE jobs SET state = iif(rev = ?, 'done', 'pending'), done_rev = ?, attempts = 0, not_before = 0,
			lease = '', error = '', updated = ?
			WHERE id = ?`, job.Rev, job.Rev, s.now, job.ID)
	})
}

// FailJob counts a failed attempt. The job waits longer each time and is dead after the third. The reason must not
// contain captured text.
func (db *DB) FailJob(ctx context.Context, job Job, reason privacy.Clean) error {
	return db.ownJob(ctx, job, func(s *txState) error {
		state := JobFailed
		if job.Attempts >= maxAttempts {
			state = JobDead
		}
		return s.exec(`UPDATE jobs SET state = ?, not_before = ?, lease = '', error = ?, updated = ? WHERE id = ?`,
			state, s.now+backoff(job.Attempts).Milliseconds(), reason, s.now, job.ID)
	})
}

func backoff(attempt int) time.Duration {
	return min(maxBackoff, firstBackoff<<min(max(attempt-1, 0), 10))
}

// ReleaseJob returns a job to the queue; the attempt does not count.
func (db *DB) ReleaseJob(ctx context.Context, job Job) error {
	return db.ownJob(ctx, job, func(s *txState) error {
		return s.exec(`UPDATE jobs SET state = 'pending', attempts = attempts - 1, lease = '', updated = ? WHERE id = ?`,
			s.now, job.ID)
	})
}

// QuarantineJob quarantines a job because the second gate is in doubt about its text. Findings are JSON with rule names
// and offsets, never text.
func (db *DB) QuarantineJob(ctx context.Context, job Job, findings privacy.Clean) error {
	return db.ownJob(ctx, job, func(s *txState) error {
		if err := s.exec(`INSERT INTO quarantine (job_id, at, findings) VALUES (?, ?, ?)
			ON CONFLICT DO UPDATE SET at = excluded.at, findings = excluded.findings`, job.ID, s.now, findings); err != nil {
			return err
		}
		return s.exec(`UPDATE jobs SET state = 'quarantined', lease = '', updated = ? WHERE id = ?`, s.now, job.ID)
	})
}

func (db *DB) ownJob(ctx context.Context, job Job, f func(*txState) error) error {
	err := db.writer.do(ctx, func(s *txState) error {
		var own int
		if _, err := s.get(&own, `SELECT count(*) FROM jobs WHERE id = ? AND state = 'leased' AND lease = ?`, job.ID,
			job.Lease); err != nil {
			return err
		}
		if own == 0 {
			return ErrLeaseLost
		}
		return f(s)
	})
	if err != nil {
		return fmt.Errorf("job %d: %w", job.ID, err)
	}
	return nil
}

// Jobs lists jobs in the given states (none = all), newest first.
func (db *DB) Jobs(ctx context.Context, limit int, states ...JobState) ([]Job, error) {
	query, args := `SELECT `+jobColumns+` FROM jobs`, []any{}
	if len(states) > 0 {
		query += ` WHERE state IN (?` + strings.Repeat(", ?", len(states)-1) + `)`
		for _, st := range states {
			args = append(args, st)
		}
	}
	var jobs []Job
	err := db.read.SelectContext(ctx, &jobs, query+` ORDER BY id DESC LIMIT ?`, append(args, limit)...)
	return jobs, translate(err)
}

// RetryJob makes a failed, dead, skipped or done job pending again.
func (db *DB) RetryJob(ctx context.Context, id int64) error {
	return db.setJob(ctx, id, `UPDATE jobs SET state = 'pending', attempts = 0, not_before = 0, error = '', updated = ?
		WHERE id = ? AND state IN ('failed', 'dead', 'skipped', 'done')`)
}

// SkipJob takes a job out of the queue.
func (db *DB) SkipJob(ctx context.Context, id int64) error {
	return db.setJob(ctx, id,
		`UPDATE jobs SET state = 'skipped', lease = '', updated = ? WHERE id = ? AND state <> 'done'`)
}

func (db *DB) setJob(ctx context.Context, id int64, query string) error {
	err := db.writer.do(ctx, func(s *txState) error {
		n, err := s.changed(query, s.now, id)
		if err == nil && n == 0 {
			err = ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("job %d: %w", id, err)
	}
	return nil
}

// QuarantineRow is a job in quarantine.
type QuarantineRow struct {
	ID       int64
	Job      int64 `db:"job_id"`
	At       int64 // unix ms
	Findings string
}

// Quarantine lists the jobs in quarantine, newest first.
func (db *DB) Quarantine(ctx context.Context, limit int) ([]QuarantineRow, error) {
	var rows []QuarantineRow
	err := db.read.SelectContext(ctx, &rows, `SELECT id, job_id, at, findings FROM quarantine ORDER BY id DESC LIMIT ?`,
		limit)
	return rows, translate(err)
}

// ReleaseQuarantine makes a quarantined job pending again, or skips it.
func (db *DB) ReleaseQuarantine(ctx context.Context, id int64, skip bool) error {
	state := JobPending
	if skip {
		state = JobSkipped
	}
	err := db.writer.do(ctx, func(s *txState) error {
		n, err := s.changed(`UPDATE jobs SET state = ?, attempts = 0, not_before = 0, updated = ?
			WHERE id = (SELECT job_id FROM quarantine WHERE id = ?)`, state, s.now, id)
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrNotFound
		}
		return s.exec(`DELETE FROM quarantine WHERE id = ?`, id)
	})
	if err != nil {
		return fmt.Errorf("quarantine %d: %w", id, err)
	}
	return nil
}
