package team

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"keepmum/lazyregexp"
)

// Admin works as the owner of the database, who is not a member.
type Admin struct {
	dsn DSN
	c   *conn
}

// OpenAdmin connects as the owner.
func OpenAdmin(ctx context.Context, dsn DSN) (*Admin, error) {
	c, err := connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	return &Admin{dsn, c}, nil
}

// Close ends the connection.
func (a *Admin) Close() { a.c.close() }

// isName reports whether s can be the name of a team, a member or a machine.
func isName(s string) bool {
	if s == "" || len(s) > 40 || s[0] == '-' {
		return false
	}
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// CheckName returns an error for a string that cannot be the name of a team or a member.
func CheckName(what, name string) error {
	if isName(name) {
		return nil
	}
	return fault("choose another name", "the name of a %s must be 1 to 40 lower-case letters, digits and hyphens", what)
}

// quoted quotes a name for SQL that takes no parameters.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func literal(text string) string { return `'` + strings.ReplaceAll(text, `'`, `''`) + `'` }

// group returns the role that all members of the teams in a database share.
func (a *Admin) group() string { return "mum_members_" + a.dsn.Database() }

// NeedsAdministrator contains SQL that someone with more rights must run first.
type NeedsAdministrator struct{ SQL string }

func (e *NeedsAdministrator) Error() string {
	return "this role may not create roles: the administrator of the server must run the SQL, then try again"
}

// Init creates the schema, the group role and a team. It keeps what exists, so it is safe to run again.
func (a *Admin) Init(ctx context.Context, team string) error {
	if err := CheckName("team", team); err != nil {
		return err
	}
	if err := a.makeGroup(ctx); err != nil {
		return err
	}
	if err := a.c.migrate(ctx); err != nil {
		return err
	}
	return a.c.tx(ctx, func() error {
		if err := a.c.script(ctx, a.grants()); err != nil {
			return err
		}
		old, err := a.c.one(ctx, `SELECT team_id FROM mum.teams WHERE name = $1`, team)
		if err != nil || old != nil {
			return err
		}
		id, err := uuid.NewV7()
		if err != nil {
			return err
		}
		key := make([]byte, keyBytes)
		if _, err := rand.Read(key); err != nil {
			return err
		}
		if err := a.c.exec(ctx, `INSERT INTO mum.teams (team_id, name) VALUES ($1, $2)`, id.String(), team); err != nil {
			return err
		}
		if err := a.c.exec(ctx, `INSERT INTO mum.secrets (team_id, key) VALUES ($1, $2)`, id.String(),
			hex.EncodeToString(key)); err != nil {
			return err
		}
		return a.c.audit(ctx, id.String(), "", "init", "", 1)
	})
}

func (a *Admin) makeGroup(ctx context.Context) error {
	there, err := a.c.one(ctx, `SELECT 1 FROM pg_roles WHERE rolname = $1`, a.group())
	if err != nil || there != nil {
		return err
	}
	sql := "CREATE ROLE " + quoted(a.group()) + " NOLOGIN"
	err = a.c.script(ctx, sql)
	if code(err) == codeNoRight {
		return &NeedsAdministrator{sql + ";\nGRANT " + quoted(a.group()) + " TO " + quoted(a.dsn.User()) +
			" WITH ADMIN OPTION;\n"}
	}
	if code(err) == codeExists { // created by someone else meanwhile
		return nil
	}
	return err
}

// grants returns the rights of members. Row-level security limits them to the right rows.
func (a *Admin) grants() string {
	g := quoted(a.group())
	return `GRANT USAGE ON SCHEMA mum TO ` + g + `;
GRANT SELECT ON mum.goose_db_version, mum.teams, mum.secrets, mum.members, mum.machines, mum.projects, mum.items,
  mum.keys, mum.graves, mum.receipts, mum.audit, mum.readers TO ` + g + `;
GRANT INSERT, UPDATE ON mum.machines, mum.items, mum.keys, mum.graves TO ` + g + `;
GRANT INSERT ON mum.projects, mum.receipts, mum.audit TO ` + g + `;
GRANT INSERT, DELETE ON mum.readers TO ` + g + `;
REVOKE ALL ON FUNCTION mum.mine(), mum.search(uuid, text, bigint[], boolean, int), mum.expire() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mum.mine(), mum.search(uuid, text, bigint[], boolean, int), mum.expire() TO ` + g + `;`
}

var oneTeam = lazyregexp.New(`^[0-9a-f-]{36}$`)

// team finds a team by name; "" means the only one.
func (a *Admin) team(ctx context.Context, name string) (id string, err error) {
	rows, err := a.c.query(ctx, `SELECT team_id FROM mum.teams WHERE $1 IN ('', name) ORDER BY name`, name)
	switch {
	case err != nil:
		return "", err
	case len(rows) == 1 && oneTeam.MatchString(rows[0][0]):
		return rows[0][0], nil
	case len(rows) > 1:
		return "", fault("--team NAME", "the database has %d teams: say which one", len(rows))
	}
	return "", fault("mum team init ADMIN-DSN --team NAME", "the database has no team with that name")
}

// Invitation is what a new member needs. It is shown once.
type Invitation struct {
	Name string `json:"name"`
	Role string `json:"role"`
	DSN  string `json:"dsn"` // without a password if the server's administrator set the role's password
}

// NoPassword reports whether someone else created the role and set its password.
func (i Invitation) NoPassword() bool {
	u, err := url.Parse(i.DSN)
	if err != nil || u.User == nil {
		return false
	}
	_, has := u.User.Password()
	return !has
}

// Invite creates a member with a role of their own.
func (a *Admin) Invite(ctx context.Context, team, name string) (Invitation, error) {
	out := Invitation{Name: name}
	if err := CheckName("member", name); err != nil {
		return out, err
	}
	if err := a.c.checkSchema(ctx); err != nil {
		return out, err
	}
	id, err := a.team(ctx, team)
	if err != nil {
		return out, err
	}
	there, err := a.c.one(ctx, `SELECT removed IS NOT NULL FROM mum.members WHERE team_id = $1 AND name = $2`, id, name)
	if err != nil {
		return out, err
	}
	if there != nil {
		return out, fault("choose another name; one person with several machines joins each with the same DSN and --as NAME",
			"the team has or had a member named %s", name)
	}
	out.Role = roleName(a.dsn.Database(), id, name)
	password, err := a.makeRole(ctx, out.Role)
	if err != nil {
		return out, err
	}
	err = a.c.tx(ctx, func() error {
		if err := a.c.exec(ctx, `INSERT INTO mum.members (team_id, name, role) VALUES ($1, $2, $3)`, id, name,
			out.Role); err != nil {
			return err
		}
		return a.c.audit(ctx, id, "", "invite", "", 1)
	})
	out.DSN = a.memberDSN(out.Role, password)
	return out, err
}

// maxRole is the number of bytes of a name that PostgreSQL keeps.
const maxRole = 63

// roleName returns the role of a member. The part that distinguishes the teams of a database is four plain syllables: a
// row of random letters or digits looks like a password to anything that reads ~/.pgpass or a DSN, including our own
// gate.
func roleName(database, team, member string) string {
	const consonants, vowels = "dlmnprst", "aeio"
	id := team[len(team)-8:]
	tail := "_"
	for i := 0; i < len(id); i += 2 {
		c, v := nibble(id[i])%len(consonants), nibble(id[i+1])%len(vowels)
		tail += consonants[c:c+1] + vowels[v:v+1]
	}
	tail += "_" + member
	return "mum_" + database[:min(len(database), maxRole-len("mum_")-len(tail))] + tail
}

// nibble returns the value of a hexadecimal digit.
func nibble(c byte) int {
	return max(0, strings.IndexByte("0123456789abcdef", c))
}

// makeRole creates the role of a member and returns its password, or "" if someone with more rights created the role
// and set the password.
func (a *Admin) makeRole(ctx context.Context, role string) (password string, err error) {
	there, err := a.c.one(ctx, `SELECT 1 FROM pg_roles WHERE rolname = $1`, role)
	if err != nil {
		return "", err
	}
	verb, password := "CREATE", rand.Text()
	if there != nil { // left by an interrupted invitation: no member has it
		verb = "ALTER"
	}
	create := verb + " ROLE " + quoted(role) + " LOGIN PASSWORD "
	grant := "GRANT " + quoted(a.group()) + " TO " + quoted(role)
	err = a.c.script(ctx, create+literal(password))
	switch {
	case code(err) == codeNoRight && there == nil:
		return "", &NeedsAdministrator{create + "'a long random password';\n" + grant + ";\n"}
	case code(err) == codeNoRight:
		password = ""
	case err != nil:
		return "", err
	}
	return password, a.c.script(ctx, grant)
}

func (a *Admin) memberDSN(role, password string) string {
	u, err := url.Parse(a.dsn.String())
	if err != nil {
		return ""
	}
	if u.User = url.UserPassword(role, password); password == "" {
		u.User = url.User(role)
	}
	return u.String()
}

// Removal is the result of removing a member.
type Removal struct {
	Name      string `json:"name"`
	Forgotten int64  `json:"forgotten"` // their items that were blanked
}

// Remove removes a member: the role can only see that it was removed, and its machines delete what they have. With
// forget, everything that the member shared is blanked, too.
func (a *Admin) Remove(ctx context.Context, team, name string, forget bool) (Removal, error) {
	out := Removal{Name: name}
	id, err := a.team(ctx, team)
	if err != nil {
		return out, err
	}
	if member, machine, ok := strings.Cut(name, "/"); ok {
		return out, a.strike(ctx, id, member, machine)
	}
	err = a.c.tx(ctx, func() error {
		r, err := a.c.one(ctx, `UPDATE mum.members SET removed = coalesce(removed, now()) WHERE team_id = $1 AND name = $2
			RETURNING 1`, id, name)
		if err != nil {
			return err
		}
		if r == nil {
			return fault("mum team members", "the team has no member named %s", name)
		}
		if forget {
			if r, err = a.c.one(ctx, `WITH gone AS (UPDATE mum.items SET deleted = true, conflict_of = NULL, hlc = hlc + 1
				WHERE team_id = $1 AND author = $2 AND NOT deleted RETURNING 1) SELECT count(*) FROM gone`, id, name); err != nil {
				return err
			}
			out.Forgotten = r.int(0)
		}
		return a.c.audit(ctx, id, "", "remove", "", out.Forgotten)
	})
	return out, err
}

// strike records that a machine is gone, for example lost: nobody waits for its receipts, and its name is free. One
// that syncs again is there again.
func (a *Admin) strike(ctx context.Context, team, member, machine string) error {
	return a.c.tx(ctx, func() error {
		r, err := a.c.one(ctx, `UPDATE mum.machines SET gone = coalesce(gone, now()) WHERE team_id = $1 AND member = $2
			AND machine = $3 RETURNING 1`, team, member, machine)
		if err != nil {
			return err
		}
		if r == nil {
			return fault("mum team members", "the team has no machine named %s/%s", member, machine)
		}
		return a.c.audit(ctx, team, machine, "remove", "", 1)
	})
}

// Keep sets for how many days the items of a project are kept; 0 = forever.
func (a *Admin) Keep(ctx context.Context, team, key string, days int) error {
	id, err := a.team(ctx, team)
	if err != nil {
		return err
	}
	return a.c.tx(ctx, func() error {
		r, err := a.c.one(ctx, `UPDATE mum.projects SET keep_days = nullif($3::int, 0), expired = NULL WHERE team_id = $1
			AND project_key = $2 RETURNING 1`, id, key, days)
		if err != nil {
			return err
		}
		if r == nil {
			return fault("mum team status", "the team shares no project %s", key)
		}
		return a.c.audit(ctx, id, "", "retention", key, int64(days))
	})
}

// audit appends to the log. The database itself sets member, time and hash.
func (c *conn) audit(ctx context.Context, team, machine, action, project string, count int64) error {
	return c.exec(ctx, `INSERT INTO mum.audit (team_id, n, at, member, machine, action, project_key, count, hash)
		VALUES ($1, 0, 0, '', $2, $3, $4, $5, '')`, team, machine, action, project, count)
}
