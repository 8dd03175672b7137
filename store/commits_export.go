package store

import (
	"context"
	"slices"
)

// exportCommits emits the commits of each project, oldest first.
func (db *DB) exportCommits(ctx context.Context, o ExportOptions, emit func(Record) error) error {
	projects, err := db.Projects(ctx)
	if err != nil {
		return err
	}
	var named []int64
	if o.Project != "" {
		if named, err = db.ProjectsNamed(ctx, o.Project); err != nil {
			return err
		}
	}
	for _, p := range projects {
		if o.Project != "" && !slices.Contains(named, p.ID) {
			continue
		}
		if err := db.exportCommitsOf(ctx, p, o, emit); err != nil {
			return err
		}
	}
	return nil
}

func (db *DB) exportCommitsOf(ctx context.Context, p ProjectRow, o ExportOptions, emit func(Record) error) error {
	meta := &SessionMeta{Project: p.Name}
	for _, a := range p.Aliases {
		meta.Aliases = append(meta.Aliases, AliasPair(a))
	}
	since := int64(-1 << 62)
	if !o.Since.IsZero() {
		since = o.Since.UnixMilli()
	}
	for after := int64(0); ; {
		var ids []int64
		err := db.read.SelectContext(ctx, &ids,
			`SELECT id FROM docs WHERE project_id = ? AND kind = 'commit' AND at >= ? AND id > ? ORDER BY id LIMIT ?`, p.ID,
			since, after, exportPage)
		if err != nil || len(ids) == 0 {
			return err
		}
		after = ids[len(ids)-1]
		rows, err := db.Commits(ctx, ids)
		if err != nil {
			return err
		}
		for _, c := range rows {
			r := Record{Kind: KindCommit, Agent: GitAgent, Meta: meta, At: c.At, Title: c.Title, Text: ptr(c.Message),
				Who: c.Author, Files: c.Files, Commit: c.Hash}
			if err := emit(r); err != nil {
				return err
			}
		}
	}
}

// ImportCommit stores a commit of an export. One that exists is a duplicate; a forgotten one returns [ErrForgotten].
func (db *DB) ImportCommit(ctx context.Context, p Project, c Commit) (Receipt, error) {
	var out Receipt
	err := db.writer.do(ctx, func(s *txState) error {
		project, err := s.project(p)
		if err != nil {
			return err
		}
		id, fresh, err := s.putCommit(Repository{Project: project}, &c)
		out = Receipt{ID: id, Duplicate: !fresh}
		return err
	})
	if err != nil {
		return Receipt{}, err // the caller gave up; the writer may still be filling it in
	}
	return out, nil
}
