package store

import (
	"context"
	"fmt"
	"time"
)

// SessionsSince returns the sessions captured by hooks that have a message since a time (zero = all).
func (db *DB) SessionsSince(ctx context.Context, since time.Time) ([]SessionRow, error) {
	from := int64(0)
	if !since.IsZero() {
		from = since.UnixMilli()
	}
	var rows []SessionRow
	err := db.read.SelectContext(ctx, &rows,
		`SELECT `+sessionColumns+` FROM sessions s CROSS JOIN projects p ON p.id = s.project_id
		WHERE s.docs > 0 AND s.last >= ? ORDER BY s.last DESC, s.id DESC`, from)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", translate(err))
	}
	return rows, nil
}

// SessionDocs returns the messages and tool uses of a session after a document (0 = from the start), in the order in
// which they arrived.
func (db *DB) SessionDocs(ctx context.Context, session, after int64, limit int) ([]ObservationRow, error) {
	rows, err := db.rows(ctx,
		`SELECT `+fullColumns+fullJoin+
			` WHERE d.session_id = ? AND d.id > ? AND d.kind IN ('prompt', 'observation') ORDER BY d.id LIMIT ?`, session, after,
		limit)
	if err != nil {
		return nil, fmt.Errorf("read session %d: %w", session, err)
	}
	return rows, nil
}
