package team

import (
	"context"
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"time"

	"keepmum/store"
)

// remote is the shared place as seen by one member on one machine.
type remote struct {
	c       *conn
	team    string // uuid
	member  string
	machine string
	key     string
}

// identity is the member behind a role.
type identity struct {
	team, teamName, member, key string
}

// identify reads who the role is. It refuses roles that row-level security does not restrict.
func (c *conn) identify(ctx context.Context, now time.Time) (identity, error) {
	var id identity
	r, err := c.one(ctx, `SELECT r.rolsuper OR r.rolbypassrls, n.nspowner IS NOT NULL,
		coalesce(pg_has_role(session_user, n.nspowner, 'MEMBER'), false),
		floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, session_user
		FROM pg_roles r LEFT JOIN pg_namespace n ON n.nspname = 'mum' WHERE r.rolname = session_user`)
	switch {
	case err != nil:
		return id, err
	case r == nil:
		return id, fault("check the DSN", "the server does not know the role")
	case !r.bool(1):
		return id, fault("mum team init ADMIN-DSN", "that database has no team: the schema mum is missing")
	case r.bool(0), r.bool(2):
		return id, fault("mum team invite NAME --admin ADMIN-DSN makes a role of your own",
			"role %s is a superuser, bypasses row-level security or owns the schema: it cannot be a member", r[4])
	}
	if skew := now.Sub(time.UnixMilli(r.int(3))); skew.Abs() > MaxSkew {
		return id, fault("set the clock, then: mum team sync",
			"the clock of this machine differs from the database's by %d days",
			int(math.Round(skew.Hours()/24)))
	}
	if err := c.checkSchema(ctx); err != nil {
		return id, err
	}
	return c.membership(ctx)
}

func (c *conn) membership(ctx context.Context) (identity, error) {
	var id identity
	rows, err := c.query(ctx, `SELECT m.team_id, m.name, m.removed IS NOT NULL, coalesce(t.name, ''), coalesce(s.key, '')
		FROM mum.members m LEFT JOIN mum.teams t USING (team_id) LEFT JOIN mum.secrets s USING (team_id)
		WHERE m.role = session_user`)
	switch {
	case err != nil:
		return id, err
	case len(rows) == 0:
		return id, fault("mum team invite NAME --admin ADMIN-DSN", "the role is not a member of a team in that database")
	case rows[0].bool(2):
		return id, ErrRemoved
	case !isName(rows[0][1]), !isName(rows[0][3]), len(rows[0][4]) != 2*keyBytes:
		return id, fault("mum team init ADMIN-DSN", "the team in that database is damaged")
	}
	return identity{rows[0][0], rows[0][3], rows[0][1], rows[0][4]}, nil
}

// greet records that this machine is active.
func (r *remote) greet(ctx context.Context) error {
	return r.c.exec(ctx, `INSERT INTO mum.machines (team_id, member, machine) VALUES ($1, $2, $3)
		ON CONFLICT (team_id, member, machine) DO UPDATE SET seen = now(), gone = NULL`, r.team, r.member, r.machine)
}

// version is a version of an item to be sent.
type version struct {
	ID         string  `json:"item_id"`
	Kind       string  `json:"kind"`
	HLC        int64   `json:"hlc"`
	Base       int64   `json:"base"`
	Body       string  `json:"body"` // hex
	Key        string  `json:"key"`  // hex
	Terms      []int64 `json:"terms"`
	ConflictOf *string `json:"conflict_of"`
}

// pushBatch is how many versions go into one statement, which compares each with each.
const pushBatch = 250

// push stores versions whose base is the shared place's current version. It returns the ids of those that are there
// now. Calling it again with what was already stored is safe.
func (r *remote) push(ctx context.Context, project string, list []version) (stored map[string]bool, err error) {
	stored = map[string]bool{}
	err = r.c.tx(ctx, func() error {
		rows, err := r.c.query(ctx, `WITH input AS (
			SELECT * FROM json_to_recordset($5::json) AS x(item_id uuid, kind text, hlc bigint, base bigint, body text, key text,
				terms bigint[], conflict_of uuid)),
		put AS (INSERT INTO mum.items AS t (team_id, project_key, item_id, kind, author, machine, hlc, body, terms,
				conflict_of)
			SELECT $1, $2, item_id, kind, $3, $4, hlc, decode(body, 'hex'), terms, conflict_of FROM input
			ON CONFLICT (team_id, project_key, item_id) DO UPDATE SET machine = excluded.machine, hlc = excluded.hlc,
				body = excluded.body, terms = excluded.terms, conflict_of = excluded.conflict_of
			WHERE t.author = $3 AND NOT t.deleted AND t.hlc = (SELECT i.base FROM input i WHERE i.item_id = t.item_id)
			RETURNING t.item_id)
		INSERT INTO mum.keys AS k (team_id, project_key, item_id, author, key)
			SELECT $1, $2, item_id, $3, decode(key, 'hex') FROM input JOIN put USING (item_id)
			ON CONFLICT (team_id, project_key, item_id) DO UPDATE SET key = excluded.key
			RETURNING item_id`, r.team, project, r.member, r.machine, list)
		if err != nil {
			return err
		}
		for _, row := range rows {
			stored[row[0]] = true
		}
		if len(rows) == 0 {
			return nil
		}
		return errors.Join(r.tell(ctx), r.c.audit(ctx, r.team, r.machine, "push", project, int64(len(rows))))
	})
	if err != nil || len(stored) == len(list) {
		return stored, err
	}
	return stored, r.storedBefore(ctx, project, list, stored)
}

// storedBefore adds what the shared place has from an earlier attempt whose answer was lost.
func (r *remote) storedBefore(ctx context.Context, project string, list []version, stored map[string]bool) error {
	var ids []string
	want := map[string]int64{}
	for _, v := range list {
		if !stored[v.ID] {
			ids, want[v.ID] = append(ids, v.ID), v.HLC
		}
	}
	rows, err := r.c.query(ctx, `SELECT item_id, hlc FROM mum.items WHERE team_id = $1 AND project_key = $2
		AND item_id = ANY ($3::uuid[]) AND machine = $4 AND NOT deleted`, r.team, project, array(ids), r.machine)
	for _, row := range rows {
		if row.int(1) == want[row[0]] {
			stored[row[0]] = true
		}
	}
	return err
}

// array returns a PostgreSQL array of plain words.
func array(words []string) string { return "{" + strings.Join(words, ",") + "}" }

// tombstone blanks items permanently. Items that the shared place never had get a row that keeps them out. graves are
// the keyed hashes of what was forgotten, with the time (unix ms).
func (r *remote) tombstone(ctx context.Context, project string, list []version, graves map[string]int64) error {
	return r.c.tx(ctx, func() error {
		err := r.c.exec(ctx, `INSERT INTO mum.items AS t (team_id, project_key, item_id, kind, author, machine, hlc, deleted,
				conflict_of)
			SELECT $1, $2, item_id, kind, $3, $4, hlc, true, conflict_of
			FROM json_to_recordset($5::json) AS x(item_id uuid, kind text, hlc bigint, conflict_of uuid)
			ON CONFLICT (team_id, project_key, item_id) DO UPDATE SET deleted = true, body = NULL, terms = NULL,
				conflict_of = excluded.conflict_of, machine = excluded.machine, hlc = greatest(t.hlc + 1, excluded.hlc)
				WHERE NOT t.deleted`,
			r.team, project, r.member, r.machine, list)
		if err != nil {
			return err
		}
		err = r.c.exec(ctx, `INSERT INTO mum.graves AS g (team_id, project_key, author, mac, at)
			SELECT $1, $2, $3, key, value::bigint FROM json_each_text($4::json)
			ON CONFLICT (team_id, project_key, author, mac) DO UPDATE SET at = greatest(g.at, excluded.at)`, r.team, project,
			r.member, graves)
		if err != nil {
			return err
		}
		return errors.Join(r.tell(ctx), r.c.audit(ctx, r.team, r.machine, "forget", project, int64(len(list))))
	})
}

// graves returns the keyed hashes of what this member forgot in a project, with the time.
func (r *remote) graves(ctx context.Context, project string) (map[string]int64, error) {
	rows, err := r.c.query(ctx, `SELECT mac, at FROM mum.graves WHERE team_id = $1 AND project_key = $2 AND author = $3`,
		r.team, project, r.member)
	out := map[string]int64{}
	for _, row := range rows {
		out[row[0]] = row.int(1)
	}
	return out, err
}

// received is a version that was read.
type received struct {
	id              store.TeamID
	kind            string
	author, machine string
	hlc             int64
	body, key       []byte
	conflictOf      store.TeamID
	deleted         bool
	xid, seq        int64
}

// pullBatch is how many versions are read at once: 500 of the maximum size of 64 KiB would be 32 MiB, but most are much
// smaller.
const pullBatch = 500

// pull reads what was committed after a mark, in order of commit. Rows above a transaction that is still open wait for
// the next time.
func (r *remote) pull(ctx context.Context, project string, xid, seq int64) ([]received, error) {
	rows, err := r.c.query(ctx, `SELECT i.item_id, i.kind, i.author, i.machine, i.hlc, encode(i.body, 'hex'),
		encode(k.key, 'hex'), i.conflict_of, i.deleted, i.xid, i.seq
		FROM (SELECT * FROM mum.items WHERE team_id = $1 AND project_key = $2 AND (xid, seq) > ($3::bigint, $4::bigint)
			AND xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint ORDER BY xid, seq LIMIT $5) i
		LEFT JOIN mum.keys k ON k.team_id = i.team_id AND k.project_key = i.project_key AND k.item_id = i.item_id
		ORDER BY i.xid, i.seq`, r.team, project, xid, seq, pullBatch)
	out := make([]received, len(rows))
	for i, row := range rows {
		body, err1 := hex.DecodeString(row[5])
		key, err2 := hex.DecodeString(row[6])
		if err1 != nil || err2 != nil { // PostgreSQL's own encoding
			body = nil
		}
		out[i] = received{parseID(row[0]), row[1], row[2], row[3], row.int(4), body, key, parseID(row[7]), row.bool(8),
			row.int(9), row.int(10)}
	}
	return out, err
}

// wentBack reports whether the database is older than the mark, because it was restored.
func (r *remote) wentBack(ctx context.Context, xid int64) (bool, error) {
	row, err := r.c.one(ctx, `SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint <= $1::bigint`, xid)
	return err == nil && row.bool(0), err
}

// confirm confirms that copies are gone here.
func (r *remote) confirm(ctx context.Context, project string, ids []string) error {
	return r.c.exec(ctx, `INSERT INTO mum.receipts (team_id, project_key, item_id, member, machine)
		SELECT $1, $2, id, $3, $4 FROM unnest($5::uuid[]) id ON CONFLICT DO NOTHING`, r.team, project, r.member, r.machine,
		array(ids))
}

// share shares a project with the team, and records that this machine reads it.
func (r *remote) share(ctx context.Context, project string) error {
	return r.c.tx(ctx, func() error {
		if err := r.c.exec(ctx, `INSERT INTO mum.projects (team_id, project_key, added_by) VALUES ($1, $2, $3)
			ON CONFLICT DO NOTHING`, r.team, project, r.member); err != nil {
			return err
		}
		if err := r.c.exec(ctx, `INSERT INTO mum.readers (team_id, project_key, member, machine) VALUES ($1, $2, $3, $4)
			ON CONFLICT DO NOTHING`, r.team, project, r.member, r.machine); err != nil {
			return err
		}
		return r.c.audit(ctx, r.team, r.machine, "share", project, 1)
	})
}

// unshare records that this machine no longer reads a project.
func (r *remote) unshare(ctx context.Context, project string) error {
	return r.c.tx(ctx, func() error {
		if err := r.c.exec(ctx, `DELETE FROM mum.readers WHERE team_id = $1 AND project_key = $2 AND member = $3
			AND machine = $4`, r.team, project, r.member, r.machine); err != nil {
			return err
		}
		return r.c.audit(ctx, r.team, r.machine, "unshare", project, 1)
	})
}

// expire removes what the retention of the team's projects no longer covers. The database checks every six hours.
func (r *remote) expire(ctx context.Context) error { return r.c.exec(ctx, `SELECT mum.expire()`) }

// channel is the channel on which the members of a team are notified of changes.
func channel(team string) string { return "mum_" + team }

// tell notifies the listening machines when the transaction commits. Only the sender recognises the payload as its own.
func (r *remote) tell(ctx context.Context) error {
	return r.c.exec(ctx, `SELECT pg_notify($1, $2)`, channel(r.team), r.senderID())
}

func (r *remote) senderID() string {
	return hex.EncodeToString(mac(r.key, "voice", r.member, r.machine)[:8])
}
