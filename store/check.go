package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// Report is what a look at the whole database found.
type Report struct {
	Integrity string // "ok", or what SQLite says is wrong
	Docs      int64
	Indexed   int64
	Missing   int64 // documents that the index does not have
	Orphans   int64 // entries of the index without a document
	BadIndex  bool  // the index itself is damaged; [DB.Rebuild] makes it again
	Ledger    int64 // the first row of the ledger that does not hold; 0 = all hold
}

// Index says that the index is damaged, and nothing else: it can be rebuilt.
func (r Report) Index() bool {
	return r.Integrity == "ok" && r.Ledger == 0 && (r.BadIndex || r.Missing+r.Orphans > 0)
}

// OK says that nothing is wrong.
func (r Report) OK() bool {
	return r.Integrity == "ok" && !r.BadIndex && r.Missing == 0 && r.Orphans == 0 && r.Ledger == 0
}

// Check looks at the whole database: quickly (pages only), or at every index
// entry as well. It reads for as long as the database is large; writes continue.
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
	if strings.Contains(strings.ToLower(r.Integrity), "fts") { // what SQLite says about the index, derived from the rest
		r.Integrity, r.BadIndex = "ok", true
	}
	const counts = `SELECT (SELECT count(*) FROM docs), (SELECT count(*) FROM docs_indexed),
		(SELECT count(*) FROM docs d WHERE d.id <= (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'indexed')
		AND NOT EXISTS (SELECT 1 FROM docs_fts_docsize z WHERE z.id = d.project_id << 40 | d.id)),
		(SELECT count(*) FROM docs_indexed i WHERE NOT EXISTS (SELECT 1 FROM docs d WHERE d.id = i.id))`
	if err := db.read.QueryRowxContext(ctx, counts).Scan(&r.Docs, &r.Indexed, &r.Missing, &r.Orphans); err != nil {
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

// integrity is what SQLite finds. Its look at the index believes what the connection
// read of its segments before, which a merge has replaced since: a connection that was
// used for a search calls a sound index corrupt. A query first has it read them again.
func (db *DB) integrity(ctx context.Context, pragma string) (found string, err error) {
	tx, err := db.read.BeginTxx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return "", err
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	var none []int64
	// of damage the pragma tells
	_ = tx.SelectContext(ctx, &none, `SELECT rowid FROM docs_fts WHERE docs_fts MATCH '"a"' LIMIT 1`)
	err = tx.GetContext(ctx, &found, pragma)
	return found, err
}

// checkSegments looks whether each segment of the index can be found: what FTS5 itself
// checks does not miss an entry of docs_fts_idx that is not there.
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
