package team

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"keepmum/await"
	"keepmum/store"
	"keepmum/team/pgtest"
)

func TestASearchFindsWhatTheTeamSharesAndNothingElse(t *testing.T) {
	c := newCluster(t, 1, 1)
	a, b := c.nodes[0], c.nodes[1]
	a.write("rate limits", "the gateway allows nine requests a second")
	a.write("colours", "buttons are blue")
	a.sync()
	titles := func(n *node, query string) (out []string) {
		t.Helper()
		found, err := n.s.Search(t.Context(), query, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range found {
			out = append(out, m.Author+": "+m.Content.Title)
		}
		slices.Sort(out)
		return out
	}
	for query, want := range map[string][]string{
		"how many requests does the gateway allow": {"member0: rate limits"},
		"blue gateway":  {"member0: colours", "member0: rate limits"},
		"no such thing": nil,
	} {
		if got := titles(b, query); !slices.Equal(got, want) {
			t.Errorf("%s: %v", query, got) // b has read nothing: the search asks the shared place
		}
	}
	if _, err := b.s.Search(t.Context(), "the", ""); err == nil {
		t.Error("a query without words was taken")
	}
	if err := b.s.Mute(t.Context(), "member0", true); err != nil {
		t.Fatal(err)
	}
	if got := titles(b, "gateway"); got != nil {
		t.Errorf("muted, and found: %v", got)
	}
	a.forgetTitle("rate limits")
	a.sync()
	if got := titles(a, "gateway"); got != nil {
		t.Errorf("forgotten, and found: %v", got)
	}
}

func TestASearchShowsARoleNothingOfAnotherTeam(t *testing.T) {
	s := newStrangers(t)
	team := pgtest.Exec(t, s.c.admin, `SELECT team_id FROM mum.teams WHERE name = 'acme'`)[0][0]
	all := pgtest.Exec(t, s.c.admin, `SELECT array_to_string(terms, ',') FROM mum.items WHERE NOT deleted`)[0][0]
	query := `SELECT * FROM mum.search('` + team + `', '', '{` + all + `}', false, 10)`
	if len(pgtest.Exec(t, s.author, query)) == 0 {
		t.Error("the author finds nothing: the test looks at nothing")
	}
	s.refuses(t, s.outside, query)
	s.refuses(t, s.nobody, query)
	s.refuses(t, s.nobody, `SELECT mum.expire()`)
}

func TestRetentionEndsWhatIsOldAndLeavesTheAuthorTheirs(t *testing.T) {
	c := newCluster(t, 2, 1)
	a, second, b := c.nodes[0], c.nodes[1], c.nodes[2]
	a.skew = -10 * 24 * time.Hour // it was written ten days ago and is sent today
	a.write("old", "1")
	a.skew = 0
	a.write("new", "2")
	c.rest()
	c.same("active old: 1", "active new: 2")
	admin := c.openAdmin()
	defer admin.Close()
	if err := admin.Keep(t.Context(), "", projectKey, 5); err != nil {
		t.Fatal(err)
	}
	c.rest()
	own := []string{"active new: 2", "active old: 1"}
	for n, want := range map[*node][]string{a: own, second: own, b: {"active new: 2"}} {
		if got := n.view(); !slices.Equal(got, want) {
			t.Errorf("%s/%s: %v", n.member, n.machine, got)
		}
	}
	if got := pgtest.Exec(t, c.admin, `SELECT count(*) FROM mum.keys`)[0][0]; got != "1" {
		t.Errorf("%s keys are there", got)
	}
	got := pgtest.Exec(t, c.admin, `SELECT count FROM mum.audit WHERE action = 'expire'`)
	if len(got) != 1 || got[0][0] != "1" {
		t.Errorf("the log says %v", got)
	}
	a.write("old", "3") // changing it means that it is still wanted
	c.rest()
	if got := b.view(); !slices.Contains(got, "active old: 3") {
		t.Errorf("changed since, and not shared: %v", got)
	}
}

func TestWhatIsTakenBackGoesFromTheOthersAndStaysWithItsAuthor(t *testing.T) {
	for name, end := range map[string]func(context.Context, *node) (int64, error){
		"unshare": func(ctx context.Context, n *node) (int64, error) {
			projects, err := n.db.TeamProjects(ctx)
			if err != nil {
				return 0, err
			}
			return n.s.Unshare(ctx, projects[0], true)
		},
		"leave": func(ctx context.Context, n *node) (int64, error) {
			ended, _, err := n.s.Leave(ctx, true)
			return ended, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t, 2, 1)
			a, second, b := c.nodes[0], c.nodes[1], c.nodes[2]
			a.write("port", "8080")
			b.write("host", "example")
			c.rest()
			ended, err := end(t.Context(), a)
			if err != nil || ended != 1 {
				t.Fatalf("%d items, %v", ended, err)
			}
			second.sync()
			b.sync()
			for n, want := range map[*node][]string{a: {"active port: 8080"},
				second: {"active host: example", "active port: 8080"}, b: {"active host: example"}} {
				if got := n.view(); !slices.Equal(got, want) {
					t.Errorf("%s/%s: %v", n.member, n.machine, got)
				}
			}
			got := pgtest.Exec(t, c.admin, `SELECT count(*) FROM mum.items WHERE author = 'member0' AND body IS NOT NULL`)
			if got[0][0] != "0" {
				t.Errorf("%s bodies are left", got[0][0])
			}
		})
	}
}

func TestReceiptsSayWhereAForgottenItemStillIs(t *testing.T) {
	c := newCluster(t, 1, 1, 1)
	a, b := c.nodes[0], c.nodes[1]
	a.write("port", "8080")
	c.rest()
	a.forgetTitle("port")
	a.sync()
	if got, err := a.s.Receipts(t.Context(), projectKey); err != nil || len(got) != 1 ||
		!slices.Equal(got[0].Confirmed, []string{"member0/machine0"}) ||
		!slices.Equal(got[0].Machines, []string{"member1/machine0", "member2/machine0"}) {
		t.Fatalf("%+v %v", got, err)
	}
	b.sync()
	projects, err := c.nodes[2].db.TeamProjects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.nodes[2].s.Unshare(t.Context(), projects[0], false); err != nil { // it has nothing now
		t.Fatal(err)
	}
	if got, err := a.s.Receipts(t.Context(), ""); err != nil || len(got) != 1 || len(got[0].Machines) != 0 ||
		len(got[0].Confirmed) != 2 {
		t.Fatalf("%+v %v", got, err)
	}
	if over, err := a.s.Overview(t.Context()); err != nil || len(over.Pending) != 0 || len(over.Members) != 3 {
		t.Errorf("%+v %v", over, err)
	}
}

func TestAMachineHearsOfAChangeElsewhereAndNotOfItsOwn(t *testing.T) {
	c := newCluster(t, 1, 1)
	a, b := c.nodes[0], c.nodes[1]
	heard := make(chan struct{}, 100)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- b.s.Listen(ctx, func() { heard <- struct{}{} }) }()
	<-heard // it listens
	a.write("port", "8080")
	a.sync()
	<-heard
	b.sync()
	b.write("of b", "1")
	b.sync()
	a.write("port", "9090")
	a.sync()
	<-heard
	if len(heard) > 0 {
		t.Error("it heard itself")
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestManyMachinesDoNotListen(t *testing.T) {
	c := newCluster(t, 1)
	pgtest.Exec(t, c.admin, `INSERT INTO mum.machines (team_id, member, machine)
		SELECT team_id, 'member0', 'x' || n FROM mum.teams, generate_series(1, 30) n`)
	if err := c.nodes[0].s.Listen(t.Context(), func() { t.Error("it listens") }); !errors.Is(err, ErrCrowd) {
		t.Errorf("%v", err)
	}
}

func TestAMutedAuthorIsReadAgainAfterUnmuting(t *testing.T) {
	c := newCluster(t, 1, 1)
	a, b := c.nodes[0], c.nodes[1]
	a.write("port", "8080")
	c.rest()
	for _, mute := range []bool{true, false} {
		if err := b.s.Mute(t.Context(), "member0", mute); err != nil {
			t.Fatal(err)
		}
		a.write("port", map[bool]string{true: "9090", false: "7070"}[mute])
		c.rest()
		if got := b.view(); mute != (len(got) == 0) {
			t.Errorf("muted %t: %v", mute, got)
		}
	}
	c.same("active port: 7070")
}

// TestTheSameRepositoryByTwoNames: a fork and its origin are two projects; two machines that chose the same key share
// one.
func TestTheSameRepositoryByTwoNames(t *testing.T) {
	c := newCluster(t, 1, 1)
	a, b := c.nodes[0], c.nodes[1]
	again := func(n *node, key string) {
		t.Helper()
		clean, _ := n.gate.Text(key)
		if err := n.s.Share(t.Context(), n.project, clean, time.Time{}); err == nil {
			t.Error("a project has two keys")
		}
		projects, err := n.db.TeamProjects(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := n.s.Unshare(t.Context(), projects[0], false); err != nil {
			t.Fatal(err)
		}
		if err := n.s.Share(t.Context(), n.project, clean, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	again(b, "git.example/ben/shop")
	a.write("port", "8080")
	a.sync()
	if r := b.sync(); r.Pulled != 0 || len(b.view()) != 0 {
		t.Errorf("a fork reads its origin: %+v", r)
	}
	again(b, projectKey)
	if r := b.sync(); r.Pulled != 1 {
		t.Errorf("it is shared by the same key, and nothing came: %+v", r)
	}
}

func TestProgressOfALongReading(t *testing.T) {
	c := newCluster(t, 1, 1)
	a, b := c.nodes[0], c.nodes[1]
	files := map[string]*store.MemoryFile{}
	for i := range 3 * pullBatch {
		f := a.place.fresh(i)
		files[f.Name.String()] = f
	}
	if err := a.place.change(t.Context(), a.place.own, files); err != nil {
		t.Fatal(err)
	}
	a.sync()
	b.s.o.Place = swift{b.place}
	done := make(chan Report, 1)
	go func() { done <- b.sync() }()
	await.True(t, "progress", func() bool {
		p := b.s.Progress()
		return p != nil && p.All == 3*pullBatch && p.Read > 0 && p.Project == projectKey
	})
	if r := <-done; r.Pulled != 3*pullBatch {
		t.Errorf("%+v", r)
	}
	if p := b.s.Progress(); p != nil {
		t.Errorf("it is over, and %+v", p)
	}
}

// swift is a place that stores nothing that comes in.
type swift struct{ *testPlace }

func (p swift) Put(_ context.Context, _ int64, in []Incoming, note func([]Local) error) ([]Local, error) {
	out := make([]Local, len(in))
	for i, x := range in {
		out[i] = Local{Ref: "t/" + idText(x.ID)}
	}
	return out, note(out)
}
