package store

import (
	"context"
	"fmt"
	"strconv"

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
	Cloned  bool   // of a team's tree: others write it
}

const rootColumns = `id, project_id, kind, path, cloned`

// PutMemoryRoot stores where a tree is and returns its row. A known tree changes only its project, together with its
// memories.
func (db *DB) PutMemoryRoot(ctx context.Context, project int64, kind RootKind, path privacy.Clean,
	cloned bool) (MemoryRoot, error) {
	var out MemoryRoot
	err := db.writer.do(ctx, func(s *txState) error {
		const upsert = `INSERT INTO memory_roots (project_id, kind, path, cloned, created) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (path) DO UPDATE SET project_id = excluded.project_id`
		if err := s.exec(upsert, project, kind, path, cloned, s.now); err != nil {
			return err
		}
		var row MemoryRoot
		if _, err := s.get(&row, `SELECT `+rootColumns+` FROM memory_roots WHERE path = ?`, path); err != nil {
			return err
		}
		out = row
		return s.moveMemories(row.ID, project)
	})
	if err != nil {
		// after a cancelled call, the writer may still be writing what out points to
		return MemoryRoot{}, fmt.Errorf("keep a memory root: %w", err)
	}
	return out, nil
}

// moveMemories moves the memories of a tree to its project.
func (s *txState) moveMemories(root, project int64) error {
	var ids []int64
	if err := s.list(&ids, `SELECT d.id FROM memories m CROSS JOIN docs d ON d.id = m.doc_id
		WHERE m.root_id = ? AND d.project_id <> ?`, root, project); err != nil {
		return err
	}
	for _, id := range ids {
		err := s.reindex(id, func(d *docRow) { d.Project = project })
		if err := firstOf(err, s.keepOwner(id)); err != nil {
			return err
		}
	}
	return nil
}

// MoveMemoryRoot records the new place of a tree.
func (db *DB) MoveMemoryRoot(ctx context.Context, id int64, kind RootKind, path privacy.Clean) error {
	return db.writer.do(ctx, func(s *txState) error {
		return s.exec(`UPDATE memory_roots SET kind = ?, path = ? WHERE id = ?`, kind, path, id)
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
		return s.exec(`DELETE FROM memory_roots WHERE id = ?`, id)
	})
}

// ClaimMemory records that this installation wrote a memory, or that the user took it over. Nothing of the id is stored
// but a keyed hash.
func (db *DB) ClaimMemory(ctx context.Context, project int64, name string) error {
	return db.writer.do(ctx, func(s *txState) error {
		if err := s.claim(project, name); err != nil {
			return err
		}
		return s.exec(`UPDATE memories SET own = 1 WHERE name = ? AND root_id IN (SELECT id FROM memory_roots
			WHERE project_id = ? AND kind <> 'team')`, name, project)
	})
}

func (s *txState) claim(project int64, name string) error {
	return s.exec(`INSERT INTO own_memories (mac) VALUES (?) ON CONFLICT DO NOTHING`, s.ownerMAC(project, name))
}

func (s *txState) ownerMAC(project int64, name string) string {
	return s.mac("own memory", strconv.FormatInt(project, 10), name)
}

// putOwner records whether a new row is this installation's: always in the data directory; in a repository, if it was
// claimed.
func (s *txState) putOwner(doc, project int64, name string) error {
	var merged []int64
	if err := s.list(&merged, mergedInto, project); err != nil {
		return err
	}
	var macs []string
	for _, p := range append(merged, project) {
		macs = append(macs, s.ownerMAC(p, name))
	}
	return s.exec(`UPDATE memories SET own = 1 WHERE doc_id = ? AND ((SELECT kind FROM memory_roots
		WHERE id = memories.root_id) IN ('home', 'global') OR EXISTS (SELECT 1 FROM own_memories
		WHERE mac IN (SELECT value FROM json_each(?))))`, doc, jsonTexts(macs))
}

// keepOwner remembers, beyond its row, that a memory is this installation's: its file may come back.
func (s *txState) keepOwner(doc int64) error {
	var row struct {
		Project int64 `db:"project_id"`
		Name    string
	}
	found, err := s.get(&row, `SELECT r.project_id, m.name FROM memories m JOIN memory_roots r ON r.id = m.root_id
		WHERE m.doc_id = ? AND m.own AND r.kind = 'repo'`, doc)
	if err != nil || !found {
		return err
	}
	return s.claim(row.Project, row.Name)
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
