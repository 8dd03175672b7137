package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// LedgerTotal is what was redacted under one name.
type LedgerTotal struct {
	Name       string
	Redactions int64
	Secrets    int64 // distinct ones
	Last       int64 // unix ms
}

// LedgerTotals sums up the redactions by "rule", "project" or "day", highest first (days: newest first).
func (db *DB) LedgerTotals(ctx context.Context, by string) ([]LedgerTotal, error) {
	const columns = ` AS name, count(*) AS redactions, count(DISTINCT nullif(mac, '')) AS secrets, max(at) AS last `
	queries := map[string]string{
		"rule": `SELECT rule` + columns +
			`FROM ledger WHERE kind = 'redaction' GROUP BY rule ORDER BY redactions DESC, name`,
		"day": `SELECT date(at / 1000, 'unixepoch')` + columns +
			`FROM ledger WHERE kind = 'redaction' GROUP BY 1 ORDER BY name DESC`,
		"project": `SELECT coalesce(p.name, '')` + columns +
			`FROM ledger l LEFT JOIN projects p ON p.id = l.project_id WHERE kind = 'redaction' GROUP BY l.project_id ORDER BY redactions DESC, name`,
	}
	query, ok := queries[by]
	if !ok {
		return nil, fmt.Errorf("%w: redactions can be summed up by rule, project or day", ErrInvalid)
	}
	var rows []LedgerTotal
	err := db.read.SelectContext(ctx, &rows, query)
	return rows, translate(err)
}

// LedgerOf lists the redactions of one secret, identified by its HMAC, newest first.
func (db *DB) LedgerOf(ctx context.Context, mac string, limit int) ([]LedgerRow, error) {
	var rows []LedgerRow
	err := db.read.SelectContext(ctx, &rows,
		`SELECT `+ledgerColumns+` FROM ledger WHERE mac = ? AND mac <> '' ORDER BY id DESC LIMIT ?`, mac, limit)
	return rows, translate(err)
}

// Redactions lists redacted values that have an HMAC, newest first, for one document or all (0). It omits texts that
// were withheld as a whole, because their values were never in a stored text.
func (db *DB) Redactions(ctx context.Context, doc int64, limit int) ([]LedgerRow, error) {
	query, args := `SELECT `+ledgerColumns+` FROM ledger WHERE kind = 'redaction' AND mac <> ''
		AND field <> 'withheld'`, []any{}
	if doc != 0 {
		query, args = query+` AND doc_id = ? AND doc_id > 0`, append(args, doc)
	}
	var rows []LedgerRow
	err := db.read.SelectContext(ctx, &rows, query+` ORDER BY id DESC LIMIT ?`, append(args, limit)...)
	return rows, translate(err)
}

// LedgerRowOf returns one row, or [ErrNotFound].
func (db *DB) LedgerRowOf(ctx context.Context, id int64) (row LedgerRow, err error) {
	err = db.read.GetContext(ctx, &row, `SELECT `+ledgerColumns+` FROM ledger WHERE id = ?`, id)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("row %d of the ledger: %w", id, ErrNotFound)
	}
	return row, translate(err)
}
