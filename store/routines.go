package store

import (
	"context"
	"strconv"
)

// routinesUpto is the key in meta of the last document that was searched for routines.
const routinesUpto = "routines"

// Unordered returns the projects with tool uses that were not yet searched for routines, and the last document that
// they cover.
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

// Ordered records the last document that was searched for routines.
func (db *DB) Ordered(ctx context.Context, upto int64) error {
	return db.writer.do(ctx, func(s *txState) error {
		return s.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)`, routinesUpto, strconv.FormatInt(upto, 10))
	})
}
