package team

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"keepmum/privacy"
	"keepmum/store"
)

// Joined is the result of joining.
type Joined struct {
	Team, Member, Machine, Host string
}

// Join makes this machine one of a member's. The password of the DSN must be where libpq finds it.
func (s *Syncer) Join(ctx context.Context, text, machine string) (Joined, error) {
	if err := CheckName("machine", machine); err != nil {
		return Joined{}, err
	}
	dsn, err := ParseDSN(text)
	if err != nil {
		return Joined{}, err
	}
	if kept := s.word(dsn.String()); kept.String() != dsn.String() {
		return Joined{}, fault("rename the role, the host or the database",
			"the DSN seems to contain a secret besides the password, so it is not stored")
	}
	old, joined, err := s.o.DB.Team(ctx)
	if err != nil {
		return Joined{}, err
	}
	c, err := connect(ctx, dsn)
	if err != nil {
		return Joined{}, err
	}
	defer c.close()
	id, err := c.identify(ctx, s.o.Now())
	if errors.Is(err, error(ErrRemoved)) {
		return Joined{}, &Error{"this member was removed from the team",
			"mum team invite ANOTHER-NAME --admin ADMIN-DSN", err}
	}
	if err != nil {
		return Joined{}, err
	}
	if joined && (idText(old.ID) != id.team || old.Member != id.member) {
		return Joined{}, fault("mum team leave, then: mum team join DSN", "this machine is already in the team %s, as %s/%s",
			old.Name, old.Member, old.Machine)
	}
	r := &remote{c, id.team, id.member, machine, id.key}
	if err := s.enter(ctx, r, joined, old.Machine); err != nil {
		return Joined{}, err
	}
	err = s.o.DB.JoinTeam(ctx, store.Team{ID: parseID(id.team), Name: s.word(id.teamName), DSN: s.word(dsn.String()),
		Host: s.word(dsn.Host()), Member: s.word(id.member), Machine: s.word(machine), Key: []byte(id.key)})
	if err != nil {
		return Joined{}, err
	}
	return Joined{id.teamName, id.member, machine, dsn.Host()}, c.audit(ctx, id.team, machine, "join", "", 1)
}

// enter makes a machine known to the team, under a new name if it had another one.
func (s *Syncer) enter(ctx context.Context, r *remote, joined bool, old string) error {
	isNew := !joined || old != r.machine
	if isNew {
		if err := r.free(ctx); err != nil {
			return err
		}
		if err := r.unread(ctx); err != nil {
			return err
		}
	}
	if err := r.greet(ctx); err != nil || !isNew || !joined {
		return err
	}
	return s.rename(ctx, r, old)
}

// rename lets a machine with a new name read what it reads, and strikes the old name.
func (s *Syncer) rename(ctx context.Context, r *remote, old string) error {
	projects, err := s.o.DB.TeamProjects(ctx)
	for _, p := range projects {
		err = errors.Join(err, r.share(ctx, p.Key))
	}
	if err != nil {
		return err
	}
	return (&remote{r.c, r.team, r.member, old, r.key}).depart(ctx)
}

// depart records that this machine has left: nobody waits for its receipts, and its name is free. What it reads stays
// recorded: if it could not leave after all, it syncs again, and owes its receipts.
func (r *remote) depart(ctx context.Context) error {
	return errors.Join(r.c.exec(ctx, `UPDATE mum.machines SET gone = now() WHERE team_id = $1 AND member = $2
		AND machine = $3`, r.team, r.member, r.machine), r.c.audit(ctx, r.team, r.machine, "leave", "", 1))
}

// unread removes what a machine of this name read that is gone.
func (r *remote) unread(ctx context.Context) error {
	return r.c.exec(ctx, `DELETE FROM mum.readers WHERE team_id = $1 AND member = $2 AND machine = $3`, r.team, r.member,
		r.machine)
}

// free returns an error if another machine already has this machine's name.
func (r *remote) free(ctx context.Context) error {
	row, err := r.c.one(ctx, `SELECT 1 FROM mum.machines WHERE team_id = $1 AND member = $2 AND machine = $3
		AND gone IS NULL`, r.team, r.member, r.machine)
	if err == nil && row != nil {
		name := r.member + "/" + r.machine
		return fault("mum team join DSN --as NAME; if it is lost, or was this one, the administrator: mum team remove "+name+
			" --admin DSN", "%s already has a machine named %s", r.member, r.machine)
	}
	return err
}

// with connects as the member that joined, and calls f.
func (s *Syncer) with(ctx context.Context, f func(store.TeamRow, *remote) error) error {
	return s.by(ctx, s.open, f)
}

// reading does the same for a caller that only reads.
func (s *Syncer) reading(ctx context.Context, f func(*remote) error) error {
	return s.by(ctx, s.dial, func(_ store.TeamRow, r *remote) error { return f(r) })
}

func (s *Syncer) by(ctx context.Context, open func(context.Context, store.TeamRow) (*remote, error),
	f func(store.TeamRow, *remote) error) error {
	t, ok, err := s.o.DB.Team(ctx)
	if err != nil {
		return err
	}
	if !ok {
		return ErrNoTeam
	}
	r, err := open(ctx, t)
	if err != nil {
		return err
	}
	defer r.c.close()
	return f(t, r)
}

// Share shares a project under a key that is the same on all machines.
func (s *Syncer) Share(ctx context.Context, project int64, key privacy.Clean, since time.Time) error {
	if err := s.oneKey(ctx, project, key.String()); err != nil {
		return err
	}
	return s.with(ctx, func(_ store.TeamRow, r *remote) error {
		if err := r.share(ctx, key.String()); err != nil {
			return err
		}
		return s.o.DB.ShareProject(ctx, key, project, since)
	})
}

// oneKey refuses a second key for a project and a second project for a key: it would be unclear which project an item
// belongs to.
func (s *Syncer) oneKey(ctx context.Context, project int64, key string) error {
	shared, err := s.o.DB.TeamProjects(ctx)
	for _, p := range shared {
		switch {
		case p.Project == project && p.Key != key:
			return fault("mum team unshare, in that project, then share it again", "the project is already shared as %s", p.Key)
		case p.Project != project && p.Key == key:
			return fault("mum team unshare "+key+", then share this one",
				"another project of this machine is already shared as %s", key)
		}
	}
	return err
}

// Unshare stops sharing a project: nothing more is sent or read, and what others wrote is removed from this machine.
// With purge, it also withdraws what this member shared: other machines delete it.
func (s *Syncer) Unshare(ctx context.Context, p store.TeamProject, purge bool) (ended int64, err error) {
	err = s.with(ctx, func(_ store.TeamRow, r *remote) error {
		if purge {
			if ended, err = r.purge(ctx, p.Key); err != nil {
				return err
			}
		}
		return r.unshare(ctx, p.Key)
	})
	if err != nil && purge {
		return ended, err
	}
	if err := s.o.Place.Drop(ctx, p.Project); err != nil {
		return ended, err
	}
	return ended, s.o.DB.UnshareProject(ctx, p.Key)
}

// purge blanks everything that this member shared of a project, "" = of all. Nobody forgot it, so the files on the
// member's own machines stay: conflict_of refers to the item itself.
func (r *remote) purge(ctx context.Context, project string) (ended int64, err error) {
	err = r.c.tx(ctx, func() error {
		row, err := r.c.one(ctx, `WITH gone AS (UPDATE mum.items SET deleted = true, body = NULL, terms = NULL,
			conflict_of = item_id, hlc = hlc + 1
			WHERE team_id = $1 AND ($2 = '' OR project_key = $2) AND author = $3 AND NOT deleted RETURNING 1)
			SELECT count(*) FROM gone`,
			r.team, project, r.member)
		if err != nil {
			return err
		}
		ended = row.int(0)
		return errors.Join(r.tell(ctx), r.c.audit(ctx, r.team, r.machine, "forget", project, ended))
	})
	return ended, err
}

// Leave ends the membership of this machine. What others wrote is removed; with purge, what this member shared is taken
// back. If the shared place does not answer, only this machine's data is removed, and untold is true. No round runs
// meanwhile: it would record that the machine is active.
func (s *Syncer) Leave(ctx context.Context, purge bool) (ended int64, untold bool, err error) {
	end, err := s.alone(ctx)
	if err != nil {
		return 0, false, err
	}
	defer end()
	projects, err := s.o.DB.TeamProjects(ctx)
	if err != nil {
		return 0, false, err
	}
	err = s.with(ctx, func(_ store.TeamRow, r *remote) error {
		if purge {
			if ended, err = r.purge(ctx, ""); err != nil {
				return err
			}
		}
		return r.depart(ctx)
	})
	if err != nil && (purge || errors.Is(err, error(ErrNoTeam))) {
		return ended, true, err
	}
	untold = err != nil && !errors.Is(err, error(ErrRemoved))
	for _, p := range projects {
		if err := s.o.Place.Drop(ctx, p.Project); err != nil {
			return ended, untold, err
		}
	}
	return ended, untold, s.o.DB.LeaveTeam(ctx)
}

// Member is a member as others see it.
type Member struct {
	Name     string    `json:"name"`
	Machines []string  `json:"machines"`
	Seen     time.Time `json:"seen,omitzero"`
	Items    int64     `json:"items"`
	Removed  bool      `json:"removed,omitempty"`
}

func (c *conn) members(ctx context.Context, team string) ([]Member, error) {
	rows, err := c.query(ctx, `SELECT m.name, m.removed IS NOT NULL,
		coalesce((SELECT json_agg(x.machine ORDER BY x.machine) FROM mum.machines x WHERE x.team_id = m.team_id
			AND x.member = m.name AND x.gone IS NULL), '[]'),
		coalesce((SELECT floor(extract(epoch FROM max(x.seen)) * 1000)::bigint FROM mum.machines x
			WHERE x.team_id = m.team_id AND x.member = m.name), 0),
		(SELECT count(*) FROM mum.items i WHERE i.team_id = m.team_id AND i.author = m.name AND NOT i.deleted)
		FROM mum.members m WHERE m.team_id = $1 ORDER BY m.name`, team)
	out := []Member{}
	for _, row := range rows {
		m := Member{Name: row[0], Removed: row.bool(1), Items: row.int(4)}
		if err := json.Unmarshal([]byte(row[2]), &m.Machines); err != nil {
			return nil, err
		}
		oneLine(m.Machines)
		if at := row.int(3); at > 0 {
			m.Seen = time.UnixMilli(at).UTC()
		}
		out = append(out, m)
	}
	return out, err
}

// Members lists the members, for the administrator.
func (a *Admin) Members(ctx context.Context, team string) ([]Member, error) {
	id, err := a.team(ctx, team)
	if err != nil {
		return nil, err
	}
	return a.c.members(ctx, id)
}

// Held is something that the egress gate holds back.
type Held struct {
	Project string
	Title   privacy.Clean
	Rules   string
}

// Held lists what is held back on this machine, by title and rule.
func (s *Syncer) Held(ctx context.Context) ([]Held, error) {
	projects, err := s.o.DB.TeamProjects(ctx)
	if err != nil {
		return nil, err
	}
	var out []Held
	for _, p := range projects {
		items, err := s.o.DB.TeamItems(ctx, p.Key)
		if err != nil {
			return out, err
		}
		held := map[string]string{}
		for _, it := range items {
			if it.State == store.TeamHeld {
				held[string(it.Ref)] = it.Why
			}
		}
		if len(held) == 0 {
			continue
		}
		locals, err := s.o.Place.Shown(ctx, p.Project)
		if err != nil {
			return out, err
		}
		for _, l := range locals {
			if why, ok := held[string(s.refOf(l.Ref))]; ok {
				out = append(out, Held{p.Key, l.Content.Title, why})
			}
		}
	}
	return out, nil
}

// Mute removes what an author wrote and reads nothing more from them, or reads it again.
func (s *Syncer) Mute(ctx context.Context, author string, mute bool) error {
	projects, err := s.o.DB.TeamProjects(ctx)
	if err != nil {
		return err
	}
	if err := s.o.DB.MuteAuthor(ctx, s.word(author), mute); err != nil || !mute {
		return err
	}
	for _, p := range projects {
		items, err := s.o.DB.TeamItems(ctx, p.Key)
		if err != nil {
			return err
		}
		step := store.TeamStep{}
		for _, it := range items {
			if it.Author == author && it.State == store.TeamSame {
				step.Drop = append(step.Drop, it.ID)
			}
		}
		if err := s.o.Place.Silence(ctx, p.Project, author); err != nil {
			return err
		}
		if err := s.o.DB.KeepTeam(ctx, step); err != nil {
			return err
		}
	}
	return nil
}
