package store

import (
	"context"
	"fmt"

	"keepmum/privacy"
)

// MemoryLink is a link from one memory to another.
type MemoryLink struct {
	As string
	To privacy.Clean // its id
}

// putLinks updates the links of a memory to match its file.
func (s *txState) putLinks(doc int64, links []MemoryLink) error {
	if err := s.exec(`DELETE FROM memory_links WHERE doc_id = ?`, doc); err != nil {
		return err
	}
	for _, l := range links {
		if err := s.exec(`INSERT OR IGNORE INTO memory_links (doc_id, kind, target) VALUES (?, ?, ?)`, doc, l.As,
			l.To); err != nil {
			return err
		}
	}
	return nil
}

// LinkRow is a stored link.
type LinkRow struct {
	From   int64  `db:"doc_id"`
	Kind   string // depends_on, see, replaces
	Target string // an id
}

// MemoryLinks lists the links of the memories of some projects (nil = all) in any state.
func (db *DB) MemoryLinks(ctx context.Context, projects []int64) ([]LinkRow, error) {
	where, args := MemoryFilter{Projects: projects, AnyState: true}.where()
	var rows []LinkRow
	err := db.read.SelectContext(ctx, &rows, `SELECT l.doc_id, l.kind, l.target FROM memory_links l
		CROSS JOIN memories m ON m.doc_id = l.doc_id CROSS JOIN memory_roots r ON r.id = m.root_id WHERE 1`+where+`
		ORDER BY l.doc_id, l.kind, l.target`, args...)
	if err != nil {
		return nil, fmt.Errorf("list links: %w", translate(err))
	}
	return rows, nil
}
