package team

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/privacy"
	"keepmum/store"
	"keepmum/team/pgtest"
)

// during is a place that does something else while it drops what others wrote.
type during struct {
	Place
	do func()
}

func (p during) Drop(ctx context.Context, project int64) error {
	p.do()
	return p.Place.Drop(ctx, project)
}

// A round that begins while a machine leaves does not record that the machine is there.
func TestAMachineThatLeftOwesNoReceipt(t *testing.T) {
	c := newCluster(t, 1, 1)
	a, b := c.nodes[0], c.nodes[1]
	a.write("port", "the port is 8080")
	c.rest()
	a.forgetTitle("port")
	a.sync()
	s := &Syncer{}
	*s = *New(Options{DB: b.db, Gate: b.gate, Now: b.now, Place: during{b.place, func() {
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
		defer stop()
		_, _ = s.Round(ctx)
	}}})
	if _, untold, err := s.Leave(t.Context(), false); err != nil || untold {
		t.Fatalf("%v %v", untold, err)
	}
	owes := func() []string {
		t.Helper()
		got, err := a.s.Receipts(t.Context(), "")
		if err != nil || len(got) != 1 {
			t.Fatalf("%+v %v", got, err)
		}
		return got[0].Machines
	}
	if got := owes(); len(got) > 0 {
		t.Errorf("it left, and owes a receipt: %v", got)
	}
	if _, err := s.Join(t.Context(), b.dsn, "machine0"); err != nil {
		t.Errorf("its name is not free: %v", err)
	}
	if got := owes(); len(got) > 0 {
		t.Errorf("it shares nothing, and owes a receipt: %v", got)
	}
}

// stuck is a place that cannot drop what others wrote.
type stuck struct{ Place }

func (stuck) Drop(context.Context, int64) error { return errors.New("the disk is full") }

func TestAMachineThatCouldNotLeaveOwesItsReceipts(t *testing.T) {
	c := newCluster(t, 1, 1)
	a, b := c.nodes[0], c.nodes[1]
	a.write("port", "the port is 8080")
	c.rest()
	s := New(Options{DB: b.db, Gate: b.gate, Now: b.now, Place: stuck{b.place}})
	if _, _, err := s.Leave(t.Context(), false); err == nil {
		t.Fatal("it left, and could not delete what others wrote")
	}
	b.sync() // it is in the team still
	a.forgetTitle("port")
	a.sync()
	got, err := a.s.Receipts(t.Context(), "")
	if err != nil || len(got) != 1 || !slices.Equal(got[0].Machines, []string{"member1/machine0"}) {
		t.Errorf("%+v %v", got, err)
	}
}

func TestAMachineWithANewNameLeavesNoOldOne(t *testing.T) {
	c := newCluster(t, 1, 1)
	a, b := c.nodes[0], c.nodes[1]
	a.write("port", "the port is 8080")
	c.rest()
	if _, err := b.s.Join(t.Context(), b.dsn, "renamed"); err != nil {
		t.Fatal(err)
	}
	a.forgetTitle("port")
	a.sync()
	got, err := a.s.Receipts(t.Context(), "")
	if err != nil || len(got) != 1 || !slices.Equal(got[0].Machines, []string{"member1/renamed"}) {
		t.Errorf("%+v %v", got, err)
	}
	admin := c.openAdmin()
	defer admin.Close()
	if _, err := admin.Remove(t.Context(), "", "member1/renamed", false); err != nil { // it is lost
		t.Fatal(err)
	}
	if got, err = a.s.Receipts(t.Context(), ""); err != nil || len(got[0].Machines) > 0 {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := admin.Remove(t.Context(), "", "member1/nowhere", false); err == nil {
		t.Error("it struck a machine that there is not")
	}
}

func TestAnotherMembersInvitationDoesNotChangeWhoAMachineIs(t *testing.T) {
	c := newCluster(t, 1, 1)
	a, b := c.nodes[0], c.nodes[1]
	_, err := b.s.Join(t.Context(), a.dsn, "machine1")
	if err == nil || !strings.Contains(err.Error(), "already in the team acme, as member1/machine0") {
		t.Errorf("%v", err)
	}
	if team, _, err := b.db.Team(t.Context()); err != nil || team.Member != "member1" {
		t.Errorf("%+v %v", team, err)
	}
}

// summaries is a place whose items are summaries of sessions, as earlier versions shared them.
type summaries struct{ Place }

func (p summaries) Items(ctx context.Context, project int64) ([]Local, error) {
	out, err := p.Place.Items(ctx, project)
	for i := range out {
		out[i].Kind = privacy.Const(kindSummary)
	}
	return out, err
}

// none is a place with nothing to share.
type none struct{ Place }

func (none) Items(context.Context, int64) ([]Local, error) { return nil, nil }

func TestASummaryThatWasSharedIsWithdrawn(t *testing.T) {
	c := newCluster(t, 1, 1)
	a, b := c.nodes[0], c.nodes[1]
	a.write("session", "Asked: fix the login of the customer")
	as := func(p Place) {
		t.Helper()
		if _, err := New(Options{DB: a.db, Gate: a.gate, Now: a.now, Place: p}).Round(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	as(summaries{a.place})
	b.sync()
	if got := b.view(); len(got) != 1 {
		t.Fatalf("the rig shares no summary: %v", got)
	}
	if _, err := a.s.Join(t.Context(), a.dsn, "renamed"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		as(none{a.place})
		b.sync()
	}
	if got := b.view(); len(got) != 0 {
		t.Errorf("it is there still: %v", got)
	}
	if got := a.view(); len(got) != 1 {
		t.Errorf("its author lost it: %v", got)
	}
	for _, row := range pgtest.Exec(t, c.admin, `SELECT deleted AND body IS NULL FROM mum.items`) {
		if row[0] != "t" {
			t.Error("the row has its text still")
		}
	}
	counts, err := a.db.TeamCounts(t.Context())
	if err != nil || counts[store.TeamForget] != 0 || counts[store.TeamGone] != 1 {
		t.Errorf("%v %v", counts, err)
	}
}

func TestAServerThatIsReadOnlyIsNamed(t *testing.T) {
	c := newCluster(t, 1)
	database := c.admin[strings.LastIndex(c.admin, "/")+1:]
	pgtest.Exec(t, c.admin, "ALTER DATABASE "+database+" SET default_transaction_read_only = on")
	var refused *Error
	if _, err := c.nodes[0].s.Round(t.Context()); !errors.As(err, &refused) ||
		!strings.Contains(refused.What, "read-only") {
		t.Errorf("%v", err)
	}
}

func TestAMemberWhoWasRemovedReadsThat(t *testing.T) {
	c := newCluster(t, 1)
	admin := c.openAdmin()
	defer admin.Close()
	if _, err := admin.Remove(t.Context(), "", "member0", false); err != nil {
		t.Fatal(err)
	}
	var refused *Error
	if _, err := c.nodes[0].s.Round(t.Context()); !errors.As(err, &refused) || refused != ErrRemoved {
		t.Errorf("%v", err)
	}
}
