package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"keepmum/privacy"
)

// LedgerKind says what a row of the ledger records.
type LedgerKind string

// The kinds of ledger rows.
const (
	LedgerRedaction LedgerKind = "redaction"
	LedgerEgress    LedgerKind = "egress"
	LedgerForget    LedgerKind = "forget"
	LedgerScrub     LedgerKind = "scrub"
)

// LedgerRow is one entry of the ledger. It never contains captured text.
type LedgerRow struct {
	ID      int64
	At      int64 // unix ms
	Kind    LedgerKind
	Doc     int64 `db:"doc_id"`
	Project int64 `db:"project_id"`
	Field   string
	Rule    string
	Bytes   int64
	MAC     string
	Host    string
	Model   string
	Purpose string
	SHA256  string
	Job     int64 `db:"job_id"`
	Hash    string
}

// Egress is one request to a model.
type Egress struct {
	Host, Model, Purpose privacy.Clean
	Bytes                int64
	SHA256               privacy.Clean // of the exact payload, hex
	Job                  int64
	Project              int64
}

// RecordEgress records a request. Call it before sending.
func (db *DB) RecordEgress(ctx context.Context, e Egress) error {
	return db.RecordEgresses(ctx, []Egress{e})
}

// RecordEgresses records several requests at once.
func (db *DB) RecordEgresses(ctx context.Context, list []Egress) error {
	return db.writer.do(ctx, func(s *txState) error {
		for _, e := range list {
			if err := s.record(LedgerRow{Kind: LedgerEgress, Project: e.Project, Host: e.Host.String(), Model: e.Model.String(),
				Purpose: e.Purpose.String(), Bytes: e.Bytes, SHA256: e.SHA256.String(), Job: e.Job}); err != nil {
				return err
			}
		}
		return nil
	})
}

// redactions records what the gate removed from a document.
func (s *txState) redactions(doc, project int64, findings []privacy.Finding) error {
	for _, f := range findings {
		row := LedgerRow{Kind: LedgerRedaction, Doc: doc, Project: project, Field: f.Field, Rule: f.Rule,
			Bytes: int64(f.Bytes), MAC: f.MAC}
		if err := s.record(row); err != nil {
			return err
		}
	}
	return nil
}

// RecordFindings records what the gate removed from text that is not stored as a document of its own: a transcript (doc
// 0), or a memory before it was written. It skips what the ledger already has for this document, and for a transcript
// what it has for the project, from an earlier reading or from a hook.
func (db *DB) RecordFindings(ctx context.Context, doc, project int64, findings []privacy.Finding) error {
	if len(findings) == 0 {
		return nil
	}
	return db.writer.do(ctx, func(s *txState) error { return s.newRedactions(doc, project, findings) })
}

// newRedactions records findings that are not in the ledger yet: values, recognised by their hash, and texts that were
// withheld as a whole.
func (s *txState) newRedactions(doc, project int64, findings []privacy.Finding) error {
	whole := map[privacy.Finding]bool{}
	if slices.ContainsFunc(findings, func(f privacy.Finding) bool { return f.MAC == "" }) {
		var rows []LedgerRow
		if err := s.list(&rows,
			`SELECT field, rule, bytes FROM ledger WHERE kind = 'redaction' AND mac = '' AND doc_id = ? AND project_id = ?`, doc,
			project); err != nil {
			return err
		}
		for _, r := range rows {
			whole[privacy.Finding{Field: r.Field, Rule: r.Rule, Bytes: int(r.Bytes)}] = true
		}
	}
	for _, f := range findings {
		known := whole[f]
		if f.MAC != "" {
			const seen = `SELECT EXISTS (SELECT 1 FROM ledger WHERE mac = ? AND mac <> '' AND project_id = ?
				AND ? IN (0, doc_id))`
			if _, err := s.get(&known, seen, f.MAC, project, doc); err != nil {
				return err
			}
		}
		if known {
			continue
		}
		if err := s.redactions(doc, project, []privacy.Finding{f}); err != nil {
			return err
		}
	}
	return nil
}

func (s *txState) record(r LedgerRow) error {
	r.At = s.now
	hash := r.chain(s.chain)
	const insert = `INSERT INTO ledger (at, kind, doc_id, project_id, field, rule, bytes, mac, host, model, purpose,
		sha256, job_id, hash)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	err := s.exec(insert, r.At, r.Kind, r.Doc, r.Project, r.Field, r.Rule, r.Bytes, r.MAC, r.Host, r.Model, r.Purpose,
		r.SHA256, r.Job, hash)
	if err == nil {
		s.chain = hash
	}
	return err
}

// chain returns the hash of a row that follows a row with hash prev. Each text is preceded by its length, so that no
// two rows have the same encoding.
func (r LedgerRow) chain(prev string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %d %d %d %d %d", prev, r.At, r.Doc, r.Project, r.Bytes, r.Job)
	for _, s := range []string{string(r.Kind), r.Field, r.Rule, r.MAC, r.Host, r.Model, r.Purpose, r.SHA256} {
		fmt.Fprintf(h, " %d:%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (s *txState) loadChain() error {
	_, err := s.get(&s.chain, `SELECT hash FROM ledger ORDER BY id DESC LIMIT 1`)
	s.kept = s.chain
	return err
}

const ledgerColumns = `id, at, kind, doc_id, project_id, field, rule, bytes, mac, host, model, purpose, sha256, job_id, hash`

// Ledger lists rows of a kind ("" = all), newest first.
func (db *DB) Ledger(ctx context.Context, kind LedgerKind, limit int) ([]LedgerRow, error) {
	var rows []LedgerRow
	err := db.read.SelectContext(ctx, &rows,
		`SELECT `+ledgerColumns+` FROM ledger WHERE ? IN ('', kind) ORDER BY id DESC LIMIT ?`, kind, limit)
	return rows, translate(err)
}

// LedgerSeen returns how often the secret with this HMAC was removed.
func (db *DB) LedgerSeen(ctx context.Context, mac string) (n int, err error) {
	err = db.read.GetContext(ctx, &n, `SELECT count(*) FROM ledger WHERE mac = ? AND mac <> ''`, mac)
	return n, translate(err)
}

// VerifyLedger walks the chain. It returns the number of valid rows and the id of the first invalid one (0 = all are
// valid).
func (db *DB) VerifyLedger(ctx context.Context) (rows int, broken int64, err error) {
	cur, err := db.read.QueryxContext(ctx, `SELECT `+ledgerColumns+` FROM ledger ORDER BY id`)
	if err != nil {
		return 0, 0, translate(err)
	}
	defer cur.Close()
	prev := ""
	for cur.Next() {
		var r LedgerRow
		if err := cur.StructScan(&r); err != nil {
			return rows, 0, err
		}
		if r.chain(prev) != r.Hash {
			return rows, r.ID, nil
		}
		prev = r.Hash
		rows++
	}
	return rows, 0, translate(cur.Err())
}
