package store

import (
	"context"
	"errors"
	"fmt"
)

// rebuilding says which documents have an entry while the index is rebuilt: those
// up to done, and those above top, which came later. No top = all have one.
type rebuilding struct{ Done, Top int64 }

func (r rebuilding) has(id int64) bool { return r.Top == 0 || id <= r.Done || id > r.Top }

const rebuildBatch = 200 // documents in one step: what waits, waits for milliseconds

// freshIndex is the index as the first migrations made it.
var freshIndex = []string{
	// else it could not even be dropped
	`INSERT INTO docs_fts_config(k, v) VALUES ('version', 4) ON CONFLICT DO UPDATE SET v = 4`,
	`DROP VIEW IF EXISTS docs_indexed`,
	`DROP TABLE IF EXISTS docs_terms`,
	`DROP TABLE IF EXISTS docs_fts`,
	`CREATE VIRTUAL TABLE docs_fts USING fts5(text, content = '', detail = none,
		tokenize = 'porter unicode61 remove_diacritics 2')`,
	`INSERT INTO docs_fts(docs_fts, rank) VALUES ('secure-delete', 1)`,
	`INSERT INTO docs_fts(docs_fts, rank) VALUES ('usermerge', 2)`,
	`CREATE VIRTUAL TABLE docs_terms USING fts5vocab(docs_fts, row)`,
	`CREATE VIEW docs_indexed AS SELECT id & 0xFFFFFFFFFF AS id FROM docs_fts_docsize`,
}

// Rebuild makes the index of all documents again, step by step; one that was stopped
// continues where it was. Documents come and go meanwhile.
func (db *DB) Rebuild(ctx context.Context, progress func(done, all int)) error {
	if !db.Rebuilding() {
		if err := db.writer.doLight(ctx, (*txState).clearIndex); err != nil {
			return fmt.Errorf("rebuild the index: %w", err)
		}
	}
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		var done, all int
		err := db.writer.doLight(ctx, func(s *txState) (err error) {
			more, err = s.rebuildStep()
			if err != nil {
				return err
			}
			_, err = s.get(&done, `SELECT count(*) FROM docs_fts_docsize`)
			all = int(s.rebuild.Top)
			return err
		})
		if err != nil {
			return fmt.Errorf("rebuild the index: %w", err)
		}
		if progress != nil {
			progress(done, max(all, done))
		}
	}
	db.writer.health.checked()
	return nil
}

// Rebuilding says that the index does not have all documents yet.
func (db *DB) Rebuilding() bool { return db.rebuilding.Load() }

// clearIndex begins: what is in the index goes, and what waits is counted.
func (s *txState) clearIndex() error {
	for _, query := range freshIndex {
		if _, err := s.conn.ExecContext(context.Background(), query); err != nil {
			return err
		}
	}
	if _, err := s.get(&s.rebuild.Top, `SELECT coalesce(max(id), 0) FROM docs`); err != nil {
		return err
	}
	s.rebuild.Done = 0
	return errors.Join(s.fold(), s.saveRebuild())
}

// rebuildStep adds the entries of some documents; it reports whether there are more.
func (s *txState) rebuildStep() (more bool, err error) {
	var rows []docRow
	if err := s.list(&rows, `SELECT `+docColumns+` FROM docs d WHERE d.id > ? AND d.id <= ? ORDER BY d.id LIMIT ?`,
		s.rebuild.Done, s.rebuild.Top, rebuildBatch); err != nil {
		return false, err
	}
	for i := range rows {
		d := &rows[i]
		s.rebuild.Done = d.ID
		if err := s.exec(`INSERT INTO docs_fts (rowid, text) VALUES (?, ?)`, indexID(d.Project, d.ID),
			indexText(d)); err != nil {
			return false, err
		}
	}
	if len(rows) < rebuildBatch {
		s.rebuild = rebuilding{}
	}
	return s.rebuild.Top > 0, s.saveRebuild()
}

func (s *txState) saveRebuild() error {
	return s.exec(`INSERT INTO meta (key, value) VALUES ('rebuild', ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
		fmt.Sprint(s.rebuild.Done, " ", s.rebuild.Top))
}

func (s *txState) loadRebuild() error {
	var value string
	found, err := s.get(&value, `SELECT value FROM meta WHERE key = 'rebuild'`)
	if err != nil || !found {
		return err
	}
	_, err = fmt.Sscan(value, &s.rebuild.Done, &s.rebuild.Top)
	s.db.rebuilding.Store(s.rebuild.Top > 0)
	return err
}
