package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"keepmum/privacy"
)

// Summary is the summary of a turn or a session, with its provenance. Its scope and place are those of its job. A later
// summary of the same unit replaces the earlier one under the same id.
type Summary struct {
	Title, Text     privacy.Clean
	Type            privacy.Clean // decision, bugfix, feature, …
	Files, Concepts []privacy.Clean
	Provenance      Provenance
	Findings        []privacy.Finding
}

// Provenance says where a summary comes from.
type Provenance struct {
	Provider, Model, Digest, PromptVersion, InputHash privacy.Clean
	Seconds                                           float64
	Tokens                                            int
}

// SummaryRow is a stored summary.
type SummaryRow struct {
	ID            int64
	Scope         JobKind
	Session       int64 `db:"session_id"`
	Turn          int64 `db:"turn_id"`
	At            int64 // unix ms
	Title, Text   string
	Type          string
	FilesJSON     string `db:"files"`
	ConceptsJSON  string `db:"concepts"`
	Provider      string
	Model, Digest string
	PromptVersion string `db:"prompt_version"`
	InputHash     string `db:"input_hash"`
	Seconds       float64
	Tokens        int
}

// putSummary stores the summary of a job's unit.
func (s *txState) putSummary(job Job, sum Summary) error {
	files, err := json.Marshal(notNil(sum.Files))
	if err != nil {
		return err
	}
	sum.Concepts = slices.Clone(sum.Concepts)
	for i := range sum.Concepts {
		if err := s.withoutTexts(&sum.Concepts[i]); err != nil {
			return err
		}
	}
	id, err := s.summaryDoc(job, sum, string(files))
	if err != nil {
		return err
	}
	// Its branch is the last one on which there was work, rather than the one to which it went back. A user's prompt
	// names the turn before it.
	const on = `UPDATE docs SET branch = (SELECT d.branch FROM docs d JOIN sessions s ON s.id = d.session_id
		WHERE d.session_id = ?2 AND d.kind IN ('prompt', 'observation')
		AND (?3 = 'session' OR d.id = ?4 OR coalesce(d.turn_id, 0) = ?4 AND coalesce(d.role, '') <> 'user')
		ORDER BY coalesce(d.branch, s.branch) IN ` + mainBranches + `, d.at DESC, d.id DESC LIMIT 1) WHERE id = ?1`
	return firstOf(s.summaryMeta(id, job, sum), s.exec(on, id, job.Session, job.Kind, job.Turn),
		s.redactions(id, job.Project, sum.Findings))
}

// summaryMeta stores where a summary comes from.
func (s *txState) summaryMeta(id int64, job Job, sum Summary) error {
	concepts, err := json.Marshal(notNil(sum.Concepts))
	if err != nil {
		return err
	}
	p := sum.Provenance
	const upsert = `INSERT INTO summaries (doc_id, scope, session_id, turn_id, type, concepts, provider, model, digest,
		prompt_version, input_hash, seconds, tokens)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET type = excluded.type, concepts = excluded.concepts, provider = excluded.provider,
		model = excluded.model, digest = excluded.digest, prompt_version = excluded.prompt_version,
		input_hash = excluded.input_hash, seconds = excluded.seconds, tokens = excluded.tokens`
	return s.exec(upsert, id, job.Kind, job.Session, job.Turn, sum.Type, string(concepts), p.Provider, p.Model, p.Digest,
		p.PromptVersion, p.InputHash, p.Seconds, p.Tokens)
}

// summaryDoc writes the document of a summary, replacing an earlier one.
func (s *txState) summaryDoc(job Job, sum Summary, files string) (int64, error) {
	body := summaryText(sum)
	var id int64
	found, err := s.get(&id, `SELECT doc_id FROM summaries WHERE scope = ? AND session_id = ? AND turn_id = ?`, job.Kind,
		job.Session, job.Turn)
	if err != nil {
		return 0, err
	}
	if found {
		return id, s.reindex(id, func(d *docRow) {
			d.Title, d.Body, d.Files, d.Rules = sum.Title.String(), &body, files, privacy.RulesVersion()
		})
	}
	d := &docRow{Kind: KindSummary, Project: job.Project, Session: job.Session, Turn: job.Turn, At: s.now,
		Title: sum.Title.String(), Body: &body, Files: files}
	if d.At, err = s.unitTime(job); err != nil {
		return 0, err
	}
	d.index()
	if err := s.insertDoc(d); err != nil {
		return 0, err
	}
	return d.ID, nil
}

// summaryText returns the text of a summary with its concepts as the last line, so that a search finds them.
func summaryText(sum Summary) string {
	concepts := make([]string, len(sum.Concepts))
	for i, c := range sum.Concepts {
		concepts[i] = c.String()
	}
	if len(concepts) == 0 {
		return sum.Text.String()
	}
	return sum.Text.String() + "\n" + strings.Join(concepts, ", ")
}

// unitTime returns when the unit of a job happened, not when it was summarised.
func (s *txState) unitTime(job Job) (int64, error) {
	var at int64
	query, arg := `SELECT last FROM sessions WHERE id = ?`, job.Session
	if job.Turn != 0 {
		query, arg = `SELECT at FROM docs WHERE id = ?`, job.Turn
	}
	if found, err := s.get(&at, query, arg); err != nil || !found {
		return s.now, err
	}
	return at, nil
}

func notNil(c []privacy.Clean) []privacy.Clean {
	if c == nil {
		return []privacy.Clean{}
	}
	return c
}

const summaryColumns = `m.doc_id AS id, m.scope, m.session_id, m.turn_id, d.at, coalesce(d.title, '') AS title,
	coalesce(d.body, '') AS text, m.type, coalesce(d.files, '[]') AS files, m.concepts, m.provider, m.model, m.digest,
	m.prompt_version, m.input_hash, m.seconds, m.tokens`

// Summaries returns the summaries of a session in the order of its turns; the session's own comes last.
func (db *DB) Summaries(ctx context.Context, session int64) ([]SummaryRow, error) {
	var rows []SummaryRow
	err := db.read.SelectContext(ctx, &rows,
		`SELECT `+summaryColumns+` FROM summaries m CROSS JOIN docs d ON d.id = m.doc_id
		WHERE m.session_id = ? ORDER BY m.scope = 'session', d.at, d.id`, session)
	if err != nil {
		return nil, fmt.Errorf("summaries of session %d: %w", session, translate(err))
	}
	return rows, nil
}
