package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
)

// foreignTool reads another tool's database as rows of one form: session, project, dir, kind, tool, title, text, files
// (JSON), at (unix ms), ordered by session and time. An observation may have the input and output of the tool instead
// of a text.
type foreignTool struct {
	name  string
	marks []string // tables and columns that together only this tool has
	query func(has func(table, column string) bool) string
}

// foreignTools returns the tools whose databases can be read. Their columns were renamed between versions, so each
// query is built from the columns that exist.
func foreignTools() []foreignTool {
	return []foreignTool{
		{"longmem", []string{"sessions.opencode_session_id", "user_prompts.prompt", "observations.tool_output"},
			longMemQuery},
		{"claude-mem", []string{"sdk_sessions", "user_prompts", "observations"}, claudeMemQuery},
		{"engram", []string{"sessions", "user_prompts.content", "observations.content"},
			func(func(table, column string) bool) string { return engramQuery }},
	}
}

func claudeMemQuery(has func(table, column string) bool) string {
	native, inner := "content_session_id", "memory_session_id"
	if !has("sdk_sessions", native) {
		native = "claude_session_id"
	}
	if !has("sdk_sessions", inner) {
		inner = "sdk_session_id"
	}
	return strings.NewReplacer("NATIVE", native, "INNER", inner).Replace(`
		SELECT p.NATIVE AS session, coalesce(s.project, '') AS project, '' AS dir, 'prompt' AS kind, '' AS tool, '' AS title,
			coalesce(p.prompt_text, '') AS text, '[]' AS files, p.created_at_epoch AS at
		FROM user_prompts p LEFT JOIN sdk_sessions s ON s.NATIVE = p.NATIVE
		UNION ALL
		SELECT coalesce(s.NATIVE, o.INNER), coalesce(o.project, ''), '', 'observation', coalesce(o.type, ''),
		coalesce(o.title, ''), concat_ws(char(10), o.subtitle, o.narrative, o.facts, o.text),
		coalesce(o.files_modified, '[]'), o.created_at_epoch
		FROM observations o LEFT JOIN sdk_sessions s ON s.INNER = o.INNER
		ORDER BY session, at`)
}

// longMemQuery uses a model's description of a tool use as its title; the text is the tool's input and output. What the
// user asked the tool to remember has no session.
func longMemQuery(has func(table, column string) bool) string {
	const at = `CAST(unixepoch(created_at) * 1000 AS INTEGER)`
	query := `
		SELECT s.opencode_session_id AS session, s.project AS project, s.directory AS dir, x.kind AS kind, x.tool AS tool,
		x.title AS title, x.text AS text, x.files AS files, x.input AS input, x.output AS output, x.at AS at
		FROM (
			SELECT session_id, 'prompt' AS kind, '' AS tool, '' AS title, prompt AS text, '' AS files, '' AS input,
			'' AS output, ` + at + ` AS at FROM user_prompts
			UNION ALL
			SELECT session_id, 'observation', tool_name, coalesce(nullif(compressed_summary, ''), tool_name), '',
				coalesce(files_referenced, ''), tool_input, tool_output, ` + at + `
			FROM observations`
	if has("summaries", "next_steps") {
		query += `
			UNION ALL
			SELECT session_id, 'observation', 'summary', coalesce(request, ''),
				concat_ws(char(10), investigated, learned, completed, next_steps), '', '', '', ` + at + ` FROM summaries`
	}
	query += `) x JOIN sessions s ON s.id = x.session_id`
	if has("user_observations", "content") {
		query += `
		UNION ALL
		SELECT 'remembered', '', '', 'observation', 'remember', observation_type, content, '', '', '', ` + at +
			` FROM user_observations`
	}
	return query + ` ORDER BY session, at`
}

const engramQuery = `
	SELECT p.session_id AS session, coalesce(p.project, s.project, '') AS project, coalesce(s.directory, '') AS dir,
	'prompt' AS kind, '' AS tool, '' AS title, p.content AS text, '[]' AS files,
	CAST(unixepoch(p.created_at) * 1000 AS INTEGER) AS at
	FROM user_prompts p LEFT JOIN sessions s ON s.id = p.session_id
	UNION ALL
	SELECT o.session_id, coalesce(o.project, s.project, ''), coalesce(s.directory, ''), 'observation',
	coalesce(o.tool_name, o.type, ''), coalesce(o.title, ''), o.content, '[]',
	CAST(unixepoch(o.created_at) * 1000 AS INTEGER)
	FROM observations o LEFT JOIN sessions s ON s.id = o.session_id WHERE o.deleted_at IS NULL
	ORDER BY session, at`

type foreignRow struct {
	Session, Project, Dir, Tool, Title, Text, Files string
	Input, Output                                   string
	Kind                                            Kind
	At                                              *int64
}

// ErrOwn is returned for a database of keepmum itself.
var ErrOwn = errors.New("it is a database of keepmum itself")

// ReadForeign reads the database of another tool, without changing it, as the records of an export. It returns the name
// of the tool, [ErrOwn] for a database of keepmum, and [ErrForeign] for an unknown file. What it reads has passed no
// gate.
func ReadForeign(ctx context.Context, path string, emit func(Record) error) (tool string, err error) {
	conn, err := sqlx.Open("sqlite", dsn(path, "mode=ro&_pragma=query_only(1)&_pragma=busy_timeout(5000)"))
	if err != nil {
		return "", &FileError{path, err}
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	var columns []struct{ Tab, Col string }
	if err := conn.SelectContext(ctx, &columns, `SELECT t.name AS tab, c.name AS col FROM sqlite_schema t CROSS
		JOIN pragma_table_info(t.name) c WHERE t.type = 'table'`); err != nil {
		return "", &FileError{path, translate(err)}
	}
	known := map[string]bool{}
	for _, c := range columns {
		known[c.Tab], known[c.Tab+"."+c.Col] = true, true
	}
	if known["docs_fts"] && known["docs.rules_version"] {
		return "", &FileError{path, ErrOwn}
	}
	for _, t := range foreignTools() {
		if slices.ContainsFunc(t.marks, func(mark string) bool { return !known[mark] }) {
			continue
		}
		query := t.query(func(table, column string) bool { return known[table+"."+column] })
		if err := readForeign(ctx, conn, t.name, query, emit); err != nil {
			return t.name, fmt.Errorf("read %s as a database of %s: %w", filepath.Base(path), t.name, translate(err))
		}
		return t.name, nil
	}
	return "", &FileError{path, fmt.Errorf("%w, nor one of LongMem, claude-mem or engram", ErrForeign)}
}

func readForeign(ctx context.Context, conn *sqlx.DB, tool, query string, emit func(Record) error) error {
	rows, err := conn.QueryxContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	last := ""
	for n := 0; rows.Next(); n++ {
		var r foreignRow
		if err := rows.StructScan(&r); err != nil {
			return err
		}
		at := time.Unix(0, 0)
		if r.At != nil {
			at = time.UnixMilli(*r.At)
		}
		if n == 0 || r.Session != last {
			last = r.Session
			meta := &SessionMeta{Project: r.Project, Dir: r.Dir, Source: "import of " + tool, Started: at.UTC()}
			if err := emit(Record{Kind: KindSession, Agent: tool, Session: r.Session, Meta: meta}); err != nil {
				return err
			}
		}
		if err := emit(r.record(tool, at.UTC())); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (r foreignRow) record(tool string, at time.Time) Record {
	out := Record{Kind: r.Kind, Agent: tool, Session: r.Session, At: at, Tool: r.Tool, Title: r.Title, Text: &r.Text}
	if r.Kind == KindPrompt {
		out.Role = string(RoleUser)
	}
	if r.Input+r.Output != "" {
		out.Input, out.Output, out.Text = raw(r.Input), raw(r.Output), nil
	}
	if json.Unmarshal([]byte(r.Files), &out.Files) != nil && r.Files != "" && r.Files[0] != '[' && r.Files[0] != '{' {
		out.Files = strings.Split(r.Files, ", ")
	}
	return out
}
