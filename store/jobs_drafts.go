package store

import (
	"context"
	"fmt"
	"time"
)

// UndraftedJobs returns, newest first and in any state, the units that changed since their first summary: a search must
// find them even without a model. Sessions come last, since they are made from turns.
func (db *DB) UndraftedJobs(ctx context.Context, limit int) ([]Job, error) {
	var jobs []Job
	err := db.read.SelectContext(ctx, &jobs,
		`SELECT `+jobColumns+` FROM jobs WHERE drafted < rev ORDER BY kind = 'session', id DESC LIMIT ?`, limit)
	if err != nil {
		return nil, fmt.Errorf("list units without a summary: %w", translate(err))
	}
	return jobs, nil
}

// PutDraft stores the first summary of a unit (nil = nothing to summarise), unless the unit has changed since it was
// read: then it is drafted again. The job keeps waiting for a model, unless last is set: then none will come.
func (db *DB) PutDraft(ctx context.Context, job Job, sum *Summary, last bool) error {
	err := db.writer.do(ctx, func(s *txState) error {
		var same bool
		if _, err := s.get(&same, `SELECT rev = ? FROM jobs WHERE id = ?`, job.Rev, job.ID); err != nil || !same {
			return err
		}
		if sum != nil {
			if err := s.putSummary(job, *sum); err != nil {
				return err
			}
		}
		if err := s.exec(`UPDATE jobs SET drafted = ? WHERE id = ?`, job.Rev, job.ID); err != nil || !last {
			return err
		}
		return s.exec(`UPDATE jobs SET state = 'done', done_rev = ?, updated = ? WHERE id = ?
			AND state IN ('pending', 'failed')`, job.Rev, s.now, job.ID)
	})
	if err != nil {
		return fmt.Errorf("draft of job %d: %w", job.ID, err)
	}
	return nil
}

// Done by rules: the job is done, but no model has seen its latest revision.
const doneByRules = `state = 'done' AND drafted >= rev AND done_rev < rev`

// FinishDrafted ends the jobs that have a first summary, when there is no model to wait for. Their done_rev shows that
// no model has summarised them.
func (db *DB) FinishDrafted(ctx context.Context) (int64, error) {
	n, err := write(ctx, db.writer, func(s *txState) (int64, error) {
		return s.changed(`UPDATE jobs SET state = 'done', attempts = 0, not_before = 0, error = '', updated = ?
			WHERE state IN ('pending', 'failed') AND drafted >= rev`, s.now)
	})
	if err != nil {
		return 0, fmt.Errorf("finish jobs by rules: %w", err)
	}
	return n, nil
}

// ReopenDrafted makes the latest jobs that were done by rules pending again.
func (db *DB) ReopenDrafted(ctx context.Context, latest int) (int64, error) {
	n, err := write(ctx, db.writer, func(s *txState) (int64, error) {
		return s.changed(`UPDATE jobs SET state = 'pending', updated = ?
			WHERE id IN (SELECT id FROM jobs ORDER BY id DESC LIMIT ?) AND `+doneByRules, s.now, latest)
	})
	if err != nil {
		return 0, fmt.Errorf("reopen jobs: %w", err)
	}
	return n, nil
}

// DraftedJob returns the newest job that was done by rules.
func (db *DB) DraftedJob(ctx context.Context) (Job, bool, error) {
	var jobs []Job
	err := db.read.SelectContext(ctx, &jobs,
		`SELECT `+jobColumns+` FROM jobs WHERE `+doneByRules+` ORDER BY id DESC LIMIT 1`)
	if err != nil || len(jobs) == 0 {
		return Job{}, false, translate(err)
	}
	return jobs[0], true, nil
}

// Job returns one job.
func (db *DB) Job(ctx context.Context, id int64) (Job, error) {
	var jobs []Job
	err := db.read.SelectContext(ctx, &jobs, `SELECT `+jobColumns+` FROM jobs WHERE id = ?`, id)
	switch {
	case err != nil:
		return Job{}, translate(err)
	case len(jobs) == 0:
		return Job{}, fmt.Errorf("job %d: %w", id, ErrNotFound)
	}
	return jobs[0], nil
}

// RedoJobs makes every finished or dead job pending again and returns how many.
func (db *DB) RedoJobs(ctx context.Context) (int64, error) {
	n, err := write(ctx, db.writer, func(s *txState) (int64, error) {
		return s.changed(`UPDATE jobs SET state = 'pending', attempts = 0, not_before = 0, error = '', updated = ?
			WHERE state IN ('done', 'failed', 'dead')`, s.now)
	})
	if err != nil {
		return 0, fmt.Errorf("redo jobs: %w", err)
	}
	return n, nil
}

// EgressSince returns how many bytes of questions were sent to models since a time. Texts for vectors, what a team
// shares and records of runs are no questions; agents' command lines have limits of their own.
func (db *DB) EgressSince(ctx context.Context, t time.Time) (bytes int64, err error) {
	err = db.read.GetContext(ctx, &bytes, `SELECT coalesce(sum(bytes), 0) FROM ledger WHERE kind = 'egress' AND at >= ?
		AND purpose NOT IN ('embed', 'team', 'trace') AND model NOT LIKE 'agent:%'`,
		t.UnixMilli())
	return bytes, translate(err)
}

// DocumentFrequencies counts how many documents of a project contain each word, up to a thousand, and how many
// documents there are.
func (db *DB) DocumentFrequencies(ctx context.Context, project int64, words []string) (map[string]int, int, error) {
	var docs int
	if err := db.read.GetContext(ctx, &docs, `SELECT coalesce(sum(docs), 0) FROM totals WHERE project_id = ?`,
		project); err != nil {
		return nil, 0, translate(err)
	}
	df := make(map[string]int, len(words))
	for _, w := range words {
		var n int
		tokens := matchAll(parseWords(w)) // rate_limit is two words in the index
		if tokens == "" {
			df[w] = 0
			continue
		}
		err := db.read.GetContext(ctx, &n,
			`SELECT count(*) FROM (SELECT rowid FROM docs_fts WHERE docs_fts MATCH ? AND rowid BETWEEN ? AND ? LIMIT 1000)`,
			tokens, project<<40, (project+1)<<40-1)
		if err != nil {
			return nil, 0, fmt.Errorf("count a word: %w", translate(err))
		}
		df[w] = n
	}
	return df, docs, nil
}
