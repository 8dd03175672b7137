package store

import (
	"context"
	"fmt"

	"keepmum/privacy"
)

// NoProjectRow is the project of memories that are valid everywhere.
const NoProjectRow int64 = 0

// RootKind says where a tree of memories is.
type RootKind string

// The kinds of root.
const (
	RootRepo   RootKind = "repo"   // in a repository, because the user added it
	RootHome   RootKind = "home"   // in the data directory, of one project
	RootGlobal RootKind = "global" // in the data directory, of no project
	RootTeam   RootKind = "team"   // only in the index: shared by other members and machines
)

// MemoryRoot is a tree of memories.
type MemoryRoot struct {
	ID      int64
	Project int64 `db:"project_id"`
	Kind    RootKind
	Path    string // absolute for a repository, otherwise relative to the data directory
	Cloned  bool   // it came with memories that this installation did not write
}

const rootColumns = `id, project_id, kind, path, cloned`

// PutMemoryRoot stores where a tree is and returns its row. A known tree changes only its project. A tree that was
// dropped before gets back what is known about it.
func (db *DB) PutMemoryRoot(ctx context.Context, project int64, kind RootKind, path privacy.Clean,
	cloned bool) (MemoryRoot, error) {
	var out MemoryRoot
	err := db.writer.do(ctx, func(s *txState) error {
		const upsert = `INSERT INTO memory_roots (project_id, kind, path, cloned, created) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (path) DO UPDATE SET project_id = excluded.project_id`
		created := s.now
		if err := s.wasLeft(path.String(), &cloned, &created); err != nil {
			return err
		}
		if err := s.exec(upsert, project, kind, path, cloned, created); err != nil {
			return err
		}
		var row MemoryRoot
		if _, err := s.get(&row, `SELECT `+rootColumns+` FROM memory_roots WHERE path = ?`, path); err != nil {
			return err
		}
		out = row
		return nil
	})
	if err != nil {
		// after a cancelled call, the writer may still be writing what out points to
		return MemoryRoot{}, fmt.Errorf("keep a memory root: %w", err)
	}
	return out, nil
}

// MoveMemoryRoot records the new place of a tree. cloned says whether someone else's memories were already there. What
// is known about the tree's own memories stays.
func (db *DB) MoveMemoryRoot(ctx context.Context, id int64, kind RootKind, path privacy.Clean, cloned bool) error {
	return db.writer.do(ctx, func(s *txState) error {
		left := s.now
		if err := s.wasLeft(path.String(), &cloned, &left); err != nil {
			return err
		}
		return s.exec(
			`UPDATE memory_roots SET kind = ?, path = ?, cloned = cloned OR ?, created = min(created, ?) WHERE id = ?`, kind,
			path, cloned, left, id)
	})
}

// DropMemoryRoot removes a tree from the index. Its files stay.
func (db *DB) DropMemoryRoot(ctx context.Context, id int64) error {
	return db.writer.do(ctx, func(s *txState) error {
		var ids []int64
		if err := s.list(&ids, `SELECT doc_id FROM memories WHERE root_id = ?`, id); err != nil {
			return err
		}
		for _, doc := range ids {
			if err := s.dropMemory(doc); err != nil {
				return err
			}
		}
		if err := s.leave(id); err != nil {
			return err
		}
		return s.exec(`DELETE FROM memory_roots WHERE id = ?`, id)
	})
}

// leave remembers, without the path, whether a tree was cloned: a user's own tree is still the user's when it is added
// again.
func (s *txState) leave(id int64) error {
	var row struct {
		Path, Was string
	}
	if found, err := s.get(&row,
		`SELECT path, iif(cloned, 'true ', 'false ') || created AS was FROM memory_roots WHERE id = ?`, id); err != nil ||
		!found {
		return err
	}
	return s.exec(`INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
		s.leftKey(row.Path), row.Was)
}

func (s *txState) leftKey(path string) string { return "left:" + s.mac("memory root", path) }

// wasLeft restores what [leave] remembered, if anything.
func (s *txState) wasLeft(path string, cloned *bool, created *int64) error {
	var was string
	found, err := s.get(&was, `SELECT value FROM meta WHERE key = ?`, s.leftKey(path))
	if err != nil || !found {
		return err
	}
	_, err = fmt.Sscanf(was, "%t %d", cloned, created)
	return err
}

// MemoryRoots returns the known trees of files, those of repositories first.
func (db *DB) MemoryRoots(ctx context.Context) ([]MemoryRoot, error) {
	var rows []MemoryRoot
	err := db.read.SelectContext(ctx, &rows, `SELECT `+rootColumns+` FROM memory_roots WHERE kind <> 'team'
		ORDER BY kind <> 'repo', kind, id`)
	return rows, translate(err)
}

// TeamRoots returns the trees without files: what was shared with this machine.
func (db *DB) TeamRoots(ctx context.Context) ([]MemoryRoot, error) {
	var rows []MemoryRoot
	err := db.read.SelectContext(ctx, &rows, `SELECT `+rootColumns+` FROM memory_roots WHERE kind = 'team' ORDER BY id`)
	return rows, translate(err)
}

// PutProject finds or creates a project without creating a session.
func (db *DB) PutProject(ctx context.Context, p Project) (int64, error) {
	var id int64
	err := db.writer.do(ctx, func(s *txState) (err error) {
		id, err = s.project(p)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("keep a project: %w", err)
	}
	return id, nil
}
