package daemon

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"

	"keepmum/privacy"
	"keepmum/store"
)

// hanging is a port that accepts and never answers.
func hanging(t *testing.T) (addr string, accepted chan struct{}) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	accepted = make(chan struct{}, 100)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = c.Close() })
			accepted <- struct{}{}
		}
	}()
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String(), accepted
}

// Hooks, notes, searches and contexts are answered while a sync waits for a shared place that hangs.
func TestNothingWaitsForASharedPlaceThatHangs(t *testing.T) {
	r := startRig(t, t.TempDir())
	addr, accepted := hanging(t)
	gate := r.d.intake.Gate()
	dsn, _ := gate.Text("postgres://anna@" + addr + "/mum")
	ctx := context.Background()
	id, err := r.d.db.PutProject(ctx, store.Project{Name: privacy.Const("shop")})
	if err == nil {
		err = r.d.db.JoinTeam(ctx, store.Team{ID: store.TeamID{1}, Name: privacy.Const("acme"), DSN: dsn,
			Host: privacy.Const("127.0.0.1"), Member: privacy.Const("anna"), Machine: privacy.Const("laptop"),
			Key: []byte("key")})
	}
	if err == nil {
		err = r.d.db.ShareProject(ctx, privacy.Const("git.example/acme/shop"), id, r.d.started.AddDate(-1, 0, 0))
	}
	if err != nil {
		t.Fatal(err)
	}
	during := 0
	for range 5 {
		syncing, end := context.WithCancel(ctx)
		done := make(chan error, 1)
		go func() {
			_, err := r.d.syncTeam(syncing)
			done <- err
		}()
		<-accepted
		for _, ask := range []struct{ method, path, body string }{
			{"POST", "/hooks/claude", `{"hook_event_name":"UserPromptSubmit","session_id":"s1","cwd":"/tmp","prompt":"the port is 8080"}`},
			{"GET", "/search?q=port", ""},
			{"GET", "/context?q=port&directory=/tmp", ""},
			{"GET", "/status", ""},
			{"GET", "/team", ""},
		} {
			if got := r.ask(t, ask.method, ask.path, ask.body); got.status != http.StatusOK {
				t.Fatalf("%s %s: %d %s", ask.method, ask.path, got.status, got.body)
			}
		}
		if len(done) == 0 { // it still waits
			during++
		}
		end()
		if err := <-done; err == nil {
			t.Error("a sync with a place that hangs went well")
		}
	}
	if during == 0 {
		t.Error("each sync gave up before it was answered: the test shows nothing")
	}
}

func TestADatabaseThatIsGoneIsAProblemOfTheTeamAlone(t *testing.T) {
	r := startRig(t, t.TempDir())
	if got := r.ask(t, "POST", "/team/sync", `{}`); got.status == http.StatusOK ||
		!strings.Contains(got.body, "not in a team") {
		t.Errorf("in no team: %d %s", got.status, got.body)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_ = l.Close() // nobody listens there now
	for name, ask := range map[string]struct{ body, want string }{
		"gone":      {`{"dsn":"postgres://anna@` + addr + `/mum","machine":"laptop"}`, "nothing answers at " + addr},
		"no DSN":    {`{"dsn":"db.example","machine":"laptop"}`, "this is not a DSN"},
		"a machine": {`{"dsn":"postgres://anna@` + addr + `/mum","machine":"My Laptop"}`, "name of a machine"},
	} {
		got := r.ask(t, "POST", "/team/join", ask.body)
		if got.status == http.StatusOK || !strings.Contains(got.body, ask.want) {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
}
