package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
)

// foreignTool reads another tool's database as rows of one form: session,
// project, dir, kind, tool, title, text, files (JSON), at (unix ms), in the
// order of their sessions and times.
type foreignTool struct {
	name   string
	tables []string
	query  func(has func(table, column string) bool) string
}

// foreignTools are the tools whose databases can be read. Their columns were
// renamed between versions: the query is made for what is there.
func foreignTools() []foreignTool {
	return []foreignTool{
		{"claude-mem", []string{"sdk_sessions", "user_prompts", "observations"}, claudeMemQuery},
		{"engram", []string{"sessions", "user_prompts", "observations"}, func(func(table, column string) bool) string { return engramQuery }},
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
		SELECT coalesce(s.NATIVE, o.INNER), coalesce(o.project, ''), '', 'observation', coalesce(o.type, ''), coalesce(o.title, ''),
			concat_ws(char(10), o.subtitle, o.narrative, o.facts, o.text), coalesce(o.files_modified, '[]'), o.created_at_epoch
		FROM observations o LEFT JOIN sdk_sessions s ON s.INNER = o.INNER
		ORDER BY session, at`)
}

const engramQuery = `
	SELECT p.session_id AS session, coalesce(p.project, s.project, '') AS project, coalesce(s.directory, '') AS dir, 'prompt' AS kind, '' AS tool, '' AS title,
		p.content AS text, '[]' AS files, CAST(unixepoch(p.created_at) * 1000 AS INTEGER) AS at
	FROM user_prompts p LEFT JOIN sessions s ON s.id = p.session_id
	UNION ALL
	SELECT o.session_id, coalesce(o.project, s.project, ''), coalesce(s.directory, ''), 'observation', coalesce(o.tool_name, o.type, ''), coalesce(o.title, ''),
		o.content, '[]', CAST(unixepoch(o.created_at) * 1000 AS INTEGER)
	FROM observations o LEFT JOIN sessions s ON s.id = o.session_id WHERE o.deleted_at IS NULL
	ORDER BY session, at`

type foreignRow struct {
	Session, Project, Dir, Tool, Title, Text, Files string
	Kind                                            Kind
	At                                              *int64
}

// ReadForeign reads the database of another tool, without changing it, as the
// records of an export. It returns the name of the tool, and [ErrForeign] for
// a file that it does not know. What it reads passed no gate.
func ReadForeign(ctx context.Context, path string, emit func(Record) error) (tool string, err error) {
	conn, err := sqlx.Open("sqlite", dsn(path, "mode=ro&_pragma=query_only(1)&_pragma=busy_timeout(5000)"))
	if err != nil {
		return "", &FileError{path, err}
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	var columns []struct{ Tab, Col string }
	if err := conn.SelectContext(ctx, &columns, `SELECT t.name AS tab, c.name AS col FROM sqlite_schema t CROSS JOIN pragma_table_info(t.name) c WHERE t.type = 'table'`); err != nil {
		return "", &FileError{path, translate(err)}
	}
	known := map[string]bool{}
	for _, c := range columns {
		known[c.Tab], known[c.Tab+"."+c.Col] = true, true
	}
	for _, t := range foreignTools() {
		if !known[t.tables[0]] || !known[t.tables[1]] || !known[t.tables[2]] {
			continue
		}
		query := t.query(func(table, column string) bool { return known[table+"."+column] })
		if err := readForeign(ctx, conn, t.name, query, emit); err != nil {
			return t.name, fmt.Errorf("read %s as a database of %s: %w", filepath.Base(path), t.name, translate(err))
		}
		return t.name, nil
	}
	return "", &FileError{path, fmt.Errorf("%w, nor one of claude-mem or engram", ErrForeign)}
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
	_ = json.Unmarshal([]byte(r.Files), &out.Files) // of an older form: no files
	return out
}
