package team

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/privacy"
	"keepmum/store"
	"keepmum/team/pgtest"
)

// strangers has a team with one item, a second team in the same database, and a role without rights.
type strangers struct {
	c                      *cluster
	a, b                   *node  // two members of the first team
	author, other, outside string // DSNs: a's, b's, and that of a member of the second team
	nobody                 string // DSN of a role that is not in a team
	item                   string
}

func newStrangers(t *testing.T) *strangers {
	t.Helper()
	c := newCluster(t, 1, 1)
	s := &strangers{c: c, a: c.nodes[0], b: c.nodes[1]}
	s.a.write("port", "the port is 8080")
	s.a.sync()
	s.item = pgtest.Exec(t, c.admin, `SELECT item_id FROM mum.items`)[0][0]
	admin := c.openAdmin()
	defer admin.Close()
	ctx := context.Background()
	if err := admin.Init(ctx, "rivals"); err != nil {
		t.Fatal(err)
	}
	inv, err := admin.Invite(ctx, "rivals", "eve")
	if err != nil {
		t.Fatal(err)
	}
	s.outside = inv.DSN
	pgtest.Exec(t, c.admin, fmt.Sprintf(`CREATE ROLE nobody_%s LOGIN PASSWORD 'n'`, admin.dsn.Database()))
	s.nobody = admin.memberDSN("nobody_"+admin.dsn.Database(), "n")
	s.author, s.other = s.a.dsn, s.b.dsn
	return s
}

// refuses runs SQL as a role and expects it to be refused, or to see and change nothing.
func (s *strangers) refuses(t *testing.T, dsn, sql string) {
	t.Helper()
	rows, err := pgtest.Try(dsn, sql)
	if err == nil && len(rows) > 0 {
		t.Errorf("%s\nwas allowed: %v", sql, rows)
	}
}

const everyTable = `teams secrets members machines projects items keys graves receipts audit`

func TestARoleReadsNothingOfATeamItIsNotIn(t *testing.T) {
	s := newStrangers(t)
	team := pgtest.Exec(t, s.c.admin, `SELECT team_id FROM mum.teams WHERE name = 'acme'`)[0][0]
	for table := range strings.FieldsSeq(everyTable) {
		query := fmt.Sprintf(`SELECT * FROM mum.%s WHERE team_id = '%s'`, table, team)
		if table != "graves" && table != "receipts" && len(pgtest.Exec(t, s.author, query)) == 0 {
			t.Errorf("the author sees nothing of %s: the test looks at nothing", table)
		}
		s.refuses(t, s.outside, query)
		s.refuses(t, s.nobody, query)
		s.refuses(t, s.nobody, fmt.Sprintf(`SELECT count(*) FROM mum.%s`, table))
	}
	for part := range 16 {
		s.refuses(t, s.author, fmt.Sprintf(`SELECT * FROM mum.items_%d`, part))
	}
	if _, err := pgtest.Try(s.nobody, `SELECT * FROM mum.mine()`); err == nil {
		t.Error("a role that is in no team asks who it is")
	}
}

func TestAHostileMemberWritesOnlyAsThemselves(t *testing.T) {
	s := newStrangers(t)
	team := pgtest.Exec(t, s.c.admin, `SELECT team_id FROM mum.teams WHERE name = 'acme'`)[0][0]
	put := func(author, key, rest string) string {
		return fmt.Sprintf(`INSERT INTO mum.items (team_id, project_key, item_id, kind, author, machine, hlc, body, deleted)
			VALUES ('%s', '%s', gen_random_uuid(), %s, '%s', 'm', %s) RETURNING 1`, team, key, "'memory'", author, rest)
	}
	later := fmt.Sprint(later(0, time.Now()))
	cases := map[string]string{
		"a forged author":        put("member0", projectKey, later+`, 'x', false`),
		"an oversized body":      put("member1", projectKey, later+`, convert_to(repeat('x', 70001), 'UTF8'), false`),
		"a clock a year off":     put("member1", projectKey, fmt.Sprint(later64(365*24*time.Hour))+`, 'x', false`),
		"a project of nobody's":  put("member1", "git.example/not/shared", later+`, 'x', false`),
		"another's item changed": `UPDATE mum.items SET body = 'x', hlc = hlc + 1 RETURNING 1`,
		"another's item gone":    `UPDATE mum.items SET deleted = true, body = NULL, hlc = hlc + 1 RETURNING 1`,
		"a row deleted":          `DELETE FROM mum.items RETURNING 1`,
		"a key changed":          `UPDATE mum.keys SET key = decode(repeat('00', 32), 'hex') RETURNING 1`,
		"a key deleted":          `DELETE FROM mum.keys RETURNING 1`,
		"the log rewritten":      `UPDATE mum.audit SET count = 0 RETURNING 1`,
		"the log cut":            `DELETE FROM mum.audit RETURNING 1`,
		"a member made":          fmt.Sprintf(`INSERT INTO mum.members VALUES ('%s', 'mallory', 'mallory') RETURNING 1`, team),
		"a receipt for another": fmt.Sprintf(`INSERT INTO mum.receipts VALUES ('%s', '%s', '%s', 'member0', 'm') RETURNING 1`,
			team, projectKey, s.item),
		"a rule switched off": `ALTER TABLE mum.items DISABLE ROW LEVEL SECURITY`,
		"another role taken":  `SET ROLE postgres; SELECT 1`,
	}
	for name, sql := range cases {
		t.Run(name, func(t *testing.T) { s.refuses(t, s.other, sql) })
	}
	forged := fmt.Sprintf(`INSERT INTO mum.audit (team_id, n, at, member, machine, action, project_key, count, hash)
		VALUES ('%s', 1, 1, 'member0', 'm', 'forget', '', 1, 'x') RETURNING member`, team)
	if rows := pgtest.Exec(t, s.other, forged); rows[0][0] != "member1" {
		t.Errorf("a row of the log says that %s did it", rows[0][0])
	}
	s.b.sync()
	if got := s.a.sync(); got.Forgotten > 0 || len(s.a.view()) != 1 {
		t.Errorf("the author lost something: %v", s.a.view())
	}
}

func TestANameMadeByHandForgesNoLine(t *testing.T) {
	names := []string{"desk", "x\n\nmember    cat"}
	if oneLine(names); names[0] != "desk" || strings.Contains(names[1], "\n") {
		t.Errorf("%q", names)
	}
}

func later64(d time.Duration) int64 { return later(0, time.Now().Add(d)) }

func TestWhatAMemberMadeByHandIsHarmlessOnArrival(t *testing.T) {
	s := newStrangers(t)
	team := pgtest.Exec(t, s.c.admin, `SELECT team_id FROM mum.teams WHERE name = 'acme'`)[0][0]
	bodies := map[string]string{
		"no item":  `not json`,
		"no title": `{"form":"learning","title":" "}`,
		"too deep": `{"form":"learning","title":"t","tags":` + strings.Repeat("[", 5000) + `}`,
		"a secret": `{"form":"learning","title":"deploy","body":"use AKIAIOSFODNN7EXAMPLQ with ghp_` +
			`16C7e42F292c6912E7710c838347Ae178B4a","state":"active"}`,
	}
	for name, body := range bodies {
		id, _ := newID()
		sealed, key, err := seal([]byte(body), idText(id))
		if err != nil {
			t.Fatal(err)
		}
		pgtest.Exec(t, s.other, fmt.Sprintf(`INSERT INTO mum.items (team_id, project_key, item_id, kind, author, machine, hlc,
			body) VALUES ('%s', '%s', '%s', 'memory', 'member1', 'm', %d, '\x%x');
			INSERT INTO mum.keys VALUES ('%s', '%s', '%s', 'member1', '\x%x')`, team, projectKey, idText(id),
			later(0, time.Now()), sealed, team, projectKey, idText(id), key))
		s.a.sync()
		for _, line := range s.a.view() {
			if strings.Contains(line, "ghp_16C7") {
				t.Errorf("%s: a secret came in: %s", name, line)
			}
		}
	}
	if got := s.a.view(); len(got) != 2 { // one's own, and the one without the secret
		t.Errorf("%d items: %v", len(got), got)
	}
}

func TestARoleThatBypassesRowSecurityCannotJoin(t *testing.T) {
	s := newStrangers(t)
	ctx := context.Background()
	name := s.c.openAdmin()
	defer name.Close()
	db := name.dsn.Database()
	pgtest.Exec(t, s.c.admin, `CREATE ROLE sees_all_`+db+` LOGIN BYPASSRLS PASSWORD 'b'`)
	fresh := s.c.nodes[0]
	if _, _, err := fresh.s.Leave(ctx, false); err != nil {
		t.Fatal(err)
	}
	for who, dsn := range map[string]string{"superuser": s.c.admin, "bypass": name.memberDSN("sees_all_"+db, "b"),
		"no member": s.nobody} {
		_, err := fresh.s.Join(ctx, passworded(t, dsn), "laptop")
		if err == nil || !strings.Contains(err.Error(), "member") && !strings.Contains(err.Error(), "no right") {
			t.Errorf("%s: %v", who, err)
		}
	}
}

func TestAMemberWhoWasRemovedKeepsNothing(t *testing.T) {
	c := newCluster(t, 1, 1)
	a, b := c.nodes[0], c.nodes[1]
	a.write("port", "the port is 8080")
	a.sync()
	b.write("color", "the color is green")
	b.sync()
	a.sync()
	admin := c.openAdmin()
	defer admin.Close()
	ctx := context.Background()
	if out, err := admin.Remove(ctx, "", "member1", true); err != nil || out.Forgotten != 1 {
		t.Fatalf("%+v %v", out, err)
	}
	_, _ = b.s.Round(ctx) // it learns that it was removed
	if got := b.view(); len(got) != 1 {
		t.Errorf("it holds what others wrote: %v", got)
	}
	if _, joined, err := b.db.Team(ctx); joined || err != nil {
		t.Errorf("it is in the team still: %v", err)
	}
	a.sync()
	if got := a.view(); len(got) != 1 {
		t.Errorf("what the removed member shared is there still: %v", got)
	}
}

func TestInvalidInvitationsAreRefused(t *testing.T) {
	c := newCluster(t, 1)
	admin := c.openAdmin()
	defer admin.Close()
	ctx := context.Background()
	for name, want := range map[string]string{"member0": "member named", "Anna Müller": "lower-case letters",
		"": "lower-case letters"} {
		if _, err := admin.Invite(ctx, "", name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	pgtest.Exec(t, c.admin, `INSERT INTO mum.goose_db_version (version_id, is_applied) VALUES (99, true)`)
	if err := admin.Init(ctx, "acme"); err == nil || !strings.Contains(err.Error(), "newer") {
		t.Errorf("a newer schema: %v", err)
	}
	if _, err := c.nodes[0].s.Round(ctx); err == nil || !strings.Contains(err.Error(), "schema 99") {
		t.Errorf("a newer schema: %v", err)
	}
	pgtest.Exec(t, c.admin, `DELETE FROM mum.goose_db_version WHERE version_id > 1`)
	if _, err := c.nodes[0].s.Round(ctx); err == nil || !strings.Contains(err.Error(), "schema 1") {
		t.Errorf("an older schema: %v", err)
	}
}

// TestTheNameOfARoleIsNoPassword: a role of digits and letters would look like a password in ~/.pgpass.
func TestTheNameOfARoleIsNoPassword(t *testing.T) {
	for _, member := range []string{"anna", "b3n", strings.Repeat("x", 40)} {
		for _, database := range []string{"mum", "team2026", strings.Repeat("d", 63)} {
			role := roleName(database, "01a206b5-12ca-711b-84ca-80365451b6e4", member)
			if len(role) > maxRole || !strings.HasSuffix(role, "_"+member) {
				t.Errorf("%s has %d bytes", role, len(role))
			}
			line := "127.0.0.1:5432:" + database + ":" + role + ":6OP6SEZ65Q2Z5GOAFUNJ6EUCXJ\n"
			home := t.TempDir()
			if err := os.WriteFile(filepath.Join(home, ".pgpass"), []byte(line), 0o600); err != nil {
				t.Fatal(err)
			}
			gate, err := privacy.New(privacy.Options{Home: home, Vault: true})
			if err != nil {
				t.Fatal(err)
			}
			dsn := "postgres://" + role + "@127.0.0.1:5432/" + database
			if clean, _ := gate.Text(dsn); clean.String() != dsn {
				t.Errorf("%s became %s", dsn, clean)
			}
		}
	}
}

func TestAClockAYearOffIsNamed(t *testing.T) {
	c := newCluster(t, 1)
	c.nodes[0].skew = 365 * 24 * time.Hour
	if _, err := c.nodes[0].s.Round(context.Background()); err == nil || !strings.Contains(err.Error(), "by 365 days") {
		t.Error(err)
	}
}

func TestADatabaseThatIsNoTeam(t *testing.T) {
	admin := pgtest.Database(t)
	db := admin[strings.LastIndexByte(admin, '/')+1:]
	pgtest.Exec(t, admin, `CREATE ROLE plain_`+db+` LOGIN PASSWORD 'p'`)
	c := newCluster(t, 1)
	n := c.nodes[0]
	ctx := context.Background()
	if _, _, err := n.s.Leave(ctx, false); err != nil {
		t.Fatal(err)
	}
	dsn := strings.Replace(admin, "postgres:"+pgtest.Password, "plain_"+db+":p", 1)
	if _, err := n.s.Join(ctx, passworded(t, dsn), "laptop"); err == nil || !strings.Contains(err.Error(), "no team") {
		t.Error(err)
	}
}

func TestDSNs(t *testing.T) {
	for text, want := range map[string]string{
		"mysql://x":      "URL like",
		"host=db user=x": "URL like",
		"postgres://anna@db.example/mum?sslmode=disable": "does not verify",
		"postgres://anna@db.example/mum?options=-crole":  "not accepted",
	} {
		if _, err := ParseDSN(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	d, err := ParseDSN("postgres://anna:hunter2hunter2@db.example:6543/mum")
	if err != nil || strings.Contains(d.String(), "hunter2") || !strings.Contains(d.String(), "verify-full") {
		t.Errorf("%s %v", d, err)
	}
}

// Pulls are in order of commit: a transaction that began first and ends last is not skipped.
func TestALateCommitIsNotPassedOver(t *testing.T) {
	s := newStrangers(t)
	ctx := context.Background()
	late, err := s.a.s.open(ctx, teamOf(t, s.a))
	if err != nil {
		t.Fatal(err)
	}
	defer late.c.close()
	item := func(id store.TeamID) string {
		return fmt.Sprintf(`INSERT INTO mum.items (team_id, project_key, item_id, kind, author, machine, hlc, body)
			VALUES ('%s', '%s', '%s', 'memory', 'member0', 'm', %d, 'x')`, late.team, projectKey, idText(id),
			later(0, time.Now()))
	}
	first, _ := newID()
	second, _ := newID()
	if err := late.c.script(ctx, `BEGIN; `+item(first)); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, s.author, item(second))
	reader, err := s.b.s.open(ctx, teamOf(t, s.b))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.c.close()
	before, err := reader.pull(ctx, projectKey, 0, 0)
	if err != nil || len(before) != 1 {
		t.Fatalf("%d items while the first transaction is open, %v", len(before), err)
	}
	if err := late.c.script(ctx, `COMMIT`); err != nil {
		t.Fatal(err)
	}
	after, err := reader.pull(ctx, projectKey, before[0].xid, before[0].seq)
	if err != nil || len(after) != 2 || after[0].id != first || after[1].id != second {
		t.Fatalf("%d items after it, %v", len(after), err)
	}
}

func teamOf(t *testing.T, n *node) store.TeamRow {
	t.Helper()
	row, ok, err := n.db.Team(context.Background())
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	return row
}
