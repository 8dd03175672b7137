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

// WasPrivate reports whether a private session was at work in a repository in
// the second that begins at a time.
func (db *DB) WasPrivate(ctx context.Context, commonDir privacy.Clean, at time.Time) (bool, error) {
	var was bool
	from := at.Truncate(time.Second)
	err := db.read.GetContext(ctx, &was,
		`SELECT EXISTS (SELECT 1 FROM private_times WHERE common_dir = ? AND since < ? AND until >= ?)`, commonDir,
		from.Add(time.Second).UnixMilli(), from.UnixMilli())
	return was, translate(err)
}
