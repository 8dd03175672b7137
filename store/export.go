package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// Record is one line of an export: a session, followed by the records of its documents. It identifies things by content
// and not by row id, so exporting an import gives the same export. HMACs and the ledger are not exported.
type Record struct {
	Kind    Kind   `json:"kind"`
	Agent   string `json:"agent"`
	Session string `json:"session"`

	Meta *SessionMeta `json:"meta,omitempty"` // of a session

	Key        string          `json:"key,omitempty"`  // of a document
	Turn       string          `json:"turn,omitempty"` // key of the prompt it answers
	At         time.Time       `json:"at,omitzero"`
	Dedupe     *int64          `json:"dedupe,omitempty"`
	Role       string          `json:"role,omitempty"`
	Who        string          `json:"who,omitempty"`
	Tool       string          `json:"tool,omitempty"`
	Title      string          `json:"title,omitempty"`
	Input      json.RawMessage `json:"input,omitempty"`
	Output     json.RawMessage `json:"output,omitempty"`
	Text       *string         `json:"text,omitempty"` // null: use the texts of input and output
	Files      []string        `json:"files,omitempty"`
	Failed     bool            `json:"failed,omitempty"`
	Excluded   bool            `json:"excluded,omitempty"`
	DurationMS int64           `json:"duration_ms,omitempty"`
	Subagent   string          `json:"subagent,omitempty"`
	Branch     string          `json:"branch,omitempty"` // if it is not the session's

	Summary *SummaryMeta `json:"summary,omitempty"` // of a summary
	Commit  string       `json:"commit,omitempty"`  // of a commit, which has no session: git's hash
}

// SessionMeta describes a session.
type SessionMeta struct {
	Project    string      `json:"project"`
	Aliases    []AliasPair `json:"aliases,omitempty"`
	Parent     string      `json:"parent,omitempty"`
	Dir        string      `json:"dir,omitempty"`
	Branch     string      `json:"branch,omitempty"`
	Worktree   string      `json:"worktree,omitempty"`
	Source     string      `json:"source,omitempty"`
	Model      string      `json:"model,omitempty"`
	Transcript string      `json:"transcript,omitempty"`
	Started    time.Time   `json:"started"`
	Ended      time.Time   `json:"ended,omitzero"`
	Reason     string      `json:"reason,omitempty"`
}

// AliasPair is a name or place that identifies a project.
type AliasPair struct {
	Kind  AliasKind `json:"kind"`
	Value string    `json:"value"`
}

// SummaryMeta records where a summary comes from.
type SummaryMeta struct {
	Scope         JobKind  `json:"scope"`
	Type          string   `json:"type"`
	Concepts      []string `json:"concepts"`
	Provider      string   `json:"provider"`
	Model         string   `json:"model,omitempty"`
	Digest        string   `json:"digest,omitempty"`
	PromptVersion string   `json:"prompt_version,omitempty"`
	InputHash     string   `json:"input_hash,omitempty"`
	Seconds       float64  `json:"seconds,omitempty"`
	Tokens        int      `json:"tokens,omitempty"`
}

// ExportOptions selects what an export contains.
type ExportOptions struct {
	Project string    // a name; "" = all
	Since   time.Time // sessions with something later than this; zero = all
	NoRaw   bool      // omit inputs and outputs
}

const exportPage = 200 // documents per query

// Export calls emit for each record. It reads page by page, so its memory use does not grow with the database. What is
// written meanwhile may or may not be included.
func (db *DB) Export(ctx context.Context, o ExportOptions, emit func(Record) error) error {
	var sessions []SessionRow
	query, args := `SELECT `+sessionColumns+
		` FROM sessions s CROSS JOIN projects p ON p.id = s.project_id WHERE s.last >= ?`, []any{int64(0)}
	if !o.Since.IsZero() {
		args[0] = o.Since.UnixMilli()
	}
	if o.Project != "" {
		ids, err := db.ProjectsNamed(ctx, o.Project)
		if err != nil {
			return err
		}
		query, args = query+` AND s.project_id IN (SELECT value FROM json_each(?))`, append(args, jsonIDs(ids))
	}
	if err := db.read.SelectContext(ctx, &sessions, query+` ORDER BY s.started, s.agent, s.native`, args...); err != nil {
		return fmt.Errorf("export: %w", translate(err))
	}
	for _, s := range sessions {
		if err := db.exportSession(ctx, s, o, emit); err != nil {
			return fmt.Errorf("export session %d: %w", s.ID, translate(err))
		}
	}
	if err := db.exportCommits(ctx, o, emit); err != nil {
		return fmt.Errorf("export commits: %w", translate(err))
	}
	return nil
}

func (db *DB) exportSession(ctx context.Context, s SessionRow, o ExportOptions, emit func(Record) error) error {
	meta, err := db.sessionMeta(ctx, s)
	if err != nil {
		return err
	}
	if err := emit(Record{Kind: KindSession, Agent: s.Agent, Session: s.Native, Meta: meta}); err != nil {
		return err
	}
	summaries, err := db.Summaries(ctx, s.ID)
	if err != nil {
		return err
	}
	byID := map[int64]*SummaryMeta{}
	for _, m := range summaries {
		byID[m.ID] = m.meta()
	}
	keys := map[int64]string{}
	var at, after int64 = -1 << 62, 0
	for {
		var rows []docRow
		// A prompt comes before its answers, even if the clock gives them the same time.
		err := db.read.SelectContext(ctx, &rows,
			`SELECT `+docColumns+` FROM docs d WHERE d.session_id = ? AND (d.at, d.id) > (?, ?) ORDER BY d.at, d.id LIMIT ?`,
			s.ID, at, after, exportPage)
		if err != nil || len(rows) == 0 {
			return err
		}
		for i := range rows {
			d := &rows[i]
			keys[d.ID] = d.key(s)
			if d.Turn != 0 && keys[d.Turn] == "" {
				if err := db.turnKey(ctx, s, d.Turn, keys); err != nil {
					return err
				}
			}
			r := d.record(s, keys, o.NoRaw)
			r.Summary = byID[d.ID]
			if err := emit(r); err != nil {
				return err
			}
			at, after = d.At, d.ID
		}
	}
}

// turnKey reads the key of a prompt that comes later in the session than its answer, or that was forgotten.
func (db *DB) turnKey(ctx context.Context, s SessionRow, id int64, keys map[int64]string) error {
	var rows []docRow
	if err := db.read.SelectContext(ctx, &rows, `SELECT `+docColumns+` FROM docs d WHERE d.id = ?`, id); err != nil {
		return err
	}
	if len(rows) == 1 {
		keys[id] = rows[0].key(s)
	}
	return nil
}

func (db *DB) sessionMeta(ctx context.Context, s SessionRow) (*SessionMeta, error) {
	m := &SessionMeta{Project: s.ProjectName, Parent: s.Parent, Dir: s.Dir, Branch: s.Branch, Worktree: s.Worktree,
		Source: s.Source, Model: s.Model, Transcript: s.Transcript, Reason: s.Reason,
		Started: time.UnixMilli(s.Started).UTC()}
	if s.Ended != nil {
		m.Ended = time.UnixMilli(*s.Ended).UTC()
	}
	err := db.read.SelectContext(ctx, &m.Aliases,
		`SELECT kind, value FROM project_aliases WHERE project_id = ? ORDER BY kind, value`, s.Project)
	return m, err
}

// key identifies a document by its session and content.
func (d *docRow) key(s SessionRow) string {
	h := sha256.New()
	for _, part := range []string{s.Agent, s.Native, string(d.Kind), d.Role, d.Tool, d.Title, d.text(),
		time.UnixMilli(d.At).UTC().Format(time.RFC3339Nano)} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

func (d *docRow) record(s SessionRow, keys map[int64]string, noRaw bool) Record {
	r := Record{Kind: d.Kind, Agent: s.Agent, Session: s.Native, Key: keys[d.ID], Turn: keys[d.Turn],
		At: time.UnixMilli(d.At).UTC(), Dedupe: d.Dedupe, Role: d.Role, Who: d.Who, Tool: d.Tool, Title: d.Title,
		Input: raw(d.Input), Output: raw(d.Output), Text: d.Body, Files: fileList(d.Files), Failed: d.Failed,
		Excluded: d.Excluded, DurationMS: d.DurationMS, Subagent: d.Subagent, Branch: d.Branch}
	if noRaw && d.Kind == KindObservation {
		r.Input, r.Output, r.Text = nil, nil, ptr("")
	}
	return r
}

// raw returns stored JSON unchanged, and other text as a JSON string.
func raw(s string) json.RawMessage {
	if s == "" || json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	quoted, _ := json.Marshal(s) // a string always encodes
	return quoted
}

func (m SummaryRow) meta() *SummaryMeta {
	out := &SummaryMeta{Scope: m.Scope, Type: m.Type, Concepts: []string{}, Provider: m.Provider, Model: m.Model,
		Digest: m.Digest, PromptVersion: m.PromptVersion, InputHash: m.InputHash, Seconds: m.Seconds, Tokens: m.Tokens}
	_ = json.Unmarshal([]byte(m.ConceptsJSON), &out.Concepts) // written by json.Marshal only
	return out
}
