package store

import (
	"context"
	"strconv"
)

// routinesUpto is until which document sessions were searched for routines.
const routinesUpto = "routines"

// Unordered returns the projects in which tools were used since routines were last looked for,
// and until which document that is so.
func (db *DB) Unordered(ctx context.Context) (projects []int64, upto int64, err error) {
	if err = db.read.GetContext(ctx, &upto, `SELECT coalesce(max(id), 0) FROM docs`); err != nil {
		return nil, 0, translate(err)
	}
	err = db.read.SelectContext(ctx, &projects, `SELECT DISTINCT s.project_id FROM sessions s WHERE s.project_id > ?1
		AND s.id IN (SELECT d.session_id FROM docs d WHERE d.kind = 'observation' AND d.id <= ?2
		AND d.id > coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?3), 0)) ORDER BY 1`,
		NoProjectRow, upto, routinesUpto)
	return projects, upto, translate(err)
}

// Ordered notes until which document routines were looked for.
func (db *DB) Ordered(ctx context.Context, upto int64) error {
	return db.writer.do(ctx, func(s *txState) error {
		return s.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)`, routinesUpto, strconv.FormatInt(upto, 10))
	})
}
