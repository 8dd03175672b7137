package store

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/jmoiron/sqlx"

	"keepmum/privacy"
)

// AliasKind is a way to identify a project.
type AliasKind string

// The ways, strongest first.
const (
	AliasRemote    AliasKind = "remote"
	AliasCommonDir AliasKind = "git_common_dir"
	AliasDir       AliasKind = "dir"
	AliasName      AliasKind = "name"
)

// AliasKinds returns all of them, strongest first.
func AliasKinds() []AliasKind { return []AliasKind{AliasRemote, AliasCommonDir, AliasDir, AliasName} }

// Alias is one name or place that identifies a project.
type Alias struct {
	Kind  AliasKind
	Value privacy.Clean
}

// Project is what is known about a directory. Without an alias, only its name identifies it.
type Project struct {
	Name    privacy.Clean
	Aliases []Alias
}

// ProjectRow is a stored project.
type ProjectRow struct {
	ID      int64
	Name    string
	Aliases []AliasRow
	Docs    int64
	Last    int64 `db:"last"` // unix ms of the latest event
	Created int64 // unix ms; when it was first heard of
}

// AliasRow is a stored alias.
type AliasRow struct {
	Kind  AliasKind
	Value string
}

// FindProject returns the project of a directory or a name. It creates nothing.
func (db *DB) FindProject(ctx context.Context, p Project) (id int64, found bool, err error) {
	m, err := matchAliases(p, func(a Alias, dest *int64) (bool, error) {
		return one(ctx, db.read, dest, aliasQuery, a.Kind, a.Value)
	})
	if err != nil {
		return 0, false, fmt.Errorf("find project: %w", translate(err))
	}
	id, _ = m.choose()
	return id, id != 0, nil
}

// NoProject is an id that no project has: a search in it finds nothing.
const NoProject int64 = -1

// ErrNoProject means that no project has a name or number.
var ErrNoProject = errors.New("there is no project with that name")

// SameNameError means that several projects have the same name.
type SameNameError struct{ Projects []ProjectRow }

func (e *SameNameError) Error() string {
	return fmt.Sprintf("%d projects have that name", len(e.Projects))
}

// ProjectNamed returns the one project with a name or number, otherwise [NoProject] with [ErrNoProject] or a
// [*SameNameError].
func (db *DB) ProjectNamed(ctx context.Context, name string) (int64, error) {
	ids, err := db.ProjectsNamed(ctx, name)
	switch {
	case err != nil:
		return NoProject, err
	case len(ids) == 0:
		return NoProject, ErrNoProject
	case len(ids) == 1:
		return ids[0], nil
	}
	rows, err := db.Projects(ctx)
	if err != nil {
		return NoProject, err
	}
	rows = slices.DeleteFunc(rows, func(r ProjectRow) bool { return !slices.Contains(ids, r.ID) })
	return NoProject, &SameNameError{rows}
}

// ProjectsNamed returns the ids of the projects with a name, or if there is none, of the project with that number.
func (db *DB) ProjectsNamed(ctx context.Context, name string) ([]int64, error) {
	var ids []int64
	err := db.read.SelectContext(ctx, &ids, `SELECT id FROM projects WHERE name = ?
		UNION SELECT project_id FROM project_aliases WHERE kind = 'name' AND value = ? ORDER BY 1`, name, name)
	if id, notNumber := strconv.ParseInt(name, 10, 64); err == nil && notNumber == nil && len(ids) == 0 {
		err = db.read.SelectContext(ctx, &ids, `SELECT id FROM projects WHERE id = ?`, id)
	}
	return ids, translate(err)
}

const aliasQuery = `SELECT project_id FROM project_aliases WHERE kind = ? AND value = ?`

// matches are the projects that the aliases of one directory lead to, by kind.
type matches map[AliasKind]int64

func matchAliases(p Project, lookup func(Alias, *int64) (bool, error)) (matches, error) {
	m := matches{}
	for _, a := range p.aliases() {
		var id int64
		switch ok, err := lookup(a, &id); {
		case err != nil:
			return nil, err
		case ok && m[a.Kind] == 0:
			m[a.Kind] = id
		}
	}
	return m, nil
}

// choose returns the project of the strongest alias, and the kind of that alias.
func (m matches) choose() (int64, AliasKind) {
	for _, k := range AliasKinds() {
		if m[k] != 0 {
			return m[k], k
		}
	}
	return 0, ""
}

// aliases returns the usable aliases. The name counts only if there is no other, because two directories with the same
// name are not the same project.
func (p Project) aliases() []Alias {
	var all []Alias
	for _, a := range p.Aliases {
		if !a.Value.IsZero() {
			all = append(all, a)
		}
	}
	if len(all) == 0 && !p.Name.IsZero() {
		all = append(all, Alias{AliasName, p.Name})
	}
	return all
}

func (s *txState) matches(p Project) (matches, error) {
	return matchAliases(p, func(a Alias, dest *int64) (bool, error) { return s.get(dest, aliasQuery, a.Kind, a.Value) })
}

// project finds or creates the project, and stores all its aliases.
func (s *txState) project(p Project) (int64, error) {
	m, err := s.matches(p)
	if err != nil {
		return 0, err
	}
	id, by := m.choose()
	if id == 0 {
		if id, err = s.newProject(p); err != nil {
			return 0, err
		}
	}
	if by == AliasRemote {
		if err := s.adopt(id, m); err != nil {
			return 0, err
		}
	}
	return id, s.learn(id, by, p.aliases())
}

func (s *txState) newProject(p Project) (int64, error) {
	name := p.Name.String()
	if all := p.aliases(); name == "" && len(all) > 0 {
		name = path.Base(all[0].Value.String())
	}
	if name == "" {
		name = "unknown"
	}
	return s.insert(`INSERT INTO projects (name, created) VALUES (?, ?)`, name, s.now)
}

// learn adds aliases to a project. A path of another project moves to this one if its remote says so: another
// repository was cloned there.
func (s *txState) learn(id int64, by AliasKind, all []Alias) error {
	for _, a := range all {
		query := `INSERT INTO project_aliases (kind, value, project_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`
		if by == AliasRemote && a.Kind != AliasName {
			query = `INSERT INTO project_aliases (kind, value, project_id) VALUES (?, ?, ?)
				ON CONFLICT DO UPDATE SET project_id = excluded.project_id WHERE project_id <> excluded.project_id`
		}
		if err := s.exec(query, a.Kind, a.Value, id); err != nil {
			return err
		}
	}
	return nil
}

// adopt merges into the project of a remote the projects that its paths led to and that had no remote: the same work,
// before it had one.
func (s *txState) adopt(id int64, m matches) error {
	for _, kind := range []AliasKind{AliasCommonDir, AliasDir} {
		other := m[kind]
		if other == 0 || other == id {
			continue
		}
		var remotes int
		if _, err := s.get(&remotes, `SELECT count(*) FROM project_aliases WHERE project_id = ? AND kind = 'remote'`,
			other); err != nil {
			return err
		}
		if remotes > 0 {
			continue
		}
		if err := s.merge(other, id); err != nil {
			return fmt.Errorf("merge project %d into %d: %w", other, id, err)
		}
	}
	return nil
}

// mergedInto selects the numbers of the projects that were merged into one: hashes that were made with them are not
// made again.
const mergedInto = `SELECT CAST(substr(key, 8) AS INTEGER) FROM meta
	WHERE key GLOB 'merged *' AND CAST(value AS INTEGER) = ?`

func (s *txState) mergedInto(project int64) (merged []int64, err error) {
	err = s.list(&merged, mergedInto, project)
	return merged, err
}

func (s *txState) noteMerge(from, to int64) error {
	return errors.Join(
		s.exec(`UPDATE meta SET value = ? WHERE key GLOB 'merged *' AND CAST(value AS INTEGER) = ?`,
			strconv.FormatInt(to, 10), from),
		s.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)`, fmt.Sprint("merged ", from),
			strconv.FormatInt(to, 10)))
}

// merge moves everything of one project to another and removes the first.
func (s *txState) merge(from, to int64) error {
	if err := s.fold(); err != nil {
		return err
	}
	var ids []int64
	if err := s.list(&ids, `SELECT id FROM docs WHERE project_id = ?`, from); err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.reindex(id, func(d *docRow) { d.Project = to }); err != nil {
			return err
		}
	}
	if err := s.mergeCommits(from, to); err != nil {
		return err
	}
	for _, q := range []string{
		`UPDATE sessions SET project_id = ? WHERE project_id = ?`,
		`UPDATE jobs SET project_id = ? WHERE project_id = ?`,
		`UPDATE catalogue SET project_id = ? WHERE project_id = ?`,
		`UPDATE injections SET project_id = ? WHERE project_id = ?`,
		`UPDATE project_aliases SET project_id = ? WHERE project_id = ?`,
		`UPDATE memory_roots SET project_id = ? WHERE project_id = ?`,
		`UPDATE team_projects SET project_id = ? WHERE project_id = ?`,
		`UPDATE proposals SET project_id = ? WHERE project_id = ?`,
		`UPDATE OR REPLACE files SET project_id = ? WHERE project_id = ?`,
		`UPDATE OR IGNORE failures SET project_id = ? WHERE project_id = ?`,
		`UPDATE OR IGNORE gotchas SET project_id = ? WHERE project_id = ?`, // both may have learned the same
		`DELETE FROM gotchas WHERE project_id <> ? AND project_id = ?`,
	} {
		if err := s.exec(q, to, from); err != nil {
			return err
		}
	}
	clear(s.sessions)
	return errors.Join(
		s.noteMerge(from, to),
		s.dropTotals(from),
		s.exec(`DELETE FROM projects WHERE id = ?`, from))
}

// one reads one row over a reader's connection. It returns false if there is none.
func one(ctx context.Context, q sqlx.QueryerContext, dest any, query string, args ...any) (bool, error) {
	rows, err := q.QueryxContext(ctx, query, args...)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	if !rows.Next() {
		return false, rows.Err()
	}
	return true, rows.Scan(dest)
}
