package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"keepmum/privacy"
)

// TouchedFile is a file that you are working on.
type TouchedFile struct {
	Path        string `json:"path"` // relative to the top of the working tree, with slashes
	Uncommitted bool   `json:"uncommitted,omitempty"`
}

// Touched is what differs between a working tree and its default branch, as of the last check.
type Touched struct {
	Root, Branch string
	Files        []TouchedFile // uncommitted ones first
	At           time.Time
}

// TouchedTree is a working tree that was checked.
type TouchedTree struct {
	Root, Branch       privacy.Clean
	Uncommitted, Files []privacy.Clean // what differs from the last commit; what else differs from the default branch
}

// PutTouched stores the changed files of a working tree, replacing the previous ones.
func (db *DB) PutTouched(ctx context.Context, project int64, t TouchedTree) error {
	files := make([]TouchedFile, 0, len(t.Uncommitted)+len(t.Files))
	for _, f := range t.Uncommitted {
		files = append(files, TouchedFile{f.String(), true})
	}
	for _, f := range t.Files {
		files = append(files, TouchedFile{f.String(), false})
	}
	list, err := json.Marshal(files)
	if err != nil {
		return err
	}
	err = db.writer.do(ctx, func(s *txState) error {
		return s.exec(`INSERT INTO touched (root, project_id, branch, files, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
			SET project_id = excluded.project_id, branch = excluded.branch, files = excluded.files, at = excluded.at`,
			t.Root, project, t.Branch, string(list), s.now)
	})
	if err != nil {
		return fmt.Errorf("keep what is touched: %w", err)
	}
	return nil
}

// Touched returns the changed files of the working tree that contains dir. If no tree of the project does, or dir is
// "", it returns those of the tree that was checked last. If nothing is known, the result is empty.
func (db *DB) Touched(ctx context.Context, project int64, dir string) (Touched, error) {
	var rows []struct {
		Root, Branch, Files string
		At                  int64
	}
	const query = `SELECT root, branch, files, at FROM touched WHERE project_id = ?1
		ORDER BY ?2 = root OR substr(?2, 1, length(root) + 1) IN (root || '/', root || '\') DESC, at DESC, root LIMIT 1`
	if err := db.read.SelectContext(ctx, &rows, query, project, dir); err != nil {
		return Touched{}, fmt.Errorf("read what is touched: %w", translate(err))
	}
	if len(rows) == 0 {
		return Touched{}, nil
	}
	r := rows[0]
	out := Touched{Root: r.Root, Branch: r.Branch, At: time.UnixMilli(r.At).UTC()}
	_ = json.Unmarshal([]byte(r.Files), &out.Files) // written by PutTouched only; a damaged one reads as no files
	return out, nil
}

// RecentDirs returns the directories of the sessions since a time, latest first.
func (db *DB) RecentDirs(ctx context.Context, since time.Time, limit int) ([]string, error) {
	var dirs []string
	err := db.read.SelectContext(ctx, &dirs,
		`SELECT dir FROM sessions WHERE dir <> '' AND last >= ? GROUP BY dir ORDER BY max(last) DESC LIMIT ?`,
		since.UnixMilli(), limit)
	return dirs, translate(err)
}
