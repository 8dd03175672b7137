package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"
)

// MemoryRow is a memory as the index has it.
type MemoryRow struct {
	ID               int64 `db:"doc_id"`
	Root             int64 `db:"root_id"`
	RootKind         RootKind
	RootPath         string
	Cloned           bool  // it came with the repository: somebody else's text
	Project          int64 `db:"project_id"`
	ProjectName      string
	Name, Path       string
	Form, Kind       string
	State            MemoryState
	Pinned           bool
	Confidence       float64
	Origin           string
	Title, Text      string // of the document: the text ends with the tags
	TagsJSON         string `db:"tags"`
	SourcesJSON      string `db:"sources"`
	SupersededBy     string
	Created, Updated int64 // unix ms
	Said             int64 // unix ms; when it began to hold
	Accessed         int64 // unix ms; 0 = never
	Accesses         int64
}

// memoryColumns compare the times of files, which name seconds, with our own.
const memoryColumns = `m.doc_id, m.root_id, r.kind AS rootkind, r.path AS rootpath, r.cloned AND m.created < r.created / 1000 * 1000 AS cloned,  r.project_id, coalesce(p.name, '') AS projectname, m.name, m.path, m.form, m.kind,
	m.state, m.pinned, m.confidence, m.origin, coalesce(d.title, '') AS title, coalesce(d.body, '') AS text, m.tags, m.sources, m.superseded_by AS supersededby,
	m.created, m.updated, d.at AS said, m.accessed, m.accesses`

const memoryJoin = ` FROM memories m CROSS JOIN memory_roots r ON r.id = m.root_id CROSS JOIN docs d ON d.id = m.doc_id LEFT JOIN projects p ON p.id = r.project_id`

// Tags returns the tags of a memory.
func (m *MemoryRow) Tags() []string {
	var out []string
	_ = json.Unmarshal([]byte(m.TagsJSON), &out) // written by the index only
	return out
}

// Source is a source as it is read back.
type Source struct {
	Session string `json:"session"`
	Ref     string `json:"ref"`
}

// Sources returns where a memory comes from.
func (m *MemoryRow) Sources() []Source {
	var out []Source
	_ = json.Unmarshal([]byte(m.SourcesJSON), &out) // written by the index only
	return out
}

// Body returns the text of a memory without the line of its tags.
func (m *MemoryRow) Body() string {
	if tags := m.Tags(); len(tags) > 0 {
		return strings.TrimSuffix(m.Text, "\n"+strings.Join(tags, ", "))
	}
	return m.Text
}

// MemoryFilter says which memories to list. The zero value lists all active ones.
type MemoryFilter struct {
	Projects []int64 // nil = all; [NoProjectRow] is where those of no project are
	State    MemoryState
	AnyState bool
	Form     string
	Name     string
	IDs      []int64
	Root     int64
	Limit    int // 0 = all
}

func (f MemoryFilter) where() (string, []any) {
	var sql strings.Builder
	var args []any
	add := func(cond string, arg any) {
		sql.WriteString(" AND " + cond)
		args = append(args, arg)
	}
	switch {
	case f.AnyState:
	case f.State == "":
		add("m.state = ?", MemoryActive)
	default:
		add("m.state = ?", f.State)
	}
	if f.Projects != nil {
		add("r.project_id IN (SELECT value FROM json_each(?))", jsonIDs(f.Projects))
	}
	if f.IDs != nil {
		add("m.doc_id IN (SELECT value FROM json_each(?))", jsonIDs(f.IDs))
	}
	if f.Form != "" {
		add("m.form = ?", f.Form)
	}
	if f.Name != "" {
		add("m.name = ?", f.Name)
	}
	if f.Root != 0 {
		add("m.root_id = ?", f.Root)
	}
	return sql.String(), args
}

// Memories lists memories, the most recently changed first.
func (db *DB) Memories(ctx context.Context, f MemoryFilter) ([]MemoryRow, error) {
	where, args := f.where()
	query := `SELECT ` + memoryColumns + memoryJoin + ` WHERE 1` + where + ` ORDER BY m.updated DESC, m.doc_id DESC`
	if f.Limit > 0 {
		query, args = query+` LIMIT ?`, append(args, f.Limit)
	}
	var rows []MemoryRow
	if err := db.read.SelectContext(ctx, &rows, query, args...); err != nil {
		return nil, fmt.Errorf("list memories: %w", translate(err))
	}
	return rows, nil
}

// MemoriesOf returns what was derived from a session (agent/native), in any state.
func (db *DB) MemoriesOf(ctx context.Context, sessions []string) ([]MemoryRow, error) {
	if len(sessions) == 0 {
		return nil, nil
	}
	query, args, err := sqlx.In(`SELECT `+memoryColumns+memoryJoin+` WHERE EXISTS (SELECT 1 FROM json_each(m.sources) e WHERE e.value ->> 'session' IN (?))
		ORDER BY m.updated DESC, m.doc_id DESC`, sessions)
	if err != nil {
		return nil, err
	}
	var rows []MemoryRow
	if err := db.read.SelectContext(ctx, &rows, query, args...); err != nil {
		return nil, fmt.Errorf("find what was derived: %w", translate(err))
	}
	return rows, nil
}

// widen adds what belongs to no project to the search of some.
func (s *scope) widen(everywhere bool) {
	if everywhere && (s.none || len(s.projects) > 0) {
		s.projects, s.none = append(s.projects, NoProjectRow), false
	}
}

// InjectionsOf returns the receipts of contexts in which a document stood.
func (db *DB) InjectionsOf(ctx context.Context, ids []int64) ([]int64, error) {
	var out []int64
	err := db.read.SelectContext(ctx, &out, `SELECT DISTINCT i.id FROM injections i, json_each(i.entries) e
		WHERE e.value ->> 'id' IN (SELECT value FROM json_each(?)) ORDER BY i.id`, jsonIDs(ids))
	return out, translate(err)
}
