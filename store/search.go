package store

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
)

const (
	defaultLimit = 20
	maxLimit     = 100
)

// Search finds the documents that a text is about, best first. Any text is valid; an empty one returns the most recent
// documents, and one without a word nothing. The order is total, so pages do not overlap as long as nothing is added.
func (db *DB) Search(ctx context.Context, q Query) (Results, error) {
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	q.Limit, q.Offset = min(q.Limit, maxLimit), max(q.Offset, 0)
	out, err := db.search(ctx, q)
	if err != nil {
		return Results{}, fmt.Errorf("search: %w", translate(err))
	}
	return out, nil
}

func (db *DB) search(ctx context.Context, q Query) (Results, error) {
	sc, err := db.scope(ctx, q)
	if sc.widen(q.Everywhere); err != nil || sc.none {
		return Results{}, err
	}
	terms := contentTerms(q.Text)
	if len(terms) == 0 {
		if !q.Exact && strings.TrimSpace(q.Text) != "" {
			return Results{NoWords: true}, nil
		}
		return db.recent(ctx, q, sc)
	}
	ix, err := db.openIndex(ctx)
	if err != nil {
		return Results{}, err
	}
	defer ix.close(ctx)
	return ix.search(ctx, q, sc, terms)
}

// search runs the two phases: candidates from the index alone, then a full score for each of them.
func (ix *index) search(ctx context.Context, q Query, sc scope, terms []term) (Results, error) {
	terms, err := ix.telling(ctx, terms)
	if err != nil {
		return Results{}, err
	}
	if terms, err = ix.widen(ctx, terms); err != nil {
		return Results{}, err
	}
	past, err := ix.readRetired(ctx, sc, q.AsOf, terms)
	if err != nil {
		return Results{}, err
	}
	fixed, err := ix.weigh(ctx, terms, past)
	if err != nil {
		return Results{}, err
	}
	all, err := ix.candidates(ctx, sc, terms)
	if err != nil {
		return Results{}, err
	}
	some, err := ix.keep(ctx, q, all)
	if err != nil {
		return Results{}, err
	}
	if q.includesRetired() {
		if past, err = ix.saying(ctx, q, past.in(q)); err != nil {
			return Results{}, err
		}
		some = past.add(some, terms)
	}
	docs, err := ix.load(ctx, some)
	if err != nil {
		return Results{}, err
	}
	weigh := newScorer(q.Text, terms, ix.avg)
	held := make(map[int64]uint64, len(some))
	for _, f := range some {
		held[f.id] = f.terms
	}
	scored, err := ix.rescore(ctx, weigh, docs, held)
	if err != nil {
		return Results{}, err
	}
	if q.Meaning.Values != nil {
		if q.Nearest {
			scored = nil
		}
		if scored, err = ix.fuse(ctx, q, sc, scored); err != nil {
			return Results{}, err
		}
	}
	out := Results{Total: len(scored), Corrections: fixed}
	out.Hits, err = ix.hits(ctx, weigh, page(scored, q.Offset, q.Limit))
	return out, err
}

func page[T any](all []T, offset, limit int) []T {
	offset = min(offset, len(all))
	return all[offset:min(offset+limit, len(all))]
}

// scope says which projects are searched.
type scope struct {
	projects []int64 // empty = all
	none     bool    // the query names an unknown project
}

func (db *DB) scope(ctx context.Context, q Query) (scope, error) {
	switch {
	case q.ProjectID == NoProject:
		return scope{none: true}, nil
	case q.ProjectID != 0:
		return scope{projects: []int64{q.ProjectID}}, nil
	case q.Project == "" || q.Project == "*":
		return scope{}, nil
	}
	ids, err := db.ProjectsNamed(ctx, q.Project)
	return scope{projects: ids, none: len(ids) == 0}, err
}

// projectCondition returns the scope as SQL that begins with AND.
func (s scope) projectCondition() string {
	if len(s.projects) == 0 {
		return ""
	}
	return " AND d.project_id IN (SELECT value FROM json_each('" + jsonIDs(s.projects) + "'))"
}

// ranges returns the parts of the index that a scope covers.
func (s scope) ranges() [][2]int64 {
	if len(s.projects) == 0 {
		return [][2]int64{{0, math.MaxInt64}}
	}
	out := make([][2]int64, len(s.projects))
	for i, p := range s.projects {
		out[i] = [2]int64{indexID(p, 0), indexID(p+1, 0) - 1}
	}
	return out
}

// filters returns the conditions of a query as SQL, each beginning with AND.
func (q Query) filters() (string, []any) {
	var sql strings.Builder
	var args []any
	add := func(cond string, arg any) {
		sql.WriteString(" AND " + cond)
		args = append(args, arg)
	}
	if q.Type != "" && q.Type != "all" {
		add("d.kind = ?", q.Type)
	}
	if q.Tool != "" {
		add("d.tool = ?", q.Tool)
	}
	if q.File != "" {
		add("instr(d.files, ?) > 0", q.File)
	}
	if q.Branch != "" {
		add(branchOfDoc+" = ?", q.Branch)
	}
	if q.Agent != "" {
		add("coalesce(s.agent, iif(d.kind = 'commit', '"+GitAgent+"', '')) = ?", q.Agent)
	}
	if !q.Since.IsZero() {
		add("d.at >= ?", q.Since.UnixMilli())
	}
	if !q.Until.IsZero() {
		add("d.at < ?", q.Until.UnixMilli())
	}
	if q.Exact {
		add(saysExactly, folded(q.Text))
	}
	if len(q.Without) > 0 {
		add("d.id NOT IN (SELECT value FROM json_each(?))", jsonIDs(q.Without))
	}
	switch {
	case q.heldOnly:
		add("(d.kind = 'memory' OR d.at <= ?)", q.AsOf.UnixMilli())
	case !q.AsOf.IsZero():
		sql.WriteString(" AND " + wasThere)
		args = append(args, wasArgs(q.AsOf)...)
	}
	return sql.String(), args
}

// includesRetired reports whether memories that are out of use now pass the filters of a query.
func (q Query) includesRetired() bool {
	kind := q.Type == "" || q.Type == "all" || q.Type == KindMemory
	return !q.AsOf.IsZero() && kind && q.Tool+q.Branch+q.Agent+q.File == ""
}

// recent lists the newest documents, for a query without words.
func (db *DB) recent(ctx context.Context, q Query, sc scope) (Results, error) {
	where, args := q.filters()
	now := ` WHERE NOT (d.kind = 'memory' AND d.role IS NOT NULL)`
	if !q.AsOf.IsZero() {
		now = ` WHERE 1`
	}
	where = fullJoin + now + where
	if len(sc.projects) > 0 {
		in, ids, err := sqlx.In(` AND d.project_id IN (?)`, sc.projects)
		if err != nil {
			return Results{}, err
		}
		where, args = where+in, append(args, ids...)
	}
	var rows []fullRow
	query := `SELECT ` + hitColumns + where + ` ORDER BY d.at DESC, d.id DESC LIMIT ? OFFSET ?`
	if err := db.read.SelectContext(ctx, &rows, query,
		slices.Concat([]any{readBytes}, args, []any{q.Limit + 1, q.Offset})...); err != nil {
		return Results{}, err
	}
	out := Results{Total: q.Offset + len(rows)}
	if len(rows) > q.Limit || len(rows) == 0 && q.Offset > 0 { // the page does not show how many there are
		if err := db.read.GetContext(ctx, &out.Total, `SELECT count(*)`+where, args...); err != nil {
			return Results{}, err
		}
	}
	for i := range rows[:min(len(rows), q.Limit)] {
		out.Hits = append(out.Hits, (&scorer{}).hit(&rows[i], nil))
	}
	return out, nil
}

const hitQuery = `SELECT ` + hitColumns + fullJoin + ` WHERE d.id IN (SELECT value FROM json_each(?2))`

// hitColumns are the columns of a document that are shown.
const hitColumns = `d.id, d.kind, d.at, coalesce(d.turn_id, 0) AS turn_id, coalesce(d.role, '') AS role,
	coalesce(d.who, '') AS who, coalesce(d.tool, '') AS tool, coalesce(d.title, '') AS title,
	coalesce(d.files, '') AS files,
	substr(coalesce(d.input, ''), 1, ?1) AS input, substr(coalesce(d.output, ''), 1, ?1) AS output,
	substr(d.body, 1, ?1) AS body, d.project_id, coalesce(p.name, '') AS project_name,
	coalesce(s.agent, iif(d.kind = 'commit', 'git', '')) AS agent, coalesce(s.native, '') AS session_native,
	coalesce(d.branch, s.branch, '') AS branch`

// hits reads what is shown of the documents on one page.
func (ix *index) hits(ctx context.Context, s *scorer, docs []scoredDoc) ([]Hit, error) {
	if len(docs) == 0 {
		return nil, nil
	}
	ids := make([]int64, len(docs))
	for i, d := range docs {
		ids[i] = d.doc.ID
	}
	var rows []fullRow
	if err := ix.list(ctx, &rows, hitQuery, readBytes, jsonIDs(ids)); err != nil {
		return nil, err
	}
	place := make(map[int64]*fullRow, len(rows))
	for i := range rows {
		place[rows[i].ID] = &rows[i]
	}
	out := make([]Hit, 0, len(docs))
	for _, d := range docs {
		hit := s.hit(place[d.doc.ID], d.doc.body)
		hit.Score = d.score
		out = append(out, hit)
	}
	return out, nil
}

func (s *scorer) hit(r *fullRow, body []lexeme) Hit {
	text, _ := r.beginning()
	return Hit{ID: r.ID, Type: r.Kind, Date: time.UnixMilli(r.At).UTC(), Tool: r.Tool, Title: r.Title,
		Snippet: s.snippet(text, body), Files: fileList(r.Files), Project: r.ProjectName,
		ProjectID: r.docRow.Project, Session: r.SessionNative,
		Agent: r.Agent, Role: r.Role, Who: r.Who,
		Branch: r.Branch, Turn: r.turn()}
}
