package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"keepmum/privacy"
)

// scrubbed is the key in meta of the rules that everything in the database has passed.
const scrubbed = "scrubbed"

// ScrubReport is the result of a scrub.
type ScrubReport struct {
	Scanned  int
	Changed  int
	Findings map[string]int // rule → number
}

// ScrubOptions say what a scrub checks.
type ScrubOptions struct {
	All     bool                      // include documents that today's rules have passed
	DryRun  bool                      // only report what would change
	Between func(ctx context.Context) // called between batches, so that other work can run; nil = no pause
}

// Scrub runs stored text through the gate again, because rules improve: documents that older rules passed, or all of
// them. It rewrites what changes, together with its index entry; a dry run changes nothing. It works in batches and can
// be stopped at any time, because checked documents are marked with today's rules version.
func (db *DB) Scrub(ctx context.Context, gate *privacy.Gate, o ScrubOptions) (ScrubReport, error) {
	rep := ScrubReport{Findings: map[string]int{}}
	var after int64
	for {
		var rows []docRow
		err := db.read.SelectContext(ctx, &rows,
			`SELECT `+docColumns+` FROM docs d WHERE d.id > ? AND (? OR d.rules_version <> ?) ORDER BY d.id LIMIT ?`, after,
			o.All, privacy.RulesVersion(), forgetBatch)
		if err != nil {
			return rep, fmt.Errorf("scrub: %w", translate(err))
		}
		if len(rows) == 0 {
			break
		}
		after = rows[len(rows)-1].ID
		if err := db.scrubBatch(ctx, gate, rows, o.DryRun, &rep); err != nil {
			return rep, fmt.Errorf("scrub: %w", err)
		}
		if o.Between != nil {
			o.Between(ctx)
		}
	}
	if o.DryRun {
		return rep, nil
	}
	if err := db.scrubSmall(ctx, gate, &rep); err != nil {
		return rep, fmt.Errorf("scrub: %w", err)
	}
	return rep, db.Checkpoint(ctx)
}

// ScrubDue reports whether no scrub has finished since the rules changed. It reads one row, not the documents. What is
// in a database that this process created has passed the current rules.
func (db *DB) ScrubDue(ctx context.Context) (bool, error) {
	if db.created {
		return false, nil
	}
	var version string
	found, err := one(ctx, db.read, &version, `SELECT value FROM meta WHERE key = ?`, scrubbed)
	return !found || version != privacy.RulesVersion(), translate(err)
}

// noteCreated records with the first documents of a new database which rules they passed.
func (s *txState) noteCreated() error {
	if !s.db.created || len(s.totals)+len(s.pending.docs) == 0 {
		return nil
	}
	return s.exec(noteKey, scrubbed, privacy.RulesVersion())
}

// change is what the gate made of a document.
type change struct {
	was docRow
	now privacy.Cleaned
}

func (db *DB) scrubBatch(ctx context.Context, gate *privacy.Gate, rows []docRow, dryRun bool, rep *ScrubReport) error {
	changes := map[int64]change{}
	var passed []int64
	for i := range rows {
		d := &rows[i]
		rep.Scanned++
		c := gate.Event(d.event())
		if !d.differs(c) {
			passed = append(passed, d.ID)
			continue
		}
		rep.Changed++
		for _, f := range c.Findings {
			rep.Findings[f.Rule]++
		}
		changes[d.ID] = change{*d, c}
	}
	if dryRun {
		return nil
	}
	return db.writer.do(ctx, func(s *txState) error {
		for id, c := range changes {
			if err := s.reindex(id, func(d *docRow) {
				if !d.says(&c.was) { // it was changed meanwhile
					c.now = gate.Event(d.event())
				}
				d.take(c.now)
			}); err != nil {
				return err
			}
			if err := s.redactions(id, 0, c.now.Findings); err != nil {
				return err
			}
		}
		return s.exec(`UPDATE docs SET rules_version = ? WHERE id IN (SELECT value FROM json_each(?))`,
			privacy.RulesVersion(), jsonIDs(passed))
	})
}

// event returns the document as the event it once was, without a session: the result of a scrub must not depend on the
// order of the documents.
func (d *docRow) event() privacy.Raw {
	r := privacy.Raw{Stored: true, Tool: d.Tool, Input: jsonValue(d.Input), Output: jsonValue(d.Output),
		Fields: map[string]string{"title": d.Title, "who": d.Who, "subagent": d.Subagent}}
	if d.Body != nil {
		r.Fields["text"] = *d.Body
	}
	for i, f := range fileList(d.Files) {
		r.Fields["file."+strconv.Itoa(i)] = f
	}
	return r
}

// jsonValue decodes stored JSON and returns other text as a string.
func jsonValue(s string) any {
	if s == "" {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(s)))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil || dec.More() {
		return s
	}
	return v
}

// differs reports whether the gate would change the document.
func (d *docRow) differs(c privacy.Cleaned) bool {
	if len(c.Findings) == 0 && c.Excluded.IsZero() {
		return false
	}
	other := *d
	other.take(c)
	return !d.says(&other)
}

// says reports whether two documents have the same texts.
func (d *docRow) says(other *docRow) bool {
	named := other.Tool == d.Tool && other.Title == d.Title && other.Who == d.Who && other.Files == d.Files
	return named && other.text() == d.text() && other.Input == d.Input && other.Output == d.Output
}

// take replaces the document's texts with what the gate returned.
func (d *docRow) take(c privacy.Cleaned) {
	d.Tool, d.Title, d.Who, d.Subagent = c.Tool.String(), c.Fields["title"].String(), c.Fields["who"].String(),
		c.Fields["subagent"].String()
	if d.Input != "" {
		d.Input = c.Input.JSON().String()
	}
	if d.Output != "" {
		d.Output = c.Output.JSON().String()
	}
	if d.Body != nil {
		d.Body = ptr(c.Fields["text"].String())
	}
	files := fileList(d.Files)
	for i := range files {
		files[i] = c.Fields["file."+strconv.Itoa(i)].String()
	}
	if len(files) > 0 {
		list, _ := json.Marshal(files) // a list of strings always encodes
		d.Files = string(list)
	}
	d.Rules = privacy.RulesVersion()
}

// scrubSmall scrubs the columns of the small tables.
func (db *DB) scrubSmall(ctx context.Context, gate *privacy.Gate, rep *ScrubReport) error {
	for _, c := range []struct{ list, update string }{
		{`SELECT DISTINCT dir FROM sessions`, `UPDATE sessions SET dir = ? WHERE dir = ?`},
		{`SELECT DISTINCT branch FROM sessions`, `UPDATE sessions SET branch = ? WHERE branch = ?`},
		{`SELECT DISTINCT branches FROM sessions`, `UPDATE sessions SET branches = ? WHERE branches = ?`},
		{`SELECT DISTINCT branch FROM docs WHERE branch <> ''`, `UPDATE docs SET branch = ? WHERE branch = ?`},
		{`SELECT DISTINCT worktree FROM sessions`, `UPDATE sessions SET worktree = ? WHERE worktree = ?`},
		{`SELECT DISTINCT transcript FROM sessions`, `UPDATE sessions SET transcript = ? WHERE transcript = ?`},
		{`SELECT DISTINCT reason FROM sessions`, `UPDATE sessions SET reason = ? WHERE reason = ?`},
		{`SELECT DISTINCT path FROM catalogue`, `UPDATE catalogue SET path = ? WHERE path = ?`},
		{`SELECT DISTINCT branch FROM catalogue`, `UPDATE catalogue SET branch = ? WHERE branch = ?`},
		{`SELECT DISTINCT title FROM catalogue`, `UPDATE catalogue SET title = ? WHERE title = ?`},
		{`SELECT common_dir FROM repositories`, `UPDATE OR REPLACE repositories SET common_dir = ? WHERE common_dir = ?`},
		{`SELECT root FROM touched`, `UPDATE OR REPLACE touched SET root = ? WHERE root = ?`},
		{`SELECT DISTINCT files FROM touched`, `UPDATE touched SET files = ? WHERE files = ?`},
		{`SELECT DISTINCT branch FROM touched`, `UPDATE touched SET branch = ? WHERE branch = ?`},
		{`SELECT DISTINCT name FROM branches`, `UPDATE OR REPLACE branches SET name = ? WHERE name = ?`},
		{`SELECT DISTINCT branch FROM proposals`, `UPDATE proposals SET branch = ? WHERE branch = ?`},
		{`SELECT DISTINCT title FROM proposals`, `UPDATE proposals SET title = ? WHERE title = ?`},
		{`SELECT DISTINCT body FROM proposals`, `UPDATE proposals SET body = ? WHERE body = ?`},
		{`SELECT DISTINCT tags FROM proposals`, `UPDATE proposals SET tags = ? WHERE tags = ?`},
		{`SELECT DISTINCT sentence FROM proposals`, `UPDATE proposals SET sentence = ? WHERE sentence = ?`},
		{`SELECT DISTINCT concepts FROM summaries`, `UPDATE summaries SET concepts = ? WHERE concepts = ?`},
		{`SELECT DISTINCT query FROM injections`, `UPDATE injections SET query = ? WHERE query = ?`},
		{`SELECT DISTINCT name FROM projects`, `UPDATE projects SET name = ? WHERE name = ?`},
		{`SELECT DISTINCT value FROM project_aliases`, `UPDATE OR REPLACE project_aliases SET value = ? WHERE value = ?`},
	} {
		var values []string
		if err := db.read.SelectContext(ctx, &values, c.list); err != nil {
			return translate(err)
		}
		for _, old := range values {
			now, found := gate.Text(old)
			if len(found) == 0 || now.String() == old {
				continue
			}
			rep.Changed++
			for _, f := range found {
				rep.Findings[f.Rule]++
			}
			if err := db.writer.do(ctx,
				func(s *txState) error { clear(s.sessions); return s.exec(c.update, now, old) }); err != nil {
				return err
			}
		}
	}
	return db.writer.do(ctx, func(s *txState) error {
		if err := s.exec(
			`INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`, scrubbed,
			privacy.RulesVersion()); err != nil {
			return err
		}
		return s.record(LedgerRow{Kind: LedgerScrub, Bytes: int64(rep.Changed), Purpose: privacy.RulesVersion()})
	})
}
