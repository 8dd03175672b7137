package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"keepmum/privacy"
)

// GitAgent is shown in place of an agent for a commit, which comes from git and has no session.
const GitAgent = "git"

// Commit is one commit of a repository's history.
type Commit struct {
	Hash        privacy.Clean // git's hash
	Identity    privacy.Clean // a keyed hash of message, date and paths, which a rebase does not change
	Title, Body privacy.Clean // the first line of its message, and the rest
	Author      privacy.Clean // zero = left out
	Files       []privacy.Clean
	At          time.Time // when it was written
	Instruction bool      // its message reads like an instruction to a model
	Skip        bool      // it was read, and nothing of it is kept
	Findings    []privacy.Finding
}

// CommitRow is a stored commit.
type CommitRow struct {
	ID          int64
	Hash        string // if there are several, any that is in the history
	Title       string
	Message     string // without its first line
	Author      string
	Files       []string
	At          time.Time
	Project     int64
	Instruction bool // its message reads like an instruction to a model: agents do not get it
}

// Repository is a repository whose history is read.
type Repository struct {
	ID, Project int64
	State       string // as set by [DB.SetRepositoryState]
}

// namedFiles is how many changed files of a commit can be found by name.
const namedFiles = 20

// changedLine begins the last line of a commit's text, which lists its files.
const changedLine = "Changed: "

// CommitMessage returns the text of a commit without the line that lists its files.
func CommitMessage(text string, files []string) string {
	if len(files) == 0 {
		return text
	}
	if i := strings.LastIndex("\n"+text, "\n"+changedLine); i >= 0 {
		return strings.TrimSuffix(text[:i], "\n")
	}
	return text
}

// doc builds the document of a commit.
func (c *Commit) doc(project int64) *docRow {
	d := &docRow{Kind: KindCommit, Project: project, At: c.At.UnixMilli(), Title: c.Title.String(), Who: c.Author.String()}
	if c.Instruction {
		d.Role = string(RoleInstruction)
	}
	body := c.Body.String()
	if len(c.Files) > 0 {
		names := make([]string, 0, namedFiles)
		for _, f := range c.Files[:min(len(c.Files), namedFiles)] {
			names = append(names, f.String())
		}
		if body != "" {
			body += "\n"
		}
		body += changedLine + strings.Join(names, ", ")
		list, _ := json.Marshal(c.Files) // a list of strings always encodes
		d.Files = string(list)
	}
	d.Body = &body
	d.index()
	return d
}

// OpenRepository returns the repository with a common directory and the project that it belongs to now. It creates the
// repository if it is unknown.
func (db *DB) OpenRepository(ctx context.Context, commonDir privacy.Clean, project int64) (Repository, error) {
	var out Repository
	err := db.writer.do(ctx, func(s *txState) error {
		out = Repository{Project: project}
		row := struct {
			ID, Project int64
			State       string
		}{}
		found, err := s.get(&row, `SELECT id, project_id AS project, state FROM repositories WHERE common_dir = ?`, commonDir)
		if err != nil {
			return err
		}
		if !found {
			out.ID, err = s.insert(`INSERT INTO repositories (common_dir, project_id) VALUES (?, ?)`, commonDir, project)
			return err
		}
		if out.ID = row.ID; row.Project == project {
			out.State = row.State
			return nil
		}
		if err := s.dropCommits(row.Project, `repository_id = ?`, row.ID); err != nil { // another repository is here now
			return err
		}
		if err := s.exec(`DELETE FROM branches WHERE repository_id = ?`, row.ID); err != nil {
			return err
		}
		return s.exec(`UPDATE repositories SET project_id = ?, state = '' WHERE id = ?`, project, row.ID)
	})
	if err != nil {
		return Repository{}, fmt.Errorf("open a repository: %w", err)
	}
	return out, nil
}

// RepositoryRead reports whether the history of a project's repository was ever read completely.
func (db *DB) RepositoryRead(ctx context.Context, commonDir privacy.Clean, project int64) (read bool, err error) {
	err = db.read.GetContext(ctx, &read,
		`SELECT EXISTS (SELECT 1 FROM repositories WHERE common_dir = ? AND project_id = ? AND state <> '')`, commonDir, project)
	if err != nil {
		return false, fmt.Errorf("find a repository: %w", translate(err))
	}
	return read, nil
}

// SetRepositoryState records how far a repository was read.
func (db *DB) SetRepositoryState(ctx context.Context, id int64, state string) error {
	return db.writer.do(ctx, func(s *txState) error {
		return s.exec(`UPDATE repositories SET state = ? WHERE id = ?`, state, id)
	})
}

// KnownCommits returns the commits of a repository's project that were read, by hash. The value is true if this
// repository is where the commit was seen.
func (db *DB) KnownCommits(ctx context.Context, r Repository) (map[string]bool, error) {
	var rows []struct {
		Hash string
		Mine bool
	}
	err := db.read.SelectContext(ctx, &rows, `SELECT hash, repository_id = ? AS mine FROM commits WHERE project_id = ?`,
		r.ID, r.Project)
	if err != nil {
		return nil, fmt.Errorf("list commits: %w", translate(err))
	}
	out := make(map[string]bool, len(rows))
	for _, row := range rows {
		out[row.Hash] = row.Mine
	}
	return out, nil
}

// ForgottenCommits returns the hashes whose commits were forgotten.
func (db *DB) ForgottenCommits(ctx context.Context, hashes []string) (map[string]bool, error) {
	out := map[string]bool{}
	var any bool
	if err := db.read.GetContext(ctx, &any, `SELECT EXISTS (SELECT 1 FROM tombstones)`); err != nil || !any {
		return out, translate(err)
	}
	var macs []string
	if err := db.read.SelectContext(ctx, &macs, `SELECT mac FROM tombstones`); err != nil {
		return nil, fmt.Errorf("look for forgotten commits: %w", translate(err))
	}
	buried := make(map[string]bool, len(macs))
	for _, m := range macs {
		buried[m] = true
	}
	for _, h := range hashes {
		if buried[db.commitGrave("hash", h)] {
			out[h] = true
		}
	}
	return out, nil
}

func (db *DB) commitGrave(by, value string) string { return db.mac("commit "+by, value) }

// PutCommits stores commits and returns how many documents are new. A commit that is already stored under another hash,
// because history was rewritten, keeps its document. A forgotten commit is not stored.
func (db *DB) PutCommits(ctx context.Context, r Repository, commits []Commit) (int, error) {
	added, err := write(ctx, db.writer, func(s *txState) (added int, err error) {
		for i := range commits {
			_, fresh, err := s.putCommit(r, &commits[i])
			if err == ErrForgotten { //nolint:errorlint // buried returns it bare
				continue
			}
			if err != nil {
				return 0, err
			}
			if fresh {
				added++
			}
		}
		return added, nil
	})
	if err != nil {
		return 0, fmt.Errorf("keep commits: %w", err)
	}
	return added, nil
}

// putCommit stores one commit; fresh reports whether its document is new.
func (s *txState) putCommit(r Repository, c *Commit) (id int64, fresh bool, err error) {
	if c.Skip {
		return 0, false, s.noteCommit(r, c, nil)
	}
	if found, err := s.get(&id, `SELECT coalesce(doc_id, 0) FROM commits WHERE project_id = ? AND hash = ?`, r.Project,
		c.Hash); err != nil || found {
		return id, false, err
	}
	found, err := s.get(&id,
		`SELECT doc_id FROM commits WHERE project_id = ? AND identity = ? AND doc_id IS NOT NULL LIMIT 1`, r.Project,
		c.Identity)
	if err != nil {
		return 0, false, err
	}
	if found {
		return id, false, s.noteCommit(r, c, &id)
	}
	if err := s.commitBuried(c); err != nil {
		return 0, false, err
	}
	d := c.doc(r.Project)
	if err := s.insertDoc(d); err != nil {
		return 0, false, err
	}
	if err := s.redactions(d.ID, r.Project, c.Findings); err != nil {
		return 0, false, err
	}
	return d.ID, true, s.noteCommit(r, c, &d.ID)
}

func (s *txState) noteCommit(r Repository, c *Commit, doc *int64) error {
	return s.exec(`INSERT INTO commits (project_id, hash, doc_id, repository_id, identity) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET repository_id = excluded.repository_id`, r.Project, c.Hash, doc, r.ID, c.Identity)
}

// commitBuried returns [ErrForgotten] for a commit that was forgotten under this or another hash. Unlike a message, a
// commit cannot come back by being said again: its date is its own, so even a forged date in the future brings nothing
// back.
func (s *txState) commitBuried(c *Commit) error {
	if err := s.buried(ever, func() string { return s.db.commitGrave("hash", c.Hash.String()) }); err != nil {
		return err
	}
	err := s.buried(ever, func() string { return s.db.commitGrave("identity", c.Identity.String()) })
	if err == ErrForgotten { //nolint:errorlint // buried returns it bare
		if err := s.bury(s.db.commitGrave("hash", c.Hash.String()), ever); err != nil { // so that this hash is not read again
			return err
		}
	}
	return err
}

// DropCommits removes the commits that are no longer in a repository's history. A document is removed with the last of
// its hashes, without a tombstone: it may come back.
func (db *DB) DropCommits(ctx context.Context, r Repository, hashes []string) error {
	for len(hashes) > 0 {
		some := hashes[:min(len(hashes), forgetBatch)]
		hashes = hashes[len(some):]
		err := db.writer.do(ctx, func(s *txState) error {
			return s.dropCommits(r.Project, `hash IN (SELECT value FROM json_each(?))`, jsonTexts(some))
		})
		if err != nil {
			return fmt.Errorf("drop commits: %w", err)
		}
	}
	return nil
}

// dropCommits removes the commits of a project that match a condition, and the documents that no other commit uses.
func (s *txState) dropCommits(project int64, where string, arg any) error {
	var docs []int64
	if err := s.list(&docs, `SELECT DISTINCT doc_id FROM commits WHERE project_id = ? AND doc_id IS NOT NULL AND `+where,
		project, arg); err != nil {
		return err
	}
	if err := s.exec(`DELETE FROM commits WHERE project_id = ? AND `+where, project, arg); err != nil {
		return err
	}
	for _, id := range docs {
		var left int
		if _, err := s.get(&left, `SELECT count(*) FROM commits WHERE doc_id = ?`, id); err != nil {
			return err
		}
		if left > 0 {
			continue
		}
		d, found, err := s.load(id)
		if err != nil {
			return err
		}
		if found {
			if err := s.deleteDoc(d); err != nil {
				return err
			}
		}
	}
	return nil
}

// forgetCommit removes the document of a commit and leaves tombstones, so that reading the history again does not bring
// it back.
func (s *txState) forgetCommit(d *docRow) error {
	var rows []struct{ Hash, Identity string }
	if err := s.list(&rows, `SELECT hash, identity FROM commits WHERE doc_id = ?`, d.ID); err != nil {
		return err
	}
	for _, r := range rows {
		for by, value := range map[string]string{"hash": r.Hash, "identity": r.Identity} {
			if err := s.bury(s.db.commitGrave(by, value), ever); err != nil {
				return err
			}
		}
	}
	if err := s.deleteDoc(d); err != nil {
		return err
	}
	if err := s.exec(`DELETE FROM commits WHERE doc_id = ?`, d.ID); err != nil {
		return err
	}
	if err := s.exec(`DELETE FROM injections WHERE EXISTS (SELECT 1 FROM json_each(entries) e WHERE e.value ->> 'id' = ?)`,
		d.ID); err != nil {
		return err
	}
	return s.dropEmptyProject(d.Project)
}

// mergeCommits moves the commits of one project to another. Commits in both are kept once; the repositories are read
// again.
func (s *txState) mergeCommits(from, to int64) error {
	const both = `hash IN (SELECT hash FROM commits WHERE project_id = ?)`
	if err := s.dropCommits(from, both, to); err != nil {
		return err
	}
	for _, q := range []string{
		`UPDATE commits SET project_id = ? WHERE project_id = ?`,
		`UPDATE repositories SET project_id = ?, state = '' WHERE project_id = ?`,
		`UPDATE touched SET project_id = ? WHERE project_id = ?`,
	} {
		if err := s.exec(q, to, from); err != nil {
			return err
		}
	}
	return nil
}

// Commits returns the commits of the given documents, in that order. It ignores ids of other documents.
func (db *DB) Commits(ctx context.Context, ids []int64) ([]CommitRow, error) {
	rows, err := db.Observations(ctx, ids)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	var named []struct {
		ID   int64 `db:"doc_id"`
		Hash string
	}
	const names = `SELECT doc_id, max(hash) AS hash FROM commits WHERE doc_id IN (SELECT value FROM json_each(?))
		GROUP BY doc_id`
	if err := db.read.SelectContext(ctx, &named, names, jsonIDs(ids)); err != nil {
		return nil, fmt.Errorf("read commits: %w", translate(err))
	}
	hash := make(map[int64]string, len(named))
	for _, n := range named {
		hash[n.ID] = n.Hash
	}
	var out []CommitRow
	for _, r := range rows {
		if r.Type == KindCommit {
			out = append(out, CommitRow{ID: r.ID, Hash: hash[r.ID], Title: r.Title, Message: CommitMessage(r.Text, r.Files),
				Author: r.Who, Files: r.Files, At: r.Date, Project: r.ProjectID, Instruction: r.Role == string(RoleInstruction)})
		}
	}
	return out, nil
}
