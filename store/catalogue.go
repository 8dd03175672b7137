package store

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"keepmum/privacy"
)

// SyncState is the state of a session in the sync queue.
type SyncState string

// A failed session is retried after a while. A dead letter is not retried and holds up no other session.
const (
	SyncPending SyncState = "pending"
	SyncRunning SyncState = "running"
	SyncDone    SyncState = "done"
	SyncFailed  SyncState = "failed"
	SyncDead    SyncState = "dead_letter"
	SyncSkipped SyncState = "skipped"
)

// CatalogueEntry is a session that was found and read.
type CatalogueEntry struct {
	Key, Agent, Native privacy.Clean // Key is a keyed hash of the other two
	Parent, Path       privacy.Clean
	Branch, Title      privacy.Clean
	Project            Project
	ProjectID          int64 // if already known; 0 = determined from Project
	Mark               Mark
	Counts             Counts
	Started, Ended     time.Time
	Hash               privacy.Clean // of the messages as stored
}

// Mark records how much of a session was read: the file or database, its size and time, and the position where reading
// stopped.
type Mark struct {
	Source     privacy.Clean // keyed hash of the path
	Size       int64
	Modified   int64 // unix ns
	Pos, Lines int64
	Head       privacy.Clean
	HeadLen    int64
	Copied     bool
}

// Counts is the number of items of each kind in a session.
type Counts struct {
	Prompts, Answers, Tools, Steps int
	Broken                         int64 // lines that could not be read
}

// CatalogueRow is a stored session of the catalogue.
type CatalogueRow struct {
	ID                 int64
	Key, Agent, Native string
	Parent, Path       string
	Project            int64  `db:"project_id"`
	ProjectName        string `db:"project_name"`
	Branch, Title      string
	Source             string
	Size               int64
	Modified           int64 // unix ns
	Pos, Lines         int64
	Head               string
	HeadLen            int64 `db:"head_len"`
	Copied             bool
	Hash               string
	Started, Ended     int64 // unix ms
	Prompts, Answers   int
	Tools, Steps       int
	Broken             int64
	Extracted          int // steps already searched for memories
	State              SyncState
	Attempts           int
	NotBefore          int64 `db:"not_before"` // unix ms
	Lease              string
	LeaseUntil         int64 `db:"lease_until"` // unix ms
	Error, Run         string
	Created, Updated   int64 // unix ms
}

const catalogueColumns = `c.id, c.key, c.agent, c.native, c.parent, c.path, c.project_id,
	coalesce(p.name, '') AS project_name, c.branch, c.title, c.source, c.size, c.modified, c.pos, c.lines, c.head,
	c.head_len, c.copied, c.hash, c.started, c.ended, c.prompts, c.answers, c.tools, c.steps, c.broken, c.extracted,
	c.state, c.attempts, c.not_before, c.lease, c.lease_until, c.error, c.run, c.created, c.updated`

const catalogueFrom = ` FROM catalogue c LEFT JOIN projects p ON p.id = c.project_id`

// PutCatalogue stores a session that was read. New content makes it pending; if the hash is unchanged, only its mark is
// updated, and known is true. A forgotten session returns [ErrForgotten].
func (db *DB) PutCatalogue(ctx context.Context, in CatalogueEntry) (CatalogueRow, bool, error) {
	var row CatalogueRow
	known := false
	err := db.writer.do(ctx, func(s *txState) error {
		key := sessionKey{in.Agent.String(), in.Native.String()}
		if err := s.buried(in.Ended.UnixMilli(), func() string { return s.sessionTombstone(key) }); err != nil {
			return err
		}
		project, err := s.projectOf(in)
		if err != nil {
			return err
		}
		var hash string
		found, err := s.get(&hash, `SELECT hash FROM catalogue WHERE key = ?`, in.Key)
		if err != nil {
			return err
		}
		known = found && hash == in.Hash.String()
		if err := s.catalogue(in, project, known); err != nil {
			return err
		}
		_, err = s.get(&row, `SELECT `+catalogueColumns+catalogueFrom+` WHERE c.key = ?`, in.Key)
		return err
	})
	if err != nil {
		return CatalogueRow{}, false, fmt.Errorf("catalogue a session: %w", err)
	}
	return row, known, nil
}

// projectOf returns the project of a session: the known one, otherwise the one of its directory, otherwise none.
func (s *txState) projectOf(in CatalogueEntry) (int64, error) {
	if in.ProjectID != 0 || len(in.Project.aliases()) == 0 {
		return in.ProjectID, nil
	}
	return s.project(in.Project)
}

// catalogue writes a row. A running session stays with its run: what that misses is found when it ends.
func (s *txState) catalogue(in CatalogueEntry, project int64, known bool) error {
	m, c := in.Mark, in.Counts
	if err := s.withoutTexts(&in.Title, &in.Branch); err != nil {
		return err
	}
	const upsert = `INSERT INTO catalogue (key, agent, native, parent, path, project_id, branch, title, source, size,
		modified, pos, lines, head, head_len, copied, hash, started, ended, prompts, answers, tools, steps, broken, state,
		created, updated)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)
		ON CONFLICT (key) DO UPDATE SET parent = excluded.parent, path = excluded.path, project_id = excluded.project_id,
		branch = excluded.branch, title = iif(excluded.title = '', title, excluded.title), source = excluded.source,
		size = excluded.size, modified = excluded.modified, pos = excluded.pos, lines = excluded.lines, head = excluded.head,
			head_len = excluded.head_len, copied = excluded.copied, hash = excluded.hash, started = excluded.started,
			ended = excluded.ended, prompts = excluded.prompts, answers = excluded.answers, tools = excluded.tools,
			steps = excluded.steps, broken = excluded.broken, updated = excluded.updated`
	err := s.exec(upsert, in.Key, in.Agent, in.Native, in.Parent, in.Path, project, in.Branch, in.Title, m.Source, m.Size,
		m.Modified, m.Pos, m.Lines, m.Head, m.HeadLen, m.Copied, in.Hash, in.Started.UnixMilli(), in.Ended.UnixMilli(),
		c.Prompts, c.Answers, c.Tools, c.Steps, c.Broken,
		s.now, s.now)
	if err != nil || known {
		return err
	}
	return s.exec(`UPDATE catalogue SET state = 'pending', attempts = 0, not_before = 0, error = '' WHERE key = ?
		AND state <> 'running'`, in.Key)
}

// Catalogue returns every known session, by key.
func (db *DB) Catalogue(ctx context.Context) (map[string]CatalogueRow, error) {
	var rows []CatalogueRow
	if err := db.read.SelectContext(ctx, &rows, `SELECT `+catalogueColumns+catalogueFrom); err != nil {
		return nil, fmt.Errorf("read the catalogue: %w", translate(err))
	}
	out := make(map[string]CatalogueRow, len(rows))
	for _, r := range rows {
		out[r.Key] = r
	}
	return out, nil
}

// ForgottenAt returns when a session was forgotten, or zero. What it said before that time stays forgotten.
func (db *DB) ForgottenAt(ctx context.Context, agent, native privacy.Clean) (time.Time, error) {
	var at int64
	err := db.writer.do(ctx, func(s *txState) error {
		if !s.anyForgotten {
			return nil
		}
		_, err := s.get(&at, `SELECT at FROM tombstones WHERE mac = ?`,
			s.sessionTombstone(sessionKey{agent.String(), native.String()}))
		return err
	})
	if err != nil || at == 0 {
		return time.Time{}, err
	}
	return time.UnixMilli(at), nil
}

// Said is a prompt or an answer of a session.
type Said struct {
	Role Role
	Text privacy.Clean
	At   time.Time
	Mark string // [DB.SaidMark] of the whole message, if the text is only its beginning
}

// SaidMark returns the keyed hash by which a message of a session is recognised once it was forgotten.
func (db *DB) SaidMark(agent, native privacy.Clean, role Role, text privacy.Clean) string {
	return db.docTombstone(sessionKey{agent.String(), native.String()},
		&docRow{Kind: KindPrompt, Role: string(role), Body: ptr(text.String())})
}

// Forgotten reports, for each message of a session, whether it has been forgotten since.
func (db *DB) Forgotten(ctx context.Context, agent, native privacy.Clean, said []Said) ([]bool, error) {
	out := make([]bool, len(said))
	err := db.writer.do(ctx, func(s *txState) error {
		if !s.anyForgotten {
			return nil
		}
		for i, t := range said {
			var n int
			if _, err := s.get(&n, `SELECT count(*) FROM tombstones WHERE mac = ? AND at >= ?`,
				cmp.Or(t.Mark, db.SaidMark(agent, native, t.Role, t.Text)), t.At.UnixMilli()); err != nil {
				return err
			}
			out[i] = n > 0
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for what was forgotten: %w", err)
	}
	return out, nil
}

// Database is a file with many sessions, as it was when all of them had been read.
type Database struct {
	Key            string
	Size, Modified int64
}

// Databases returns the databases that were read to the end, by key.
func (db *DB) Databases(ctx context.Context) (map[string]Database, error) {
	var rows []Database
	if err := db.read.SelectContext(ctx, &rows, `SELECT key, size, modified FROM catalogue_databases`); err != nil {
		return nil, fmt.Errorf("read the catalogue: %w", translate(err))
	}
	out := make(map[string]Database, len(rows))
	for _, r := range rows {
		out[r.Key] = r
	}
	return out, nil
}

// PutDatabase records that all sessions of a database were read.
func (db *DB) PutDatabase(ctx context.Context, key privacy.Clean, size, modified int64) error {
	return db.writer.do(ctx, func(s *txState) error {
		return s.exec(`INSERT INTO catalogue_databases (key, size, modified) VALUES (?, ?, ?)
			ON CONFLICT DO UPDATE SET size = excluded.size, modified = excluded.modified`, key, size, modified)
	})
}
