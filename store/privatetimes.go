package store

import (
	"context"
	"fmt"
	"time"

	"keepmum/privacy"
)

// samePrivate is how long a private session may be silent before it counts as ended.
const samePrivate = time.Hour

// NotePrivate records that a private session is active in a repository.
func (db *DB) NotePrivate(ctx context.Context, commonDir privacy.Clean) error {
	err := db.writer.do(ctx, func(s *txState) error {
		// if the clock was set back, what was private stays so
		n, err := s.changed(`UPDATE private_times SET until = max(until, ?) WHERE common_dir = ? AND until >= ? AND since <= ?`,
			s.now, commonDir, s.now-samePrivate.Milliseconds(), s.now)
		if err != nil || n > 0 {
			return err
		}
		return s.exec(`INSERT INTO private_times (common_dir, since, until) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
			commonDir, s.now, s.now)
	})
	if err != nil {
		return fmt.Errorf("note a private session: %w", err)
	}
	return nil
}

// PrivateTime says whether a time is within a private session of a repository.
type PrivateTime int

// PrivateUnsure is a time after the last event of a session that may still be active: its next event will show.
const (
	NotPrivate PrivateTime = iota
	PrivateUnsure
	Private
)

// PrivateAt reports whether a private session was active in a repository in the second that contains a time.
func (db *DB) PrivateAt(ctx context.Context, commonDir privacy.Clean, at time.Time) (PrivateTime, error) {
	var was PrivateTime
	from := at.Truncate(time.Second)
	err := db.read.GetContext(ctx, &was,
		`SELECT coalesce(max(CASE WHEN until >= ? THEN ? WHEN until >= ? THEN ? ELSE ? END), ?)
		FROM private_times WHERE common_dir = ? AND since < ?`,
		from.UnixMilli(), Private, db.now().Add(-samePrivate).UnixMilli(), PrivateUnsure, NotPrivate, NotPrivate, commonDir,
		from.Add(time.Second).UnixMilli())
	return was, translate(err)
}
