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

// TeamID identifies a team or one of its items.
type TeamID [16]byte

// IsZero reports whether the id is unset.
func (id TeamID) IsZero() bool { return id == TeamID{} }

func (id TeamID) blob() []byte {
	if id.IsZero() {
		return []byte{}
	}
	return id[:]
}

// TeamState says what is to be done about an item.
type TeamState string

// The states.
const (
	TeamSame     TeamState = "same"     // the same here and in the team's folder
	TeamOut      TeamState = "out"      // waiting to be sent
	TeamHeld     TeamState = "held"     // held back by the egress gate
	TeamForget   TeamState = "forget"   // its tombstone is waiting to be sent
	TeamGone     TeamState = "gone"     // forgotten everywhere
	TeamUnwanted TeamState = "unwanted" // written by someone else and rejected here
)

// Team is the membership of this machine.
type Team struct {
	ID                               TeamID
	Name, DSN, Host, Member, Machine privacy.Clean
	Key                              []byte
}

// TeamRow is a stored membership.
type TeamRow struct {
	ID                               TeamID `db:"-"`
	Blob                             []byte `db:"team_id"`
	Name, DSN, Host, Member, Machine string
	Key                              []byte
	Joined                           int64 // unix ms
	Clock                            int64
	Synced                           int64 // unix ms; 0 = never
}

// TeamProject is a shared project.
type TeamProject struct {
	Key     string `db:"project_key"`
	Project int64  `db:"project_id"`
	Since   int64  // unix ms; 0 = all
	XID     int64  `db:"mark_xid"`
	Seq     int64  `db:"mark_seq"`
	Pulled  int64  // unix ms
}

// TeamItem is what is known about an item that is shared, or waiting to be.
type TeamItem struct {
	ID         TeamID
	Kind       string
	Author     string
	Machine    string
	HLC, Base  int64
	Ref, Hash  []byte
	Coming     []byte // keyed hash of the text being written to Ref; empty = nothing pending
	State      TeamState
	Why        string        // as stored
	Held       privacy.Clean // the rules that hold it back, to be stored
	Graves     []string
	ConflictOf TeamID
	Receipt    bool
}

// TeamNew is an item that was not known before.
type TeamNew struct {
	TeamItem
	Project, Kind, Author, Machine privacy.Clean
}

// JoinTeam stores a membership, replacing an earlier one in the same team.
func (db *DB) JoinTeam(ctx context.Context, t Team) error {
	return db.writer.do(ctx, func(s *txState) error {
		return s.exec(`INSERT INTO team (one, team_id, name, dsn, host, member, machine, key, joined)
			VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET dsn = excluded.dsn, host = excluded.host,
			member = excluded.member, machine = excluded.machine, key = excluded.key`, t.ID.blob(), t.Name, t.DSN, t.Host,
			t.Member, t.Machine, t.Key, s.now)
	})
}

// Team returns the membership, or false if there is none.
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

// TeamSynced records a successful sync.
func (db *DB) TeamSynced(ctx context.Context) error {
	return db.writer.do(ctx, func(s *txState) error { return s.exec(`UPDATE team SET synced = ?`, s.now) })
}

// LeaveTeam deletes the membership and everything known about what was shared.
func (db *DB) LeaveTeam(ctx context.Context) error {
	return db.writer.do(ctx, func(s *txState) error {
		return errors.Join(s.exec(`DELETE FROM team_items`), s.exec(`DELETE FROM team_projects`),
			s.exec(`DELETE FROM team_muted`), s.exec(`DELETE FROM team`))
	})
}

// ShareProject shares a project under a key that identifies it in the team.
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

// UnshareProject stops sharing it: nothing is sent or read any more.
func (db *DB) UnshareProject(ctx context.Context, key string) error {
	return db.writer.do(ctx, func(s *txState) error {
		return errors.Join(s.exec(`DELETE FROM team_items WHERE project_key = ?`, key),
			s.exec(`DELETE FROM team_projects WHERE project_key = ?`, key))
	})
}

// TeamProjects lists the shared projects.
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

// TeamStep is a step of a sync that is stored in one transaction.
type TeamStep struct {
	New   []TeamNew
	Items []TeamItem   // known items that changed
	Drop  []TeamID     // items to remove
	Mark  *TeamProject // how far the project was read; nil = unchanged
	Clock int64        // the latest stamp
}

// KeepTeam stores a step. An item whose tombstone is waiting changes only when that has been sent.
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
	graves, _ := json.Marshal(it.Graves) // a list of texts always encodes
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

// TeamForgotten is something that was forgotten here and may be shared.
type TeamForgotten struct {
	Ref    []byte // where it was stored
	ID     TeamID // for someone else's item, which has an id
	Graves []string
}

// ForgetShared records, before anything is removed, that tombstones are to be sent for one's own items, and that
// someone else's items are not wanted here again.
func (db *DB) ForgetShared(ctx context.Context, list []TeamForgotten) error {
	return db.writer.do(ctx, func(s *txState) error {
		for _, f := range list {
			graves, _ := json.Marshal(f.Graves) // a list of texts always encodes
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

// MuteAuthor stops reading what someone writes, or reads it again from the start.
func (db *DB) MuteAuthor(ctx context.Context, author privacy.Clean, mute bool) error {
	return db.writer.do(ctx, func(s *txState) error {
		if mute {
			return s.exec(`INSERT INTO team_muted (author) VALUES (?) ON CONFLICT DO NOTHING`, author)
		}
		return errors.Join(s.exec(`DELETE FROM team_muted WHERE author = ?`, author),
			s.exec(`UPDATE team_projects SET mark_xid = 0, mark_seq = 0`))
	})
}

// MutedAuthors lists the authors whose items are not read here.
func (db *DB) MutedAuthors(ctx context.Context) ([]string, error) {
	var out []string
	err := db.read.SelectContext(ctx, &out, `SELECT author FROM team_muted ORDER BY author`)
	return out, translate(err)
}

// TeamCounts returns how many items are in each state.
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

// MAC is a keyed hash of this installation, which reveals nothing about its input.
func (db *DB) MAC(parts ...string) []byte { return []byte(db.mac(parts...))[:32] }

// TeamDoc is a note that may be shared.
type TeamDoc struct {
	ID, At int64
	Role   string // the type of the note
	Text   string
}

// TeamDocs lists the decisions and findings noted in a project. The summary of a session is not shared: it quotes
// prompts and answers, and names commands and files.
func (db *DB) TeamDocs(ctx context.Context, project int64) ([]TeamDoc, error) {
	var rows []TeamDoc
	err := db.read.SelectContext(ctx, &rows, `SELECT id, at, role, coalesce(body, '') AS text FROM docs
		WHERE kind = 'note' AND project_id = ? AND role IN ('decision', 'finding') ORDER BY 1`, project)
	return rows, translate(err)
}
