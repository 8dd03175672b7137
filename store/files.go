package store

import (
	"context"
	"strconv"
)

// SeenFile is a file that an agent read or changed.
type SeenFile struct {
	Doc   int64  // the document that mentions it,
	Place int    // and its position among that document's files
	Path  string // relative to the root of the repository; only a keyed hash of it is kept
	Mark  string // of [DB.FileMark]
}

// SawFiles assigns numbers to files and records hashes of their contents. If an earlier document mentioned a file, the
// file moves to the later one.
func (db *DB) SawFiles(ctx context.Context, list []SeenFile) error {
	return db.writer.do(ctx, func(s *txState) error {
		for _, f := range list {
			if err := s.exec(`INSERT INTO files (project_id, path, doc_id, place, hash)
				SELECT project_id, ?, id, ?, ? FROM docs WHERE id = ? ON CONFLICT (project_id, path) DO UPDATE
				SET doc_id = excluded.doc_id, place = excluded.place, hash = excluded.hash WHERE excluded.doc_id >= files.doc_id`,
				db.pathMark(f.Path), f.Place, f.Mark, f.Doc); err != nil {
				return err
			}
		}
		return nil
	})
}

func (db *DB) pathMark(path string) string { return db.mac("path", path) }

// FileRow is a numbered file.
type FileRow struct {
	ID, Doc, Session, At int64
	Path                 string // as in the document
	Mark                 string
}

// Name returns the number as shown and typed.
func (f *FileRow) Name() string { return "F" + strconv.FormatInt(f.ID, 10) }

const fileColumns = `SELECT f.id, f.doc_id AS doc, d.session_id AS session, d.at, f.hash AS mark,
	coalesce(d.files ->> ('$[' || f.place || ']'), '') AS path FROM `

// SessionFiles returns the files that a session was the last to read or change, newest first.
func (db *DB) SessionFiles(ctx context.Context, session int64, limit int) (rows []FileRow, err error) {
	err = db.read.SelectContext(ctx, &rows, fileColumns+`docs d CROSS JOIN files f ON f.doc_id = d.id
		WHERE d.session_id = ? ORDER BY d.id DESC, f.id LIMIT ?`, session, limit)
	return rows, translate(err)
}

// FileNumbered returns the file with a number in a project (0 = any).
func (db *DB) FileNumbered(ctx context.Context, project, id int64) (FileRow, error) {
	var rows []FileRow
	err := db.read.SelectContext(ctx, &rows, fileColumns+`files f CROSS JOIN docs d ON d.id = f.doc_id
		WHERE f.id = ?1 AND (?2 = 0 OR f.project_id = ?2)`, id, project)
	if err == nil && len(rows) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return FileRow{}, translate(err)
	}
	return rows[0], nil
}
