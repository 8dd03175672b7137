package team

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Receipt says for a forgotten item which machines have confirmed that their copy is gone, and which have not.
type Receipt struct {
	Project   string    `json:"project"`
	Item      string    `json:"item"`
	Author    string    `json:"author"`
	At        time.Time `json:"at"`
	Ended     bool      `json:"ended,omitempty"` // expired or withdrawn: its author keeps it
	Confirmed []string  `json:"confirmed"`       // member/machine
	Machines  []string  `json:"machines"`        // member/machine that have not confirmed yet
}

// oneLine quotes names that a member made by hand to write more than a name.
func oneLine(names []string) {
	for i, n := range names {
		if strings.ContainsFunc(n, unicode.IsControl) {
			names[i] = strconv.Quote(n)
		}
	}
}

// Overview is what the shared place knows about the team.
type Overview struct {
	Members []Member
	Pending []Receipt
}

// maxReceipts is how many forgotten items are read, newest first.
const maxReceipts = 100

// Overview asks the shared place.
func (s *Syncer) Overview(ctx context.Context) (Overview, error) {
	out := Overview{Members: []Member{}, Pending: []Receipt{}}
	err := s.reading(ctx, func(r *remote) (err error) {
		if out.Members, err = r.c.members(ctx, r.team); err != nil {
			return err
		}
		out.Pending, err = r.receipts(ctx, "", true)
		return err
	})
	return out, err
}

// Receipts lists what was forgotten in a project, "" = in all, newest first.
func (s *Syncer) Receipts(ctx context.Context, project string) (out []Receipt, err error) {
	err = s.reading(ctx, func(r *remote) error {
		out, err = r.receipts(ctx, project, false)
		return err
	})
	return out, err
}

func (r *remote) receipts(ctx context.Context, project string, pending bool) ([]Receipt, error) {
	rows, err := r.c.query(ctx, `SELECT * FROM (SELECT i.project_key, i.item_id, i.author, i.hlc,
			coalesce(i.conflict_of = i.item_id, false) AS ended,
			coalesce((SELECT json_agg(x.member || '/' || x.machine ORDER BY x.at) FROM mum.receipts x WHERE x.team_id = i.team_id
				AND x.project_key = i.project_key AND x.item_id = i.item_id), '[]') AS confirmed,
			(SELECT json_agg(d.member || '/' || d.machine ORDER BY 1) FROM mum.readers d JOIN mum.machines m
				ON m.team_id = d.team_id AND m.member = d.member AND m.machine = d.machine AND m.gone IS NULL
				WHERE d.team_id = i.team_id AND d.project_key = i.project_key AND NOT EXISTS (SELECT 1 FROM mum.receipts x
				WHERE x.team_id = i.team_id AND x.project_key = i.project_key AND x.item_id = i.item_id AND x.member = d.member
				AND x.machine = d.machine)) AS missing, i.xid, i.seq
		FROM mum.items i WHERE i.team_id = $1 AND i.deleted AND ($2 = '' OR i.project_key = $2)) f
		WHERE NOT $3::boolean OR missing IS NOT NULL ORDER BY xid DESC, seq DESC LIMIT $4`, r.team, project, pending,
		maxReceipts)
	out := []Receipt{}
	for _, row := range rows {
		e := Receipt{Project: row[0], Item: row[1], Author: row[2], At: StampTime(row.int(3)), Ended: row.bool(4),
			Machines: []string{}}
		if err := json.Unmarshal([]byte(row[5]), &e.Confirmed); err != nil {
			return nil, err
		}
		oneLine(e.Confirmed)
		if row[6] == "" { // all have confirmed
			out = append(out, e)
			continue
		}
		if err := json.Unmarshal([]byte(row[6]), &e.Machines); err != nil {
			return nil, err
		}
		oneLine(e.Machines)
		out = append(out, e)
	}
	return out, err
}
