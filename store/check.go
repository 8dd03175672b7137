package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// Report is the result of checking the whole database.
type Report struct {
	Integrity string // "ok", or what SQLite says is wrong
	Docs      int64
	Indexed   int64
	Missing   int64 // documents that are not in the index, besides those that a rebuild has not reached
	Orphans   int64 // index entries without a document
	BadIndex  bool  // the index itself is damaged; [DB.Rebuild] rebuilds it
	Ledger    int64 // the first row of the ledger that is invalid; 0 = all are valid
}

// Index reports whether only the index is damaged: it can be rebuilt.
func (r Report) Index() bool {
	return r.Integrity == "ok" && r.Ledger == 0 && (r.BadIndex || r.Missing+r.Orphans > 0)
}

// OK reports whether nothing is wrong.
func (r Report) OK() bool {
	return r.Integrity == "ok" && !r.BadIndex && r.Missing == 0 && r.Orphans == 0 && r.Ledger == 0
}

// Check checks the whole database: quickly (pages only), or every index entry as well. The time it takes grows with the
// size of the database; writes continue.
func (db *DB) Check(ctx context.Context, full bool) (Report, error) {
	var r Report
	pragma := "PRAGMA quick_check(1)"
	if full {
		pragma = "PRAGMA integrity_check(1)"
	}
	var err error
	if r.Integrity, err = db.integrity(ctx, pragma); err != nil {
		return r, fmt.Errorf("check the database: %w", translate(err))
	}
	if strings.Contains(strings.ToLower(r.Integrity), "fts") { // a damaged index can be rebuilt
		r.Integrity, r.BadIndex = "ok", true
	}
	progress, err := loadRebuild(ctx, db.read)
	if err != nil {
		return r, fmt.Errorf("check the database: %w", translate(err))
	}
	const counts = `SELECT (SELECT count(*) FROM docs), (SELECT count(*) FROM docs_indexed),
		(SELECT count(*) FROM docs d WHERE d.id <= (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'indexed')
		AND (d.id <= ? OR d.id > ?) AND NOT EXISTS (SELECT 1 FROM docs_fts_docsize z WHERE z.id = d.project_id << 40 | d.id)),
		(SELECT count(*) FROM docs_indexed i WHERE NOT EXISTS (SELECT 1 FROM docs d WHERE d.id = i.id))`
	row := db.read.QueryRowxContext(ctx, counts, progress.Done, progress.Top)
	if err := row.Scan(&r.Docs, &r.Indexed, &r.Missing, &r.Orphans); err != nil {
		return r, fmt.Errorf("compare the index with the documents: %w", translate(err))
	}
	if err := db.checkSegments(ctx, &r); err != nil {
		return r, err
	}
	if _, r.Ledger, err = db.VerifyLedger(ctx); err == nil && r.OK() {
		db.writer.health.checked()
	}
	return r, err
}

// integrity returns what SQLite's own check finds. The check of the index uses segment data that the connection read
// earlier and that a merge has replaced since, so a connection that was used for a search reports a sound index as
// corrupt. A query before the check makes the connection read the segments again.
func (db *DB) integrity(ctx context.Context, pragma string) (found string, err error) {
	tx, err := db.read.BeginTxx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return "", err
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	var none []int64
	// if this fails, the pragma reports the damage
	_ = tx.SelectContext(ctx, &none, `SELECT rowid FROM docs_fts WHERE docs_fts MATCH '"a"' LIMIT 1`)
	err = tx.GetContext(ctx, &found, pragma)
	return found, err
}

// checkSegments checks that each segment of the index can be found: FTS5's own check does not notice a missing entry in
// docs_fts_idx.
func (db *DB) checkSegments(ctx context.Context, r *Report) error {
	var block []byte
	err := db.read.GetContext(ctx, &block, `SELECT block FROM docs_fts_data WHERE id = ?`, structureID)
	if errors.Is(err, sql.ErrNoRows) {
		r.BadIndex = true
		return nil
	}
	if err != nil {
		return fmt.Errorf("check the index: %w", translate(err))
	}
	segments, ok := segmentsIn(block)
	for _, s := range segments {
		var n int
		if err := db.read.GetContext(ctx, &n, `SELECT count(*) FROM docs_fts_idx WHERE segid = ?`, s.id); err != nil {
			return fmt.Errorf("check the index: %w", translate(err))
		}
		ok = ok && n > 0
	}
	r.BadIndex = r.BadIndex || !ok
	return nil
}
