//go:build unix

package team

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"keepmum/freeport"
	"keepmum/team/pgtest"
)

// exitCode is that of a program that ended.
func exitCode(err error) int {
	var e *exec.ExitError
	if errors.As(err, &e) {
		return e.ExitCode()
	}
	return 0
}

// refuses runs mum, which must fail, say why and what to type.
func (m *machine) refuses(why string, args ...string) {
	m.t.Helper()
	out, said, err := m.try(args...)
	if exitCode(err) != 1 && exitCode(err) != 2 || !strings.Contains(said, why) {
		m.t.Errorf("mum %s: %v\n%s%s\nwant: %s", strings.Join(args, " "), err, out, said, why)
	}
	if strings.Contains(said, "panic") || strings.Contains(said, pgtest.Password) {
		m.t.Errorf("mum %s says: %s", strings.Join(args, " "), said)
	}
}

// TestJoiningWithWhatCannotBe goes through what a user may get wrong.
func TestJoiningWithWhatCannotBe(t *testing.T) {
	c := newTeam(t, "anna")
	m := newMachine(t, "laptop", shop)
	dsn := c.dsns["anna"]
	wrong := strings.Replace(dsn, password(dsn), "wrong", 1)
	plain := strings.Replace(c.owner, "postgres:"+pgtest.Password, "plain:p", 1)
	pgtest.Exec(t, c.owner, `CREATE ROLE plain LOGIN PASSWORD 'p'`)
	pgtest.Exec(t, c.owner, `CREATE ROLE sees_all LOGIN BYPASSRLS PASSWORD 'p'`)
	for why, text := range map[string]string{
		"this is not a DSN":         "db.example",
		"wrong or missing":          wrong,
		"has no database":           dsn + "_none",
		"nothing answers":           fmt.Sprintf("postgres://anna@127.0.0.1:%d/mum", freeport.For(t)),
		"it cannot be a member":     c.owner,
		"bypasses row-level":        strings.Replace(plain, "plain:", "sees_all:", 1),
		"no right":                  plain,
		"the schema mum is missing": pgtest.Database(t),
		"does not verify the":       "postgres://anna@db.example/mum?sslmode=require",
		"a parameter that is no":    dsn + "?options=-csearch_path%3Dx",
	} {
		m.refuses(why, "team", "join", text, "--as", "laptop")
	}
	m.refuses("not in a team", "team", "sync")
	m.refuses("not in a team", "team", "share")
	m.refuses("lower-case letters", "team", "join", dsn, "--as", "My Laptop")
	m.mum("team", "join", dsn, "--as", "laptop")
	second := newMachine(t, "second", shop)
	second.refuses("already has a machine named laptop", "team", "join", dsn, "--as", "laptop")
	c.admin.refuses("member named anna", "team", "invite", "anna", "--admin", c.owner)
	c.admin.refuses("lower-case letters", "team", "invite", "Anna Müller", "--admin", c.owner)
	c.admin.refuses("may not create roles", "team", "invite", "ben", "--admin", dsn)
}

// TestAnotherSchema: an older and a newer one are refused with what to do, and nothing is lost meanwhile.
func TestAnotherSchema(t *testing.T) {
	c := newTeam(t, "anna")
	m := c.machine("anna", "laptop")
	pgtest.Exec(t, c.owner, `INSERT INTO mum.goose_db_version (version_id, is_applied) VALUES (99, true)`)
	m.fact(portFact)
	m.refuses("created by a newer version", "team", "sync")
	c.admin.refuses("newer", "team", "init", c.owner, "--team", "acme")
	pgtest.Exec(t, c.owner, `DELETE FROM mum.goose_db_version WHERE version_id = 99`)
	pgtest.Exec(t, c.owner, `UPDATE mum.goose_db_version SET version_id = version_id - 100`)
	m.refuses("and this mum needs", "team", "sync")
	pgtest.Exec(t, c.owner, `UPDATE mum.goose_db_version SET version_id = version_id + 100`)
	if r := m.sync(); r.Pushed != 1 {
		t.Errorf("%+v", r)
	}
	if out, _, _ := m.try("doctor"); !strings.Contains(out, "acme as anna/laptop") {
		t.Errorf("the doctor does not name the team: %s", out)
	}
}

// TestWhichProjectIsMeant: without a remote, with two, and a fork.
func TestWhichProjectIsMeant(t *testing.T) {
	c := newTeam(t, "anna")
	origin := c.machine("anna", "laptop")
	origin.fact(portFact)
	origin.sync()
	join := func(name string, remotes ...string) *machine {
		m := newMachine(t, name, remotes...)
		m.mum("team", "join", c.dsns["anna"], "--as", name)
		return m
	}
	without := join("without")
	without.refuses("no git remote", "team", "share")
	without.mum("team", "share", "--key", shopKey) // it is told that it is the same
	without.sync()
	without.has(portFact)
	fork := join("fork", "https://git.example/anna/shop.git")
	fork.mum("team", "share")
	fork.sync()
	fork.has()
	two := join("two", "https://git.example/anna/shop.git", shop)
	two.fact(colorFact)
	two.mum("team", "share") // origin counts
	two.sync()
	two.has(colorFact)
	two.refuses("is already shared as git.example/anna/shop", "team", "share", "--key", shopKey)
	two.mum("team", "unshare", "--purge")
	two.mum("team", "share", "--key", shopKey)
	two.sync()
	origin.sync()
	origin.has(portFact, colorFact)
	secret := join("secret")
	secret.refuses("looks like it contains a secret", "team", "share", "--key",
		"acme/ghp_16C7e42F292c6912E7710c838347Ae178B4a")
}
