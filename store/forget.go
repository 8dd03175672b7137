package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/jmoiron/sqlx"
)

func jsonIDs(ids []int64) string {
	b, _ := json.Marshal(ids) // a list of numbers always encodes
	if ids == nil {
		return "[]"
	}
	return string(b)
}

// forgetBatch limits how long other writes wait while much is being forgotten.
const forgetBatch = 100

// Forget removes the documents of a plan and everything derived from them, and leaves tombstones. It removes a batch at
// a time; [DB.ResumeForget] finishes what was interrupted. Before it returns, it overwrites the pages and empties the
// write-ahead log. The caller must replace the backups.
func (db *DB) Forget(ctx context.Context, plan ForgetPlan) error {
	all := slices.Concat(plan.Docs, plan.Derived, plan.Memories)
	err := db.writer.do(ctx, func(s *txState) error {
		for _, id := range all {
			if err := s.exec(`INSERT INTO forgetting (doc_id) VALUES (?) ON CONFLICT DO NOTHING`, id); err != nil {
				return err
			}
		}
		if err := errors.Join(s.forgetRead(plan.Read), s.forgetProposals(plan.Proposals)); err != nil {
			return err
		}
		sum := sha256.Sum256([]byte(jsonIDs(all)))
		return s.record(LedgerRow{Kind: LedgerForget, Bytes: int64(len(all)), Purpose: plan.selection.kinds(),
			SHA256: hex.EncodeToString(sum[:])})
	})
	if err != nil {
		return fmt.Errorf("note what to forget: %w", err)
	}
	_, err = db.ResumeForget(ctx)
	return err
}

// forgetRead removes sessions from the catalogue and leaves tombstones, so that what they said until now is not read
// again.
func (s *txState) forgetRead(sessions []Read) error {
	for _, r := range sessions {
		var row struct{ Project, Ended int64 }
		if _, err := s.get(&row, `SELECT project_id AS project, ended FROM catalogue WHERE agent = ? AND native = ?`, r.Agent,
			r.Native); err != nil {
			return err
		}
		if err := s.bury(s.sessionTombstone(sessionKey{r.Agent, r.Native}), row.Ended); err != nil {
			return err
		}
		if err := s.dropCatalogue(r.Agent, r.Native); err != nil {
			return err
		}
		if err := s.dropEmptyProject(row.Project); err != nil {
			return err
		}
	}
	return nil
}

// kinds names the criteria of a selection, never their values.
func (sel Selection) kinds() string {
	var out []string
	for name, given := range map[string]bool{"ids": len(sel.IDs) > 0, "words": sel.Words != "", "agent": sel.Agent != "",
		"session": sel.Session != "",
		"project": sel.Project != "", "time": !sel.Since.IsZero() || !sel.Until.IsZero()} {
		if given {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return strings.Join(out, " ")
}

// ResumeForget finishes what was interrupted, and returns how many documents it removed. It is cheap if there is
// nothing to finish.
func (db *DB) ResumeForget(ctx context.Context) (removed int, err error) {
	for {
		var ids []int64
		if err := db.read.SelectContext(ctx, &ids, `SELECT doc_id FROM forgetting ORDER BY doc_id LIMIT ?`,
			forgetBatch); err != nil {
			return removed, translate(err)
		}
		if len(ids) == 0 {
			break
		}
		if err := db.writer.do(ctx, func(s *txState) error { return s.forgetDocs(ids) }); err != nil {
			return removed, fmt.Errorf("forget: %w", err)
		}
		removed += len(ids)
	}
	if removed == 0 {
		return 0, nil
	}
	return removed, db.Checkpoint(ctx)
}

func (s *txState) forgetDocs(ids []int64) error {
	sessions := map[int64]bool{}
	for _, id := range ids {
		d, found, err := s.load(id)
		if err != nil {
			return err
		}
		if found {
			sessions[d.Session] = true
			if err := s.forgetDoc(d); err != nil {
				return err
			}
		}
		if err := s.exec(`DELETE FROM forgetting WHERE doc_id = ?`, id); err != nil {
			return err
		}
	}
	clear(s.sessions)
	for id := range sessions {
		// a summary does not count, and a count that was wrong is put right
		if err := s.exec(`UPDATE sessions SET docs = (SELECT count(*) FROM docs WHERE session_id = sessions.id
			AND kind <> 'summary') WHERE id = ?`, id); err != nil {
			return err
		}
		if err := s.dropEmptySession(id); err != nil {
			return err
		}
	}
	return nil
}

// forgetDoc removes a document and its receipts, and queues a new summary of what remains of its turn.
func (s *txState) forgetDoc(d *docRow) error {
	switch d.Kind {
	case KindMemory:
		return s.forgetMemory(d)
	case KindCommit:
		return s.forgetCommit(d)
	}
	key, err := s.keyOf(d.Session)
	if err != nil {
		return err
	}
	if err := s.buryDoc(key, d, max(s.now, d.At)); err != nil {
		return err
	}
	if err := s.dropRules(key.agent, key.native); err != nil { // one of them may be in the document
		return err
	}
	if err := s.deleteDoc(d); err != nil {
		return err
	}
	for _, q := range []struct {
		sql  string
		args []any
	}{
		// summaries that were made of it since the plan, or between two batches
		{`INSERT INTO forgetting (doc_id) SELECT doc_id FROM summaries WHERE session_id = ? AND doc_id <> ?
			AND (scope = 'session' OR turn_id IN (?, ?)) ON CONFLICT DO NOTHING`, []any{d.Session, d.ID, d.Turn, d.ID}},
		{`DELETE FROM summaries WHERE doc_id = ?`, []any{d.ID}},
		{`DELETE FROM injections WHERE session_id = ? OR EXISTS (SELECT 1 FROM json_each(entries) e
			WHERE e.value ->> 'id' = ?)`, []any{d.Session, d.ID}},
		{`UPDATE sessions SET turn_id = nullif(turn_id, ?) WHERE id = ?`, []any{d.ID, d.Session}},
		{`UPDATE jobs SET state = iif(state = 'skipped', state, 'pending'), rev = rev + 1, attempts = 0, drafted = 0,
			updated = ? WHERE session_id = ? AND turn_id IN (0, ?, ?)`,
			[]any{s.now, d.Session, d.Turn, d.ID}},
		{`DELETE FROM quarantine WHERE job_id IN (SELECT id FROM jobs WHERE session_id = ? AND turn_id IN (0, ?, ?))`,
			[]any{d.Session, d.Turn, d.ID}},
		{`DELETE FROM jobs WHERE session_id = ? AND kind = 'turn' AND turn_id = ?
			AND NOT EXISTS (SELECT 1 FROM docs d WHERE d.session_id = jobs.session_id AND d.turn_id = jobs.turn_id)`,
			[]any{d.Session, d.ID}},
	} {
		if err := s.exec(q.sql, q.args...); err != nil {
			return err
		}
	}
	return nil
}

// dropCatalogue removes a session from the catalogue.
func (s *txState) dropCatalogue(agent, native string) error {
	if err := s.dropRules(agent, native); err != nil {
		return err
	}
	return s.exec(`DELETE FROM catalogue WHERE agent = ? AND native = ?`, agent, native)
}

// dropEmptySession removes a session with nothing left in it, and the project if that was its last session.
func (s *txState) dropEmptySession(id int64) error {
	row := struct {
		Agent, Native string
		Project, Last int64
	}{}
	found, err := s.get(&row, `SELECT agent, native, project_id AS project, last FROM sessions WHERE id = ?
		AND NOT EXISTS (SELECT 1 FROM docs WHERE session_id = sessions.id)`, id)
	if err != nil || !found {
		return err
	}
	if err := s.bury(s.sessionTombstone(sessionKey{row.Agent, row.Native}), row.Last); err != nil {
		return err
	}
	if err := s.dropCatalogue(row.Agent, row.Native); err != nil {
		return err
	}
	for _, q := range []string{`DELETE FROM quarantine WHERE job_id IN (SELECT id FROM jobs WHERE session_id = ?)`,
		`DELETE FROM jobs WHERE session_id = ?`,
		`DELETE FROM injections WHERE session_id = ?`, `DELETE FROM gotchas_told WHERE session_id = ?`,
		`DELETE FROM sessions WHERE id = ?`} {
		if err := s.exec(q, id); err != nil {
			return err
		}
	}
	return s.dropEmptyProject(row.Project)
}

// dropEmptyProject removes a project with nothing left in it.
func (s *txState) dropEmptyProject(id int64) error {
	n, err := s.changed(
		`DELETE FROM projects WHERE id = ? AND NOT EXISTS (SELECT 1 FROM sessions WHERE project_id = projects.id)
		AND NOT EXISTS (SELECT 1 FROM catalogue WHERE project_id = projects.id)
		AND NOT EXISTS (SELECT 1 FROM commits WHERE project_id = projects.id AND doc_id IS NOT NULL)
		AND NOT EXISTS (SELECT 1 FROM memory_roots r WHERE r.project_id = projects.id
		AND (r.kind = 'repo' OR EXISTS (SELECT 1 FROM memories m WHERE m.root_id = r.id)))`, id)
	if err != nil || n == 0 {
		return err
	}
	for _, q := range []string{`DELETE FROM project_aliases WHERE project_id = ?`,
		`DELETE FROM memory_roots WHERE project_id = ?`,
		`DELETE FROM branches WHERE repository_id IN (SELECT id FROM repositories WHERE project_id = ?)`,
		`DELETE FROM commits WHERE project_id = ?`, `DELETE FROM repositories WHERE project_id = ?`,
		`DELETE FROM touched WHERE project_id = ?`, `DELETE FROM proposals WHERE project_id = ?`} {
		if err := s.exec(q, id); err != nil {
			return err
		}
	}
	return s.dropTotals(id)
}

// Compact writes the whole database again. Pages whose contents SQLite moved, and copies that it made, as a restore
// puts them in place, keep pieces of text in their unused space, where secure_delete does not reach them.
func (db *DB) Compact(ctx context.Context) error {
	return db.writer.alone(ctx, func(conn *sqlx.Conn) error {
		_, err := conn.ExecContext(ctx, "VACUUM")
		return err
	})
}

// Checkpoint folds the write-ahead log into the file and empties it, so that nothing removed remains in it, nor among
// the words that searches have counted.
func (db *DB) Checkpoint(ctx context.Context) error {
	db.terms.clear()
	return db.writer.alone(ctx, func(conn *sqlx.Conn) error {
		var busy, log, done int
		if err := conn.QueryRowxContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &done); err != nil {
			return err
		}
		if busy != 0 {
			return fmt.Errorf("empty the write-ahead log: a reader holds it")
		}
		return nil
	})
}
