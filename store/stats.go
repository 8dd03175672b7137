package store

import (
	"context"
	"fmt"
	"net/netip"
	"os"
)

// Stats are totals over everything. They are maintained as rows change, so reading them is cheap whatever the size of
// the database.
type Stats struct {
	Projects, Sessions      int64
	Prompts, Answers        int64 // of users; of agents
	Observations, Summaries int64
	Memories, Commits       int64
	Redactions              int64            // rows of the ledger
	Asked, Left             int64            // requests to a model; those that left this machine
	Tokens, Text            int64            // of all documents: index tokens, bytes
	Bytes                   int64            // of the database and its write-ahead log
	Jobs                    map[string]int64 // by state
}

// jobsByState counts jobs. Most are in one state (done, or waiting), usually that of the job in the middle. The query
// counts all other states and subtracts them from the total.
const jobsByState = `WITH most AS MATERIALIZED (
		SELECT state FROM jobs WHERE id >= (SELECT max(id) / 2 FROM jobs) ORDER BY id LIMIT 1),
	others AS MATERIALIZED (
		SELECT state, count(*) AS n FROM jobs WHERE state < (SELECT state FROM most) GROUP BY state
		UNION ALL SELECT state, count(*) FROM jobs WHERE state > (SELECT state FROM most) GROUP BY state)
	SELECT state, n FROM others UNION ALL
	SELECT state, (SELECT count(*) FROM jobs) - coalesce((SELECT sum(n) FROM others), 0) FROM most`

// Stats returns totals over everything, including jobs by state.
func (db *DB) Stats(ctx context.Context) (Stats, error) {
	out, err := db.Totals(ctx)
	if err != nil {
		return out, err
	}
	var jobs []struct {
		State string
		N     int64
	}
	if err := db.read.SelectContext(ctx, &jobs, jobsByState); err != nil {
		return out, fmt.Errorf("count jobs: %w", translate(err))
	}
	for _, j := range jobs {
		out.Jobs[j.State] = j.N
	}
	return out, nil
}

// Totals returns Stats without the jobs.
func (db *DB) Totals(ctx context.Context) (Stats, error) {
	out := Stats{Jobs: map[string]int64{}}
	var kinds []struct {
		Kind                Kind
		Docs, Tokens, Bytes int64
	}
	if err := db.read.SelectContext(ctx, &kinds,
		`SELECT kind, sum(docs) AS docs, sum(tokens) AS tokens, sum(bytes) AS bytes FROM totals GROUP BY kind`); err != nil {
		return out, fmt.Errorf("read totals: %w", translate(err))
	}
	for _, k := range kinds {
		out.countKind(k.Kind, k.Docs)
		out.Tokens += k.Tokens
		out.Text += k.Bytes
	}
	// The index is named explicitly: without statistics, SQLite would scan all documents.
	const counts = `SELECT (SELECT count(*) FROM projects), (SELECT count(*) FROM sessions),
		(SELECT count(*) FROM docs INDEXED BY docs_answers WHERE kind = 'prompt' AND role = 'assistant'),
		(SELECT count(*) FROM ledger WHERE kind = 'redaction')`
	if err := db.read.QueryRowxContext(ctx, counts).Scan(&out.Projects, &out.Sessions, &out.Answers,
		&out.Redactions); err != nil {
		return out, fmt.Errorf("count sessions: %w", translate(err))
	}
	if err := db.countSendings(ctx, &out); err != nil {
		return out, err
	}
	out.Prompts -= out.Answers // one kind contains both
	for _, name := range []string{db.path, db.path + "-wal"} {
		if st, err := os.Stat(name); err == nil {
			out.Bytes += st.Size()
		}
	}
	return out, nil
}

func (db *DB) countSendings(ctx context.Context, out *Stats) error {
	var hosts []struct {
		Host string
		N    int64
	}
	if err := db.read.SelectContext(ctx, &hosts,
		`SELECT host, count(*) AS n FROM ledger WHERE kind = 'egress' GROUP BY host`); err != nil {
		return fmt.Errorf("count requests to models: %w", translate(err))
	}
	for _, h := range hosts {
		out.Asked += h.N
		if Left(h.Host) {
			out.Left += h.N
		}
	}
	return nil
}

// Left reports whether a host in the ledger is another machine. Anything that is not an address counts as one.
func Left(host string) bool {
	at, err := netip.ParseAddrPort(host)
	return err != nil || !at.Addr().Unmap().IsLoopback()
}

func (s *Stats) countKind(k Kind, n int64) {
	switch k {
	case KindPrompt:
		s.Prompts = n
	case KindObservation:
		s.Observations = n
	case KindSummary:
		s.Summaries = n
	case KindMemory:
		s.Memories = n
	case KindCommit:
		s.Commits = n
	}
}

// Projects lists the known projects, most recently used first.
func (db *DB) Projects(ctx context.Context) ([]ProjectRow, error) {
	var rows []ProjectRow
	err := db.read.SelectContext(ctx, &rows,
		`SELECT p.id, p.name, p.created, coalesce((SELECT sum(docs) FROM totals t WHERE t.project_id = p.id), 0) AS docs,
		coalesce((SELECT max(last) FROM sessions s WHERE s.project_id = p.id), p.created) AS last FROM projects p
		ORDER BY last DESC, p.id`)
	if err != nil {
		return nil, fmt.Errorf("list projects: %w", translate(err))
	}
	var aliases []struct {
		Kind    AliasKind
		Value   string
		Project int64 `db:"project_id"`
	}
	if err := db.read.SelectContext(ctx, &aliases,
		`SELECT kind, value, project_id FROM project_aliases ORDER BY kind, value`); err != nil {
		return nil, fmt.Errorf("list projects: %w", translate(err))
	}
	for i := range rows {
		for _, a := range aliases {
			if a.Project == rows[i].ID {
				rows[i].Aliases = append(rows[i].Aliases, AliasRow{a.Kind, a.Value})
			}
		}
	}
	return rows, nil
}
