package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"keepmum/privacy"
)

// TeamID names a team or an item of it.
type TeamID [16]byte

// IsZero says that it names nothing.
func (id TeamID) IsZero() bool { return id == TeamID{} }

func (id TeamID) blob() []byte {
	if id.IsZero() {
		return []byte{}
	}
	return id[:]
}

// TeamState is what is to be done about an item.
type TeamState string

// The states.
const (
	TeamSame     TeamState = "same"     // here as there
	TeamOut      TeamState = "out"      // waits to be sent
	TeamHeld     TeamState = "held"     // the egress gate holds it back
	TeamForget   TeamState = "forget"   // its tombstone waits to be sent
	TeamGone     TeamState = "gone"     // forgotten everywhere
	TeamUnwanted TeamState = "unwanted" // somebody else's, and not wanted here
)

// Team is the membership of this machine.
type Team struct {
	ID                               TeamID
	Name, DSN, Host, Member, Machine privacy.Clean
	Key                              []byte
}

// TeamRow is a membership as it is kept.
type TeamRow struct {
	ID                               TeamID `db:"-"`
	Blob                             []byte `db:"team_id"`
	Name, DSN, Host, Member, Machine string
	Key                              []byte
	Joined                           int64 // unix ms
	Clock                            int64
	Synced                           int64 // unix ms; 0 = never
}

// TeamProject is a project that is shared.
type TeamProject struct {
	Key     string `db:"project_key"`
	Project int64  `db:"project_id"`
	Since   int64  // unix ms; 0 = all
	XID     int64  `db:"mark_xid"`
	Seq     int64  `db:"mark_seq"`
	Pulled  int64  // unix ms
}

// TeamItem is what is known about an item that is shared, or waits to be.
type TeamItem struct {
	ID         TeamID
	Kind       string
	Author     string
	Machine    string
	HLC, Base  int64
	Ref, Hash  []byte
	Coming     []byte // keyed hash of the words that are being put at Ref; empty = all is settled
	State      TeamState
	Why        string        // as it was kept
	Held       privacy.Clean // the rules that hold it back, to be kept
	Graves     []string
	ConflictOf TeamID
	Receipt    bool
}

// TeamNew is an item that was not known before.
type TeamNew struct {
	TeamItem
	Project, Kind, Author, Machine privacy.Clean
}

// JoinTeam keeps a membership in place of an earlier one of the same team.
func (db *DB) JoinTeam(ctx context.Context, t Team) error {
	return db.writer.do(ctx, func(s *txState) error {
		return s.exec(`INSERT INTO team (one, team_id, name, dsn, host, member, machine, key, joined)
			VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET dsn = excluded.dsn, host = excluded.host,
			member = excluded.member, machine = excluded.machine, key = excluded.key`, t.ID.blob(), t.Name, t.DSN, t.Host,
			t.Member, t.Machine, t.Key, s.now)
	})
}

// Team returns the membership; false when there is none.
func (db *DB) Team(ctx context.Context) (TeamRow, bool, error) {
	var t TeamRow
	err := db.read.GetContext(ctx, &t, `SELECT team_id, name, dsn, host, member, machine, key, joined, clock,
		synced FROM team`)
	if errors.Is(err, sql.ErrNoRows) {
		return t, false, nil
	}
	copy(t.ID[:], t.Blob)
	return t, err == nil, translate(err)
}

// TeamSynced notes a sync that went through.
func (db *DB) TeamSynced(ctx context.Context) error {
	return db.writer.do(ctx, func(s *txState) error { return s.exec(`UPDATE team SET synced = ?`, s.now) })
}

// LeaveTeam drops the membership and everything that is known about what was shared.
func (db *DB) LeaveTeam(ctx context.Context) error {
	return db.writer.do(ctx, func(s *txState) error {
		return errors.Join(s.exec(`DELETE FROM team_items`), s.exec(`DELETE FROM team_projects`),
			s.exec(`DELETE FROM team_muted`), s.exec(`DELETE FROM team`))
	})
}

// ShareProject opts a project in, under a key that the team knows it by.
func (db *DB) ShareProject(ctx context.Context, key privacy.Clean, project int64, since time.Time) error {
	from := int64(0)
	if !since.IsZero() {
		from = since.UnixMilli()
	}
	return db.writer.do(ctx, func(s *txState) error {
		return s.exec(`INSERT INTO team_projects (project_key, project_id, since) VALUES (?, ?, ?)
			ON CONFLICT DO UPDATE SET project_id = excluded.project_id, since = excluded.since`, key, project, from)
	})
}

// UnshareProject opts it out: nothing is sent or read any more.
func (db *DB) UnshareProject(ctx context.Context, key string) error {
	return db.writer.do(ctx, func(s *txState) error {
		return errors.Join(s.exec(`DELETE FROM team_items WHERE project_key = ?`, key),
			s.exec(`DELETE FROM team_projects WHERE project_key = ?`, key))
	})
}

// TeamProjects lists the projects that are shared.
func (db *DB) TeamProjects(ctx context.Context) ([]TeamProject, error) {
	var rows []TeamProject
	err := db.read.SelectContext(ctx, &rows, `SELECT project_key, project_id, since, mark_xid, mark_seq, pulled
		FROM team_projects ORDER BY project_key`)
	return rows, translate(err)
}

type teamItemRow struct {
	ID          []byte `db:"item_id"`
	Kind        string
	Author      string
	Machine     string
	HLC, Base   int64
	Ref, Hash   []byte
	Coming      []byte
	State       TeamState
	Why, Graves string
	ConflictOf  []byte `db:"conflict_of"`
	Receipt     bool
}

func (r teamItemRow) item() TeamItem {
	it := TeamItem{Kind: r.Kind, Author: r.Author, Machine: r.Machine, HLC: r.HLC, Base: r.Base,
		Ref: r.Ref, Hash: r.Hash, Coming: r.Coming, State: r.State, Why: r.Why, Receipt: r.Receipt}
	copy(it.ID[:], r.ID)
	copy(it.ConflictOf[:], r.ConflictOf)
	_ = json.Unmarshal([]byte(r.Graves), &it.Graves) // written here only
	return it
}

// TeamItems lists what is known about the items of a project.
func (db *DB) TeamItems(ctx context.Context, key string) ([]TeamItem, error) {
	var rows []teamItemRow
	err := db.read.SelectContext(ctx, &rows, `SELECT item_id, kind, author, machine, hlc, base, ref, hash,
		coming, state, why, graves, conflict_of, receipt FROM team_items WHERE project_key = ?`, key)
	out := make([]TeamItem, len(rows))
	for i, r := range rows {
		out[i] = r.item()
	}
	return out, translate(err)
}

// TeamStep is a step of a sync that is kept as a whole.
type TeamStep struct {
	New   []TeamNew
	Items []TeamItem   // known ones that changed
	Drop  []TeamID     // no longer known
	Mark  *TeamProject // how far was read; nil = as before
	Clock int64        // the latest stamp
}

// KeepTeam keeps a step. An item whose tombstone waits is left alone, but by its own end.
func (db *DB) KeepTeam(ctx context.Context, step TeamStep) error {
	err := db.writer.do(ctx, func(s *txState) error {
		for _, id := range step.Drop {
			if err := s.exec(`DELETE FROM team_items WHERE item_id = ?`, id.blob()); err != nil {
				return err
			}
		}
		for _, it := range step.Items {
			if err := s.keepTeamItem(it); err != nil {
				return err
			}
		}
		for _, it := range step.New {
			if err := s.exec(`INSERT INTO team_items (item_id, project_key, kind, author, machine, hlc, base, ref, hash, state)
				VALUES (?, ?, ?, ?, ?, 0, 0, x'', x'', 'same') ON CONFLICT DO NOTHING`, it.ID.blob(), it.Project, it.Kind,
				it.Author, it.Machine); err != nil {
				return err
			}
			if err := s.keepTeamItem(it.TeamItem); err != nil {
				return err
			}
		}
		if m := step.Mark; m != nil {
			if err := s.exec(`UPDATE team_projects SET mark_xid = ?, mark_seq = ?, pulled = ? WHERE project_key = ?`, m.XID,
				m.Seq, m.Pulled, m.Key); err != nil {
				return err
			}
		}
		return s.exec(`UPDATE team SET clock = max(clock, ?)`, step.Clock)
	})
	if err != nil {
		return fmt.Errorf("keep a step of the team's sync: %w", err)
	}
	return nil
}

func (s *txState) keepTeamItem(it TeamItem) error {
	graves, _ := json.Marshal(it.Graves) // texts always encode
	if it.Graves == nil {
		graves = []byte("[]")
	}
	return s.exec(`UPDATE team_items SET hlc = ?, base = ?, ref = ?, hash = ?, coming = ?, state = ?, why = ?, graves = ?,
		conflict_of = ?, receipt = ? WHERE item_id = ? AND (state <> 'forget' OR ? = 'gone')`, it.HLC, it.Base,
		blob(it.Ref), blob(it.Hash), blob(it.Coming), it.State, it.Held, string(graves),
		it.ConflictOf.blob(), it.Receipt, it.ID.blob(), it.State)
}

func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// TeamForgotten is something that is forgotten here and may be shared.
type TeamForgotten struct {
	Ref    []byte // where it was kept
	ID     TeamID // of somebody else's, which is known by that
	Graves []string
}

// ForgetShared notes, before anything is removed, that tombstones are to be sent for
// what is one's own, and that somebody else's is not wanted here again.
func (db *DB) ForgetShared(ctx context.Context, list []TeamForgotten) error {
	return db.writer.do(ctx, func(s *txState) error {
		for _, f := range list {
			graves, _ := json.Marshal(f.Graves) // texts always encode
			if err := s.exec(`UPDATE team_items SET state = CASE WHEN author = (SELECT member FROM team) THEN 'forget'
				ELSE 'unwanted' END, graves = ?, ref = x'', hash = x'', coming = x'', why = '', conflict_of = x'',
				hlc = max(hlc + 1, ? << 16)
				WHERE state NOT IN ('gone', 'forget') AND (item_id = ? OR length(ref) > 0 AND ref = ?)`, string(graves),
				s.now, f.ID.blob(), f.Ref); err != nil {
				return err
			}
		}
		return nil
	})
}

// MuteAuthor keeps what somebody writes from being read here, or lets it in again: then
// everything is read again.
func (db *DB) MuteAuthor(ctx context.Context, author privacy.Clean, mute bool) error {
	return db.writer.do(ctx, func(s *txState) error {
		if mute {
			return s.exec(`INSERT INTO team_muted (author) VALUES (?) ON CONFLICT DO NOTHING`, author)
		}
		return errors.Join(s.exec(`DELETE FROM team_muted WHERE author = ?`, author),
			s.exec(`UPDATE team_projects SET mark_xid = 0, mark_seq = 0`))
	})
}

// MutedAuthors lists whose items are not read here.
func (db *DB) MutedAuthors(ctx context.Context) ([]string, error) {
	var out []string
	err := db.read.SelectContext(ctx, &out, `SELECT author FROM team_muted ORDER BY author`)
	return out, translate(err)
}

// TeamCounts says how many items of each state there are.
func (db *DB) TeamCounts(ctx context.Context) (map[TeamState]int, error) {
	var rows []struct {
		State TeamState
		N     int
	}
	err := db.read.SelectContext(ctx, &rows, `SELECT state, count(*) AS n FROM team_items GROUP BY state`)
	out := map[TeamState]int{}
	for _, r := range rows {
		out[r.State] = r.N
	}
	return out, translate(err)
}

// MAC is a keyed hash of this installation: nobody can tell from it what it is of.
func (db *DB) MAC(parts ...string) []byte { return []byte(db.mac(parts...))[:32] }

// TeamDoc is a note or the summary of a session that may be shared.
type TeamDoc struct {
	ID, At      int64
	Kind        Kind
	Role        string // the type of a note
	Title, Text string
}

// TeamDocs lists the decisions and findings that were noted in a project, and what its sessions came to.
func (db *DB) TeamDocs(ctx context.Context, project int64) ([]TeamDoc, error) {
	var rows []TeamDoc
	err := db.read.SelectContext(ctx, &rows, `SELECT d.id, d.at, d.kind, coalesce(d.role, '') AS role,
		coalesce(d.title, '') AS title, coalesce(d.body, '') AS text FROM docs d WHERE d.kind = 'note'
		AND d.project_id = ?1 AND d.role IN ('decision', 'finding')
		UNION ALL SELECT d.id, d.at, d.kind, '', coalesce(d.title, ''), coalesce(d.body, '') FROM summaries m
		CROSS JOIN docs d ON d.id = m.doc_id WHERE m.scope = 'session' AND d.project_id = ?1 ORDER BY 1`, project)
	return rows, translate(err)
}
