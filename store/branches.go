package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepmum/lazyregexp"
	"keepmum/privacy"
)

// Branch is a branch of a repository.
type Branch struct {
	Name     privacy.Clean
	Tip      string // its last commit
	Own      bool   // whether the last commit was not in the default branch
	Base     string // where it left the default branch
	Standing string
}

// BranchRow is a branch as it was last seen.
type BranchRow struct {
	Repository     int64 `db:"repository_id"`
	Name, Tip      string
	Own            bool
	Base, Standing string
	Seen           int64 // unix ms; when it was last there
}

// BranchOpen is the standing of a branch that nobody has checked yet.
const BranchOpen = "open"

// branchKept is how long a deleted branch is remembered: a session that worked on it may be read later. One that a
// memory refers to is remembered for longer, and one that was not merged as long as there are sessions on it.
const branchKept = 30 * 24 * time.Hour

// SawBranches records which branches a repository has, and their last commits. The last commit of a branch that was
// checked stays the one it was checked at, so that a merged branch that goes on is noticed.
func (db *DB) SawBranches(ctx context.Context, repository int64, there []Branch) error {
	err := db.writer.do(ctx, func(s *txState) error {
		for _, b := range there {
			if err := s.exec(`INSERT INTO branches (repository_id, name, tip, seen) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
				SET seen = excluded.seen, tip = iif(own OR standing <> ?, tip, excluded.tip)`, repository, b.Name, b.Tip, s.now,
				BranchOpen); err != nil {
				return err
			}
		}
		return s.exec(`DELETE FROM branches WHERE repository_id = ? AND seen < ?
			AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.branch = branches.name)
			AND (standing = 'merged' OR name NOT IN (SELECT s.branch FROM `+branchesOfSessions+` s
				JOIN repositories r USING (project_id) WHERE r.id = branches.repository_id))`, repository,
			s.now-branchKept.Milliseconds())
	})
	if err != nil {
		return fmt.Errorf("note the branches of a repository: %w", err)
	}
	return nil
}

// PutBranch stores what was found out about a branch.
func (db *DB) PutBranch(ctx context.Context, repository int64, b Branch) error {
	return db.writer.do(ctx, func(s *txState) error {
		return s.exec(`INSERT INTO branches (repository_id, name, tip, own, base, standing, seen)
			VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET tip = excluded.tip, own = excluded.own,
			base = excluded.base, standing = excluded.standing`, repository, b.Name, b.Tip, b.Own, b.Base, b.Standing, s.now)
	})
}

// Branches returns what is known about a branch in the repositories of a project; with no name, about all branches.
func (db *DB) Branches(ctx context.Context, project int64, name string) ([]BranchRow, error) {
	var rows []BranchRow
	err := db.read.SelectContext(ctx, &rows, `SELECT b.repository_id, b.name, b.tip, b.own, b.base, b.standing, b.seen
		FROM branches b JOIN repositories r ON r.id = b.repository_id
		WHERE r.project_id = ?1 AND (?2 = '' OR b.name = ?2) ORDER BY b.name, b.repository_id`, project, name)
	return rows, translate(err)
}

// maxSaid limits how many branches without memories are checked: those with the latest sessions.
const maxSaid = 50

// BoundBranches returns the branches of a project that have memories valid on that branch only, and the branches on
// which sessions were held, as long as they are not known to be merged.
func (db *DB) BoundBranches(ctx context.Context, project int64) ([]string, error) {
	var names []string
	err := db.read.SelectContext(ctx, &names, `SELECT DISTINCT m.branch FROM memories m JOIN memory_roots r
		ON r.id = m.root_id WHERE m.branch <> '' AND r.project_id = ?1
		UNION SELECT * FROM (SELECT s.branch FROM `+branchesOfSessions+` s WHERE s.project_id = ?1 AND `+unmerged+`
			GROUP BY s.branch ORDER BY max(s.last) DESC LIMIT ?2) ORDER BY 1`, project, maxSaid)
	return names, translate(err)
}

// branchesOfSessions has a row for each session and branch on which something was said in it.
const branchesOfSessions = `(SELECT project_id, branch, last FROM sessions
	UNION ALL SELECT project_id, value, last FROM sessions, json_each(branches) WHERE json_valid(branches))`

// branchOfDoc is the branch on which a document d of a session s was made: a session may have switched to another.
const branchOfDoc = `coalesce(d.branch, s.branch)`

// unmerged is a condition: branch s.branch of project s.project_id is known, and not to be merged. In doubt it is.
const unmerged = `s.branch <> '' AND coalesce((SELECT max(CASE b.standing
		WHEN 'open' THEN 2 WHEN 'merged' THEN 1 ELSE 0 END)
	FROM branches b JOIN repositories r ON r.id = b.repository_id
	WHERE r.project_id = s.project_id AND b.name = s.branch), 1) <> 1`

// Unmerged returns, by document, the branches on which some documents were made, unless the branch was merged.
func (db *DB) Unmerged(ctx context.Context, docs []int64) (map[int64]string, error) {
	var rows []struct {
		ID     int64
		Branch string
	}
	err := db.read.SelectContext(ctx, &rows, `SELECT id, branch FROM (SELECT d.id, s.project_id, `+branchOfDoc+` AS branch
		FROM docs d JOIN sessions s ON s.id = d.session_id WHERE d.id IN (SELECT value FROM json_each(?))
		AND d.kind <> 'memory') s WHERE `+unmerged, jsonIDs(docs))
	out := make(map[int64]string, len(rows))
	for _, r := range rows {
		out[r.ID] = r.Branch
	}
	return out, translate(err)
}

// NotOnBranch returns, in order of id, the documents of the memories that are not valid on a branch: memories of other
// branches, and those that a memory of this branch replaces.
func (db *DB) NotOnBranch(ctx context.Context, branch string) ([]int64, error) {
	var ids []int64
	err := db.read.SelectContext(ctx, &ids, `SELECT doc_id FROM memories WHERE branch <> '' AND branch <> ?1
		UNION SELECT o.doc_id FROM memories m, json_each(iif(m.instead = '', '[]', m.instead)) e
			JOIN memories o ON o.root_id = m.root_id AND o.name = e.value AND o.branch = ''
			WHERE m.branch <> '' AND m.branch = ?1 AND m.state = 'active' ORDER BY 1`, branch)
	return ids, translate(err)
}

// instead returns, as JSON, the names of the memories that this one replaces on its branch.
func (f *MemoryFile) instead() string {
	if f.Branch.IsZero() || len(f.Instead) == 0 {
		return ""
	}
	list, _ := json.Marshal(f.Instead) // a list of strings always encodes
	return string(list)
}

// ProjectDirs returns directories of a project, most recently used first.
func (db *DB) ProjectDirs(ctx context.Context, project int64) ([]string, error) {
	var dirs []string
	err := db.read.SelectContext(ctx, &dirs, `SELECT dir FROM (SELECT dir, max(last) AS at FROM sessions
			WHERE project_id = ?1 AND dir <> '' GROUP BY dir
		UNION ALL SELECT value, 0 FROM project_aliases WHERE project_id = ?1 AND kind = 'dir')
		GROUP BY dir ORDER BY max(at) DESC, dir LIMIT 10`, project)
	return dirs, translate(err)
}

// place is where an event happened.
type place struct {
	dir, branch string
	own         string // the branch as it is stored with a document; "" = the session's
}

// branchIn returns the branch of an event if the session began on another one of the same project, and records that
// something was said there.
func (s *txState) branchIn(ses *session, ref SessionRef) (string, error) {
	at := place{dir: ref.Dir.String(), branch: ref.Branch.String()}
	if at.branch == "" || at.branch == ses.Branch || commitID.MatchString(at.branch) {
		return "", nil
	}
	if ses.apart.dir == at.dir && ses.apart.branch == at.branch {
		return ses.apart.own, nil
	}
	m, err := s.matches(ref.Project)
	if err != nil {
		return "", fmt.Errorf("find the project of a branch: %w", err)
	}
	if id, _ := m.choose(); id == ses.Project {
		if at.own, err = s.switched(ses, ref.Branch); err != nil {
			return "", fmt.Errorf("record a branch: %w", err)
		}
	}
	ses.apart = at
	return at.own, nil
}

// mainBranches are the usual names of the branch to which work goes back when it is done.
const mainBranches = `('main', 'master', 'trunk', 'develop')`

// backOn sets the branch of an answer that was given after going back to the main branch to that of its prompt: it says
// what was done there.
func (s *txState) backOn(ses *session, now string, d *docRow) error {
	if ses.Turn == 0 || ses.Branches == "" || !strings.Contains(mainBranches, "'"+now+"'") {
		return nil
	}
	var asked string
	found, err := s.get(&asked, `SELECT coalesce(branch, '') FROM docs WHERE id = ?`, ses.Turn)
	if found {
		d.Branch = asked
	}
	return err
}

// commitID matches what stands for a branch while none is checked out (a detached HEAD).
var commitID = lazyregexp.New(`^[0-9a-f]{12}$`)

// switched records another branch of a session, and returns it as it is stored with a document.
func (s *txState) switched(ses *session, branch privacy.Clean) (string, error) {
	if err := s.withoutTexts(&branch); err != nil {
		return "", err
	}
	name := branch.String()
	if name == "" || name == ses.Branch { // the session's own was stored without the same texts
		return "", nil
	}
	var all []string
	_ = json.Unmarshal([]byte(ses.Branches), &all) // written here only; a damaged one reads as none
	if slices.Contains(all, name) {
		return name, nil
	}
	list, _ := json.Marshal(append(all, name)) // a list of strings always encodes
	ses.Branches = string(list)
	return name, s.exec(`UPDATE sessions SET branches = ? WHERE id = ?`, ses.Branches, ses.ID)
}
