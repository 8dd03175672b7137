package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"
)

// rebuilding says which documents have an index entry during a rebuild: those up to Done, and those above Top, which
// came later. Top 0 = all have one.
type rebuilding struct{ Done, Top int64 }

func (r rebuilding) has(id int64) bool { return r.Top == 0 || id <= r.Done || id > r.Top }

const rebuildBatch = 200 // documents per step: other writes wait only milliseconds

// freshIndex creates the index as the first migrations did.
var freshIndex = []string{
	// otherwise it could not even be dropped
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

// Rebuild rebuilds the index of all documents step by step, and continues one that was interrupted. Documents may be
// added and removed meanwhile.
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

// Rebuilding reports whether the index does not contain all documents yet.
func (db *DB) Rebuilding() bool { return db.rebuilding.Load() }

// clearIndex empties the index and counts the documents to be indexed.
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

// rebuildStep indexes some documents and reports whether there are more.
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

func (s *txState) loadRebuild() (err error) {
	s.rebuild, err = loadRebuild(context.Background(), s.conn)
	s.db.rebuilding.Store(s.rebuild.Top > 0)
	return err
}

func loadRebuild(ctx context.Context, q sqlx.QueryerContext) (r rebuilding, err error) {
	var value string
	found, err := one(ctx, q, &value, `SELECT value FROM meta WHERE key = 'rebuild'`)
	if err == nil && found {
		_, err = fmt.Sscan(value, &r.Done, &r.Top)
	}
	return r, err
}
