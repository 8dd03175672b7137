package store

import (
	"context"
	"fmt"
	"time"

	"keepmum/privacy"
)

// samePrivate is how long a private session may be silent and still be taken for one.
const samePrivate = time.Hour

// NotePrivate notes that a private session is at work in a repository.
func (db *DB) NotePrivate(ctx context.Context, commonDir privacy.Clean) error {
	err := db.writer.do(ctx, func(s *txState) error {
		n, err := s.changed(`UPDATE private_times SET until = ? WHERE common_dir = ? AND until >= ?`, s.now, commonDir,
			s.now-samePrivate.Milliseconds())
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

// PrivateTime says how a moment lies to the private sessions of a repository.
type PrivateTime int

// What a moment may be. Unsure is one after the last event of a session that may still be at work:
// what it did then shows with its next event.
const (
	NotPrivate PrivateTime = iota
	PrivateUnsure
	Private
)

// PrivateAt says whether a private session was at work in a repository in the second that begins at a time.
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
