package team

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"keepmum/team/pgtest"
)

// TestABrokenChainIsNamed: the owner of the database can change the log, but every kind of change is detected.
func TestABrokenChainIsNamed(t *testing.T) {
	for name, tc := range map[string]struct {
		sql  string
		want int64
	}{
		"untouched": {`SELECT 1`, 0},
		"changed":   {`UPDATE mum.audit SET member = 'mallory' WHERE n = 3`, 3},
		"removed":   {`DELETE FROM mum.audit WHERE n = 2`, 3},
		"the first": {`DELETE FROM mum.audit WHERE n = 1`, 2},
		"swapped": {`UPDATE mum.audit SET n = -2 WHERE n = 2; UPDATE mum.audit SET n = 2 WHERE n = 3;
			UPDATE mum.audit SET n = 3 WHERE n = -2`, 2},
		"a hash of its own": {`UPDATE mum.audit SET hash = repeat('0', 64) WHERE n = 2`, 2},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t, 1)
			c.nodes[0].write("port", "8080")
			c.nodes[0].sync()
			pgtest.Exec(t, c.admin, tc.sql)
			events, broken, err := c.nodes[0].s.Log(t.Context(), "", 100)
			if err != nil || broken != tc.want || len(events) < 4 {
				t.Errorf("%d events, broken at %d, want %d: %v", len(events), broken, tc.want, err)
			}
		})
	}
}

// TestAMonthOfflineIsNormal: a machine that was away keeps what it wrote, with the original time, loses to later
// changes from elsewhere, and deletes what was forgotten meanwhile.
func TestAMonthOfflineIsNormal(t *testing.T) {
	c := newCluster(t, 2, 1)
	away, home, other := c.nodes[0], c.nodes[1], c.nodes[2]
	for _, n := range c.nodes {
		n.skew = -31 * 24 * time.Hour
	}
	away.write("stays", "1")
	away.write("goes", "2")
	away.write("changes", "3")
	for _, n := range c.nodes { // the database's clock cannot be set, so they sync today
		n.skew = 0
	}
	c.rest()
	away.wire.cut.Store(true)
	away.wire.drop()
	away.skew = -30 * 24 * time.Hour
	away.write("changes", "of the one that is away")
	away.write("alone", "4")
	if _, err := away.s.Round(t.Context()); !errors.Is(err, ErrUnreachable) {
		t.Errorf("it is away, and: %v", err)
	}
	for i := range 40 {
		other.write(fmt.Sprintf("news %d", i), "of the month")
		other.sync()
	}
	home.write("changes", "later, at home")
	home.forgetTitle("goes")
	home.sync()
	away.wire.cut.Store(false)
	away.skew = 0
	c.rest()
	want := []string{"active stays: 1", "active changes: later, at home", "archived changes: of the one that is away",
		"active alone: 4"}
	for i := range 40 {
		want = append(want, fmt.Sprintf("active news %d: of the month", i))
	}
	c.same(want...)
}

// TestAnOwnerWithFewRights: an owner who may not create roles gets the SQL for someone who may. The owner is never a
// member.
func TestAnOwnerWithFewRights(t *testing.T) {
	super := pgtest.Database(t)
	db := super[strings.LastIndexByte(super, '/')+1:]
	pgtest.Exec(t, super, `CREATE ROLE owner_`+db+` LOGIN PASSWORD 'o'`)
	pgtest.Exec(t, super, `GRANT CREATE ON DATABASE `+db+` TO owner_`+db)
	c := newCluster(t, 1)
	c.admin = strings.Replace(super, "postgres:"+pgtest.Password, "owner_"+db+":o", 1)
	owner := c.openAdmin()
	defer owner.Close()
	ctx := t.Context()
	var needs *NeedsAdministrator
	if err := owner.Init(ctx, "acme"); !errors.As(err, &needs) {
		t.Fatal(err)
	}
	pgtest.Exec(t, super, needs.SQL)
	if err := owner.Init(ctx, "acme"); err != nil {
		t.Fatal(err)
	}
	if _, err := owner.Invite(ctx, "", "anna"); !errors.As(err, &needs) {
		t.Fatal(err)
	}
	fresh := c.nodes[0]
	if _, _, err := fresh.s.Leave(ctx, false); err != nil {
		t.Fatal(err)
	}
	_, err := fresh.s.Join(ctx, passworded(t, c.admin), "laptop")
	if err == nil || !strings.Contains(err.Error(), "owns the schema") {
		t.Errorf("the owner as a member: %v", err)
	}
	pgtest.Exec(t, super, needs.SQL)
	inv, err := owner.Invite(ctx, "", "anna")
	if err != nil || !inv.NoPassword() {
		t.Fatal(inv, err)
	}
	dsn := strings.Replace(inv.DSN, inv.Role, inv.Role+":a%20long%20random%20password", 1)
	if _, err := fresh.s.Join(ctx, passworded(t, dsn), "laptop"); err != nil {
		t.Error(err)
	}
}
