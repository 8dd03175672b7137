//go:build unix

package team

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/team/pgtest"
)

const (
	portFact  = "The checkout service listens on port 8443 behind the proxy"
	colorFact = "Buttons of the shop are drawn in ultramarine blue"
)

// TestTwoMachinesOfOnePerson: three commands, and the second machine knows what the first one does.
func TestTwoMachinesOfOnePerson(t *testing.T) {
	c := newTeam(t, "anna")
	a := c.machine("anna", "laptop")
	a.fact(portFact)
	a.sync()
	b := newMachine(t, "desk", shop)
	b.mum("team", "join", c.dsns["anna"], "--as", "desk")
	b.mum("team", "share")
	b.mum("team", "sync")
	b.has(portFact)
	if found := ask[api.SearchResults](b, "search", "checkout proxy port"); len(found.Results) == 0 {
		t.Error("a search does not find it")
	}
	if s := ask[api.Status](b, "status"); s.Team == nil || s.Team.Shared != 1 || s.Team.Problem != "" {
		t.Errorf("%+v", s.Team)
	}
	for _, m := range []*machine{a, b} {
		if files := holding(t, filepath.Join(m.home, ".mum"), password(c.dsns["anna"])); len(files) > 0 {
			t.Errorf("the password lies in %v", files)
		}
	}
	found := ask[api.TeamFound](b, "search", "--team", "checkout proxy").Results
	if len(found) != 1 || found[0].Title != portFact {
		t.Errorf("%+v", found)
	}
	if ledger := a.mum("ledger", "egress"); !strings.Contains(ledger, "127.0.0.1") || !strings.Contains(ledger, shopKey) {
		t.Errorf("the ledger: %s", ledger)
	}
}

// password is that of a DSN.
func password(dsn string) string {
	_, rest, _ := strings.Cut(strings.TrimPrefix(dsn, "postgres://"), ":")
	word, _, _ := strings.Cut(rest, "@")
	return word
}

// TestWhatIsForgottenIsNowhere searches the homes of all machines, the repositories, a dump of the database, and the
// files of the server for the text and the slug of what was forgotten.
func TestWhatIsForgottenIsNowhere(t *testing.T) {
	c := newTeam(t, "anna", "ben")
	laptop, desk, other := c.machine("anna", "laptop"), c.machine("anna", "desk"), c.machine("ben", "ben-desk")
	all := []*machine{laptop, desk, other}
	laptop.fact(portFact)
	desk.fact(colorFact)
	rest(all...)
	for _, m := range all {
		m.has(portFact, colorFact)
	}
	texts := []string{portFact, "the-checkout-service-listens", "8443"}
	for _, m := range all {
		if len(holding(t, m.home, texts[:1]...)) == 0 {
			t.Errorf("%s holds nothing of it before: the test looks at nothing", m.name)
		}
	}
	other.mum("up")
	desk.forget(portFact) // at another machine than the one that wrote it
	desk.sync()
	if waits := ask[api.Team](desk, "team", "status", "--ask").Pending; len(waits) != 1 || len(waits[0].Machines) != 2 {
		t.Errorf("who has not deleted it yet: %+v", waits)
	}
	rest(all...)
	for _, m := range all {
		m.has(colorFact)
		for _, found := range holding(t, m.home, texts[:2]...) {
			t.Errorf("%s: %s", m.name, found)
		}
		for _, found := range holding(t, m.repo, texts[:2]...) {
			t.Errorf("%s: %s", m.name, found)
		}
	}
	dump := strings.ToLower(c.dump())
	for _, text := range texts[:2] {
		for _, form := range []string{text, hex.EncodeToString([]byte(text))} {
			if strings.Contains(dump, strings.ToLower(form)) {
				t.Errorf("the database holds %q", form)
			}
		}
	}
	if !strings.Contains(dump, shopKey) {
		t.Error("the dump shows nothing")
	}
	pgtest.Exec(t, c.owner, `CHECKPOINT`)
	if files := holding(t, pgtest.Data(), texts[:2]...); len(files) > 0 {
		t.Errorf("the server's files: %v", files)
	}
	if keys := pgtest.Exec(t, c.owner, `SELECT count(*) FROM mum.keys`)[0][0]; keys != "1" {
		t.Errorf("%s keys", keys)
	}
	list := ask[api.TeamReceipts](laptop, "team", "log", "--receipts").Receipts
	if len(list) != 1 || len(list[0].Confirmed) != 3 || len(list[0].Machines) != 0 {
		t.Errorf("receipts: %+v", list)
	}
	if over := ask[api.Team](laptop, "team", "status", "--ask"); len(over.Pending) != 0 || len(over.Members) != 2 {
		t.Errorf("%+v", over)
	}
}

// dump is every row of the shared place as text.
func (c *team) dump() string {
	c.t.Helper()
	var all strings.Builder
	for _, table := range pgtest.Exec(c.t, c.owner, `SELECT relname FROM pg_class WHERE relnamespace = 'mum'::regnamespace
		AND relkind = 'r'`) {
		for _, row := range pgtest.Exec(c.t, c.owner, `SELECT x::text FROM mum.`+table[0]+` x`) {
			fmt.Fprintln(&all, table[0], row[0])
		}
	}
	return all.String()
}

// TestARepositoryAndATeamTogetherDoNotDouble: the same memory comes with git and with the team.
func TestARepositoryAndATeamTogetherDoNotDouble(t *testing.T) {
	c := newTeam(t, "anna", "ben")
	a, b := c.machine("anna", "laptop"), c.machine("ben", "ben-desk")
	a.mum("project", "add")
	a.fact(portFact)
	a.sync()
	if err := os.CopyFS(filepath.Join(b.repo, ".mum"), os.DirFS(filepath.Join(a.repo, ".mum"))); err != nil {
		t.Fatal(err) // as with git pull
	}
	b.mum("project", "add")
	b.mum("memory", "reindex")
	b.sync()
	b.has(portFact)
	a.has(portFact)
}

// TestTheLogOfTheTeam is a chain that holds, is exported whole, and shows when a row was changed.
func TestTheLogOfTheTeam(t *testing.T) {
	c := newTeam(t, "anna", "ben")
	a, b := c.machine("anna", "laptop"), c.machine("ben", "ben-desk")
	a.fact(portFact)
	a.sync()
	b.sync()
	a.forget(portFact)
	a.sync()
	b.mum("team", "leave")
	var actions []string
	for line := range strings.Lines(a.mum("team", "log", "--export", "jsonl")) {
		var e struct{ Action, Member string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		actions = append(actions, e.Action+" "+e.Member)
	}
	for _, want := range []string{"init (admin)", "invite (admin)", "join anna", "join ben", "share anna", "push anna",
		"pull ben", "forget anna", "leave ben"} {
		if !slices.Contains(actions, want) {
			t.Errorf("no %q among %v", want, actions)
		}
	}
	pgtest.Exec(t, c.owner, `UPDATE mum.audit SET count = count + 1 WHERE action = 'push'`)
	if out, said, err := a.try("team", "log"); err == nil || exitCode(err) != 3 {
		t.Errorf("a changed row: %v, %s%s", err, out, said)
	}
}

// TestLeavingAndRemoval: what others wrote goes, what was shared is taken back, and a name is not given twice.
func TestLeavingAndRemoval(t *testing.T) {
	c := newTeam(t, "anna", "ben")
	a, b := c.machine("anna", "laptop"), c.machine("ben", "ben-desk")
	a.fact(portFact)
	b.fact(colorFact)
	rest(a, b)
	a.has(portFact, colorFact)
	a.mum("team", "leave", "--purge")
	a.has(portFact)
	b.sync()
	b.has(colorFact)
	for _, found := range holding(t, b.home, portFact) {
		t.Error(found)
	}
	c.admin.mum("team", "remove", "ben", "--admin", c.owner, "--forget")
	if _, said, err := b.try("team", "sync"); err == nil {
		t.Errorf("a member who was removed synced: %s", said)
	}
	if s := ask[api.Status](b, "status"); s.Team != nil {
		t.Errorf("it is in the team still: %+v", s.Team)
	}
	if n := pgtest.Exec(t, c.owner, `SELECT count(*) FROM mum.items WHERE body IS NOT NULL`)[0][0]; n != "0" {
		t.Errorf("%s items are left", n)
	}
	if _, said, err := c.admin.try("team", "invite", "ben", "--admin", c.owner); err == nil {
		t.Errorf("a name was given again: %s", said)
	}
}
