package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
)

// MemoryRow is a memory in the index.
type MemoryRow struct {
	ID               int64 `db:"doc_id"`
	Root             int64 `db:"root_id"`
	RootKind         RootKind
	RootPath         string
	Cloned           bool  // it came with the repository or from the team: someone else may have written it
	Project          int64 `db:"project_id"`
	ProjectName      string
	Name, Path       string
	Form, Kind       string
	State            MemoryState
	Pinned           bool
	Confidence       float64
	Origin           string
	Title, Text      string // of the document; the text ends with the tags
	TagsJSON         string `db:"tags"`
	SourcesJSON      string `db:"sources"`
	SupersededBy     string
	Created, Updated int64 // unix ms
	Said             int64 // unix ms; when it became valid
	Key              string
	ValidFrom        int64  // unix ms; start of the last span in which it was valid
	ValidTo          int64  // its end; 0 = still valid
	HeldJSON         string `db:"held"` // the earlier spans: [[from, to], …]
	Branch           string // the only branch on which it is valid; "" = everywhere
	Accessed         int64  // unix ms; 0 = never
	Accesses         int64
}

const memoryColumns = `m.doc_id, m.root_id, r.kind AS rootkind, r.path AS rootpath,
	iif(r.kind = 'team', r.cloned, NOT m.own) AS cloned, r.project_id,
	coalesce(p.name, '') AS projectname, m.name, m.path,
	m.form, m.kind, m.state, m.pinned, m.confidence, m.origin, coalesce(d.title, '') AS title,
	coalesce(d.body, '') AS text, m.tags, m.sources, m.superseded_by AS supersededby, m.created, m.updated, d.at AS said,
	m.accessed, m.accesses, m.key, m.valid_from AS validfrom, m.valid_to AS validto, m.held, m.branch`

const memoryJoin = ` FROM memories m CROSS JOIN memory_roots r ON r.id = m.root_id CROSS JOIN docs d ON d.id = m.doc_id LEFT JOIN projects p ON p.id = r.project_id`

// FromRepository reports whether a memory came with a repository: whoever wrote it could pin it, too.
func (m *MemoryRow) FromRepository() bool { return m.Cloned && m.RootKind == RootRepo }

// Tags returns the tags of a memory.
func (m *MemoryRow) Tags() []string {
	var out []string
	_ = json.Unmarshal([]byte(m.TagsJSON), &out) // written by the index only
	return out
}

// Source is a [MemorySource] as it is read back.
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

// Times returns when a memory was valid, oldest first; none if another one replaced it.
func (m *MemoryRow) Times() []Span {
	var held [][2]int64
	_ = json.Unmarshal([]byte(m.HeldJSON), &held) // written by the index only
	if m.ValidTo == 0 || m.ValidTo > m.ValidFrom {
		held = append(held, [2]int64{m.ValidFrom, m.ValidTo})
	}
	out := make([]Span, len(held))
	for i, t := range held {
		out[i].From = time.UnixMilli(t[0]).UTC()
		if t[1] != 0 {
			out[i].To = time.UnixMilli(t[1]).UTC()
		}
	}
	return out
}

// heldAt is the SQL condition that a memory was valid at a moment, which must be bound twice.
const heldAt = `(m.valid_from <= ? AND (m.valid_to = 0 OR m.valid_to > ?) OR m.held <> '[]' AND EXISTS (
	SELECT 1 FROM json_each(m.held) h WHERE h.value ->> 0 <= ? AND h.value ->> 1 > ?))`

func heldArgs(at time.Time) []any {
	ms := at.UnixMilli()
	return []any{ms, ms, ms, ms}
}

// Body returns the text of a memory without its line of tags.
func (m *MemoryRow) Body() string {
	if tags := m.Tags(); len(tags) > 0 {
		return strings.TrimSuffix(m.Text, "\n"+strings.Join(tags, ", "))
	}
	return m.Text
}

// MemoryFilter selects memories. The zero value selects all active ones.
type MemoryFilter struct {
	Projects []int64 // nil = all; [NoProjectRow] = memories without a project
	State    MemoryState
	AnyState bool
	Form     string
	Kind     string
	Room     string    // the first segment of the key
	Key      string    // in any state
	AsOf     time.Time // those valid at that time, in any state; zero = now
	Name     string
	IDs      []int64
	Root     int64
	Branch   string  // only those valid on this branch alone; "" = any
	Without  []int64 // documents to omit
	Own      bool    // omit what came from a team
	Limit    int     // 0 = all
}

func (f MemoryFilter) where() (string, []any) {
	var sql strings.Builder
	var args []any
	add := func(cond string, arg ...any) {
		sql.WriteString(" AND " + cond)
		args = append(args, arg...)
	}
	switch {
	case !f.AsOf.IsZero():
		add(heldAt, heldArgs(f.AsOf)...)
	case f.AnyState:
	case f.State == "":
		add("m.state = ?", MemoryActive)
	default:
		add("m.state = ?", f.State)
	}
	if f.Own {
		add("r.kind <> ?", RootTeam)
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
	if f.Kind != "" {
		add("m.kind = ?", f.Kind)
	}
	if f.Room != "" {
		add("(m.key = ? OR m.key GLOB ? || '/*')", f.Room, f.Room)
	}
	if f.Key != "" {
		add("m.key = ?", f.Key)
	}
	if f.Name != "" {
		add("m.name = ?", f.Name)
	}
	if f.Branch != "" {
		add("m.branch = ?", f.Branch)
	}
	if len(f.Without) > 0 {
		add("m.doc_id NOT IN (SELECT value FROM json_each(?))", jsonIDs(f.Without))
	}
	if f.Root != 0 {
		add("m.root_id = ?", f.Root)
	}
	return sql.String(), args
}

// Memories lists memories, most recently said first.
func (db *DB) Memories(ctx context.Context, f MemoryFilter) ([]MemoryRow, error) {
	where, args := f.where()
	query := `SELECT ` + memoryColumns + memoryJoin + ` WHERE 1` + where + ` ORDER BY m.valid_from DESC, m.doc_id DESC`
	if f.Limit > 0 {
		query, args = query+` LIMIT ?`, append(args, f.Limit)
	}
	var rows []MemoryRow
	if err := db.read.SelectContext(ctx, &rows, query, args...); err != nil {
		return nil, fmt.Errorf("list memories: %w", translate(err))
	}
	return rows, nil
}

// MemoryPaths returns the paths of a root's memories, by name.
func (db *DB) MemoryPaths(ctx context.Context, root int64) (map[string]string, error) {
	var rows []struct{ Name, Path string }
	if err := db.read.SelectContext(ctx, &rows, `SELECT name, path FROM memories WHERE root_id = ?`, root); err != nil {
		return nil, fmt.Errorf("list the paths of memories: %w", translate(err))
	}
	out := make(map[string]string, len(rows))
	for _, r := range rows {
		out[r.Name] = r.Path
	}
	return out, nil
}

// FirstMemories returns, in no particular order, the n active memories to tell first: pinned ones, then the most
// trusted, then the latest. It also returns how many active memories there are.
func (db *DB) FirstMemories(ctx context.Context, f MemoryFilter, n int) (rows []MemoryRow, total int, err error) {
	f.AnyState = true // the condition on the state is below, in the form that the index needs
	where, args := f.where()
	from := ` FROM memories m INDEXED BY memories_to_tell CROSS JOIN memory_roots r ON r.id = m.root_id
		WHERE m.state = 'active'` + where
	if err := db.read.GetContext(ctx, &total, `SELECT count(*)`+from, args...); err != nil {
		return nil, 0, translate(err)
	}
	ids := []int64{}
	if err := db.read.SelectContext(ctx, &ids, `SELECT m.doc_id`+from+`
		ORDER BY m.pinned DESC, m.confidence DESC, m.updated DESC, m.doc_id DESC LIMIT ?`, append(args, n)...); err != nil {
		return nil, 0, translate(err)
	}
	rows, err = db.Memories(ctx, MemoryFilter{AnyState: true, IDs: ids})
	return rows, total, err
}

// MemoriesOf returns what was derived from sessions (agent/native), in any state.
func (db *DB) MemoriesOf(ctx context.Context, sessions []string) ([]MemoryRow, error) {
	if len(sessions) == 0 {
		return nil, nil
	}
	query, args, err := sqlx.In(`SELECT `+memoryColumns+memoryJoin+
		` WHERE EXISTS (SELECT 1 FROM json_each(m.sources) e WHERE e.value ->> 'session' IN (?))
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

// widen adds memories without a project to a search of some projects.
func (s *scope) widen(everywhere bool) {
	if everywhere && (s.none || len(s.projects) > 0) {
		s.projects, s.none = append(s.projects, NoProjectRow), false
	}
}

// InjectionsOf returns the receipts of contexts that contained a document.
func (db *DB) InjectionsOf(ctx context.Context, ids []int64) ([]int64, error) {
	var out []int64
	err := db.read.SelectContext(ctx, &out, `SELECT DISTINCT i.id FROM injections i, json_each(i.entries) e
		WHERE e.value ->> 'id' IN (SELECT value FROM json_each(?)) ORDER BY i.id`, jsonIDs(ids))
	return out, translate(err)
}

// LatestLearned returns the latest memory that was learned in a session, written agent/native; 0 = there is none.
func (db *DB) LatestLearned(ctx context.Context, session string) (id int64, err error) {
	err = db.read.GetContext(ctx, &id, `SELECT coalesce(max(m.doc_id), 0) FROM memories m, json_each(m.sources) e
		WHERE e.value ->> 'session' = ?`, session)
	return id, translate(err)
}
