package store

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"keepmum/privacy"
)

// SyncFilter selects sessions of the catalogue. The zero value selects all.
type SyncFilter struct {
	Agents       []string
	Project      int64     // 0 = all
	Key          string    // one session
	Session      string    // key, or the agent's own id
	Since, Until time.Time // of the last message, both inclusive
	States       []SyncState
}

func (f SyncFilter) where() (string, []any) {
	var b strings.Builder
	var args []any
	add := func(cond string, a ...any) {
		b.WriteString(" AND " + cond)
		args = append(args, a...)
	}
	if len(f.Agents) > 0 {
		add(`c.agent IN (?`+strings.Repeat(", ?", len(f.Agents)-1)+`)`, anys(f.Agents)...)
	}
	if f.Project != 0 {
		add(`c.project_id = ?`, f.Project)
	}
	if f.Key != "" {
		add(`c.key = ?`, f.Key)
	}
	if f.Session != "" {
		add(`? IN (c.key, c.native)`, f.Session)
	}
	if !f.Since.IsZero() {
		add(`c.ended >= ?`, f.Since.UnixMilli())
	}
	if !f.Until.IsZero() {
		add(`c.ended <= ?`, f.Until.UnixMilli())
	}
	if len(f.States) > 0 {
		add(`c.state IN (?`+strings.Repeat(", ?", len(f.States)-1)+`)`, anys(f.States)...)
	}
	return b.String(), args
}

func anys[T any](in []T) []any {
	out := make([]any, len(in))
	for i, v := range in {
		out[i] = v
	}
	return out
}

// SyncJobs lists sessions of the catalogue, newest first.
func (db *DB) SyncJobs(ctx context.Context, f SyncFilter, limit int) ([]CatalogueRow, error) {
	where, args := f.where()
	var rows []CatalogueRow
	err := db.read.SelectContext(ctx, &rows,
		`SELECT `+catalogueColumns+catalogueFrom+` WHERE 1`+where+` ORDER BY c.ended DESC, c.id DESC LIMIT ?`,
		append(args, limit)...)
	return rows, translate(err)
}

// SyncCounts returns how many sessions are in each state.
func (db *DB) SyncCounts(ctx context.Context) (map[string]int64, error) {
	var rows []struct {
		State string
		N     int64
	}
	if err := db.read.SelectContext(ctx, &rows, `SELECT state, count(*) AS n FROM catalogue GROUP BY state`); err != nil {
		return nil, translate(err)
	}
	out := make(map[string]int64, len(rows))
	for _, r := range rows {
		out[r.State] = r.N
	}
	return out, nil
}

// ReclaimSync takes back sessions whose lease ran out because their run was killed. A session that has used up its
// attempts this way becomes a dead letter.
func (db *DB) ReclaimSync(ctx context.Context) error {
	return db.writer.do(ctx, (*txState).reclaimSync)
}

func (s *txState) reclaimSync() error {
	return s.exec(`UPDATE catalogue SET state = iif(attempts >= ?2, 'dead_letter', 'pending'), lease = '',
		error = 'the run stopped', updated = ?1
		WHERE state = 'running' AND `+expired, s.now, maxAttempts)
}

// ClaimSync leases the newest session that is due and whose project has no other session running. It returns false if
// there is none.
func (db *DB) ClaimSync(ctx context.Context, f SyncFilter, owner privacy.Clean,
	lease time.Duration) (CatalogueRow, bool, error) {
	where, args := f.where()
	var row CatalogueRow
	var found bool
	err := db.writer.do(ctx, func(s *txState) (err error) {
		if err := s.reclaimSync(); err != nil {
			return err
		}
		from := catalogueFrom + ` WHERE c.state IN ('pending', 'failed') AND ` + due + ` AND c.project_id NOT IN
			(SELECT project_id FROM catalogue WHERE state = 'running')`
		found, err = s.get(&row,
			`SELECT `+catalogueColumns+from+where+` ORDER BY c.ended DESC, c.id DESC LIMIT 1`,
			append([]any{s.now}, args...)...)
		if err != nil || !found {
			return err
		}
		row.State, row.Lease, row.LeaseUntil = SyncRunning, owner.String(), s.until(lease)
		row.Attempts++
		return s.exec(
			`UPDATE catalogue SET state = 'running', lease = ?, lease_until = ?, attempts = ?, updated = ? WHERE id = ?`,
			row.Lease, row.LeaseUntil, row.Attempts, s.now, row.ID)
	})
	if err != nil {
		return CatalogueRow{}, false, fmt.Errorf("claim a session: %w", err)
	}
	return row, found, nil
}

// HeartbeatSync extends a lease.
func (db *DB) HeartbeatSync(ctx context.Context, row CatalogueRow, lease time.Duration) error {
	return db.ownSync(ctx, row, func(s *txState) error {
		return s.exec(`UPDATE catalogue SET lease_until = ? WHERE id = ?`, s.until(lease), row.ID)
	})
}

// CompleteSync marks a session as done, or as pending if it has grown meanwhile.
func (db *DB) CompleteSync(ctx context.Context, row CatalogueRow, run privacy.Clean) error {
	return db.ownSync(ctx, row, func(s *txState) error {
		return s.exec(`UPDATE catalogue SET state = iif(hash = ?, 'done', 'pending'), extracted = ?, attempts = 0,
			not_before = 0, lease = '', error = '', run = ?, updated = ?
			WHERE id = ?`, row.Hash, row.Steps, run, s.now, row.ID)
	})
}

// FailSync counts a failed attempt. The session waits longer each time and is a dead letter after the third. The reason
// must not contain captured text.
func (db *DB) FailSync(ctx context.Context, row CatalogueRow, reason privacy.Clean) error {
	return db.ownSync(ctx, row, func(s *txState) error {
		state := SyncFailed
		if row.Attempts >= maxAttempts {
			state = SyncDead
		}
		return s.exec(`UPDATE catalogue SET state = ?, not_before = ?, lease = '', error = ?, updated = ? WHERE id = ?`,
			state, s.now+backoff(row.Attempts).Milliseconds(), reason, s.now, row.ID)
	})
}

// ReleaseSync returns a session to the queue; the attempt does not count.
func (db *DB) ReleaseSync(ctx context.Context, row CatalogueRow) error {
	return db.ownSync(ctx, row, func(s *txState) error {
		return s.exec(`UPDATE catalogue SET state = 'pending', attempts = attempts - 1, lease = '', updated = ? WHERE id = ?`,
			s.now, row.ID)
	})
}

func (db *DB) ownSync(ctx context.Context, row CatalogueRow, f func(*txState) error) error {
	err := db.writer.do(ctx, func(s *txState) error {
		n, err := s.changed(`UPDATE catalogue SET updated = ? WHERE id = ? AND state = 'running' AND lease = ?`, s.now,
			row.ID, row.Lease)
		if err == nil && n == 0 {
			err = ErrLeaseLost
		}
		if err != nil {
			return err
		}
		return f(s)
	})
	if err != nil {
		return fmt.Errorf("session %s: %w", row.Key[:min(8, len(row.Key))], err)
	}
	return nil
}

// RequeueSync makes the selected sessions pending again, to be processed from the start. It returns how many.
func (db *DB) RequeueSync(ctx context.Context, f SyncFilter) (int64, error) {
	where, args := f.where()
	return write(ctx, db.writer, func(s *txState) (int64, error) {
		return s.changed(
			`UPDATE catalogue AS c SET state = 'pending', attempts = 0, not_before = 0, extracted = 0, error = '', updated = ?
			WHERE c.state <> 'running'`+where, append([]any{s.now}, args...)...)
	})
}

// SkipSync takes the selected sessions out of the queue until they grow. It returns how many.
func (db *DB) SkipSync(ctx context.Context, f SyncFilter) (int64, error) {
	where, args := f.where()
	return write(ctx, db.writer, func(s *txState) (int64, error) {
		return s.changed(
			`UPDATE catalogue AS c SET state = 'skipped', lease = '', updated = ? WHERE c.state NOT IN ('done', 'skipped')`+
				where, append([]any{s.now}, args...)...)
	})
}

// ExcludeSync takes a waiting session out of the queue and forgets how far it was read: if it may be read again, it is
// read from the start.
func (db *DB) ExcludeSync(ctx context.Context, key string) error {
	return db.writer.do(ctx, func(s *txState) error {
		return s.exec(`UPDATE catalogue SET state = 'skipped', lease = '', size = -1, pos = 0, hash = '', updated = ?
			WHERE key = ? AND state NOT IN ('done', 'skipped')`, s.now, key)
	})
}

// minPrefix is how many characters of a key a user must type: fewer could match by accident.
const minPrefix = 6

// Errors of [DB.FindSync].
var (
	ErrShort     = fmt.Errorf("an id needs at least %d characters", minPrefix)
	ErrAmbiguous = fmt.Errorf("more than one session id begins with this")
)

// FindSync returns the session with a key or own id, or the only one whose key or own id begins with it.
func (db *DB) FindSync(ctx context.Context, prefix string) (CatalogueRow, error) {
	var rows []CatalogueRow
	err := db.read.SelectContext(ctx, &rows, `SELECT `+catalogueColumns+catalogueFrom+` WHERE ?1 IN (c.key, c.native)
		OR length(?1) >= ?2 AND ?1 IN (substr(c.key, 1, length(?1)), substr(c.native, 1, length(?1)))
		ORDER BY ?1 NOT IN (c.key, c.native) LIMIT 2`, prefix, minPrefix)
	exact := func(r CatalogueRow) bool { return prefix == r.Key || prefix == r.Native }
	switch {
	case err != nil:
		return CatalogueRow{}, translate(err)
	case len(rows) == 0 && utf8.RuneCountInString(prefix) < minPrefix:
		return CatalogueRow{}, ErrShort
	case len(rows) == 0:
		return CatalogueRow{}, fmt.Errorf("session: %w", ErrNotFound)
	case len(rows) > 1 && (!exact(rows[0]) || exact(rows[1])):
		return CatalogueRow{}, ErrAmbiguous
	}
	return rows[0], nil
}
