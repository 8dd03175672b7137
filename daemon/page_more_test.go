package daemon

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/config"
	"keepmum/privacy"
	"keepmum/store"
)

func TestGotchasAreKeptAndDroppedOnThePage(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	l.sees("gotchas", "None yet")
	for _, session := range []string{"one", "two"} {
		hook := func(kind, command, rest string) {
			t.Helper()
			body := fmt.Sprintf(`{"hook_event_name":%q,"session_id":%q,"cwd":"/home/dev/shop","tool_name":"Bash",`+
				`"tool_input":{"command":%q},%s}`, kind, session, command, rest)
			if got := r.ask(t, "POST", "/hooks/claude", body); got.status != http.StatusOK {
				t.Fatalf("%d: %s", got.status, got.body)
			}
		}
		hook("PostToolUseFailure", "npm test", `"error":"Exit code 1\nError: Cannot find module 'dayjs'"`)
		hook("PostToolUse", "npm install", `"tool_response":{"stdout":"added 12 packages"}`)
		hook("PostToolUse", "npm test", `"tool_response":{"stdout":"# pass 12"}`)
	}
	l.sees("gotchas", "npm test", "Cannot find module", "npm install", "2 of 2 sessions fixed it this way",
		"What an agent is told")
	for _, step := range []struct{ act, said, then string }{
		{"keep", "Kept: agents are told about it", ">kept<"},
		{"everywhere", "Kept for all projects", ">everywhere<"},
		{"drop", "Dropped: no agent is told", "<h2>Dropped</h2>"},
		{"undo", "Undone: agents are told", ">learned<"},
	} {
		got := l.send("gotcha/1/"+step.act, url.Values{"back": {"gotchas"}})
		if !strings.Contains(got.body, step.said) || !strings.Contains(got.body, step.then) {
			t.Errorf("%s: %d: %s", step.act, got.status, mainOf(got.body))
		}
	}
	for _, path := range []string{"gotcha/1/eat", "gotcha/99/keep", "gotcha/x/keep"} {
		if got := l.send(path, url.Values{}); got.status < 400 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

// What continues is read before gotchas are listed. That it cannot be, say because the database
// is busy, was an HTTP 500 of the room and of the command.
func TestGotchasAreListedWhileSessionsCannotBeRead(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	r.mend(t, "/home/dev/shop", 1, "make migrate")
	r.mend(t, "/home/dev/shop", 2, "make migrate")
	l.sees("gotchas", "make migrate")
	db, err := sql.Open("sqlite", r.home.Database())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range []string{"PRAGMA busy_timeout = 60000",
		"CREATE TRIGGER busy BEFORE INSERT ON failures BEGIN SELECT RAISE(ABORT, 'busy'); END"} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	r.mend(t, "/home/dev/shop", 3, "make migrate")
	l.sees("gotchas", "make migrate", "2 of 2 sessions fixed it this way", "still being read")
	for _, query := range []string{"", "?soon=true", "?id=1"} {
		if got := into[api.Gotchas](t, r.ask(t, "GET", "/gotchas"+query, "")); len(got.Gotchas) != 1 || !got.Reading {
			t.Errorf("%s: %+v", query, got)
		}
	}
	if _, err := db.Exec("DROP TRIGGER busy"); err != nil {
		t.Fatal(err)
	}
	if got := into[api.Gotchas](t, r.ask(t, "GET", "/gotchas", "")); got.Gotchas[0].Sessions != 3 || got.Reading {
		t.Errorf("once it is mended: %+v", got)
	}
}

func TestWhatARunDidIsOnThePage(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	l.sees("runs", "No traces yet")
	fillPage(t, r)
	into[api.Answer](t, r.ask(t, "POST", "/ask", `{"question":"are prices cents?","project":"shop","no_model":true}`))
	l.sees("runs", "/runs/ask-", "found")
	l.sees("runs?kind=ask", "/runs/ask-")
	if body := l.get("runs?kind=maintain").body; strings.Contains(body, "/runs/ask-") {
		t.Error("a run of another kind is shown")
	}
	l.sees("runs/last", "passages", "/entry/")
	l.sees("runs?session=claude/s1", "Session claude/s", "Next:")
	for _, path := range []string{"runs/none", "runs?kind=dance", "runs/..%2f..%2ftoken"} {
		if got := l.get(path); got.status < 400 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

func TestLinksAndTheHistoryOfAKeyAreOnThePage(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	fillPage(t, r)
	add := func(fields string) api.Memory {
		t.Helper()
		return into[api.MemoryWritten](t, r.ask(t, "POST", "/memories", `{"project":"shop",`+fields+`}`)).Memory
	}
	add(`"title":"Payments use Stripe","key":"payments/provider","valid_from":"2026-01-10"`)
	now := add(`"title":"Payments use Adyen","key":"payments/provider","valid_from":"2026-03-05"`)
	refunds := add(`"title":"Refunds go through <b>the</b> provider","key":"payments/refunds"`)
	link := fmt.Sprintf(`{"to":"%d","as":"depends_on"}`, now.Entry)
	into[api.MemoryWritten](t, r.ask(t, "POST", fmt.Sprintf("/memories/%d/link", refunds.Entry), link))
	l.sees(fmt.Sprintf("memory/%d", refunds.Entry), "<h2>Links</h2>", `class="graph"`, "depends on", "Payments use Adyen",
		"Refunds go through &lt;b&gt;")
	l.sees(fmt.Sprintf("memory/%d", now.Entry), "is needed by", "1 active memory depends on it",
		"History of <code>payments/provider</code>", "Payments use Stripe")
	body := l.sees("memories?room=payments", "payments/provider", "payments/refunds", "Payments use Adyen")
	if strings.Contains(body, "Payments use Stripe") {
		t.Error("what was replaced is shown as known")
	}
	if body := l.sees("memories?room=payments&key=payments/refunds", "Refunds go"); strings.Contains(body, "Adyen") {
		t.Error("another key is shown")
	}
	if body := l.sees("memories?asof=2026-02-01", "Payments use Stripe", "As it was on 2026-02-01",
		"a week later"); strings.Contains(body, "Payments use Adyen") {
		t.Error("what came later is shown")
	}
	l.sees("memories?asof=2020-02-01", "Nothing was known on that day")
}

func TestAProposalIsComparedWithAMemoryThatIsAlike(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	fillPage(t, r)
	into[api.MemoryWritten](t, r.ask(t, "POST", "/memories",
		`{"project":"shop","title":"Write the receipts in blue, always","body":"In this shop, always, since black is what the copies are printed in."}`))
	gate := r.d.intake.Gate()
	clean := func(s string) privacy.Clean { c, _ := gate.Text(s); return c }
	for i, title := range []string{"Write the receipts in black, always", "Use tabs in Go files"} {
		if _, err := r.d.db.PutProposal(t.Context(), store.Proposal{Project: 1, Form: "learning", Title: clean(title),
			Body:     clean("In this shop, always, since blue is what the copies are printed in."),
			Sentence: clean("please"), Why: "below_the_bar", Confidence: 0.4,
			Session: clean("claude/s1"), At: r.d.started.Add(time.Duration(i) * time.Second)}); err != nil {
			t.Fatal(err)
		}
	}
	body := l.sees("review", "Use tabs in Go files", "<del>blue, </del><ins>black, </ins>")
	if n := strings.Count(body, "Compare with a similar memory"); n != 1 {
		t.Errorf("%d proposals are compared", n)
	}
}

// joined puts a daemon in a team whose place nobody answers for.
func joined(t *testing.T, r *rig) {
	t.Helper()
	ctx := t.Context()
	gate := r.d.intake.Gate()
	dsn, _ := gate.Text("postgres://anna@127.0.0.1:1/mum")
	id, err := r.d.db.PutProject(ctx, store.Project{Name: privacy.Const("shop")})
	if err == nil {
		err = r.d.db.JoinTeam(ctx, store.Team{ID: store.TeamID{1}, Name: privacy.Const("acme"), DSN: dsn,
			Host: privacy.Const("db.example"), Member: privacy.Const("anna"), Machine: privacy.Const("laptop"),
			Key: []byte("key")})
	}
	if err == nil {
		err = r.d.db.ShareProject(ctx, privacy.Const("git.example/acme/shop"), id, r.d.started.AddDate(-1, 0, 0))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheTeamIsOnThePage(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	l.sees("team", "This machine is not in a team", "mum team join")
	if got := r.ask(t, "POST", "/team/mute", `{"author":"ben"}`); got.code() != api.Conflict ||
		!strings.Contains(got.body, "mum team join") {
		t.Errorf("muted without a team: %d %s", got.status, got.body)
	}
	joined(t, r)
	l.sees("team", "<b>acme</b> at db.example, as anna on laptop", "git.example/acme/shop", "waiting to be sent",
		"Not synced since")
	if got := l.send("inteam/sync", url.Values{"back": {"team"}}); got.status < 400 ||
		!strings.Contains(got.body, "That did not work") {
		t.Errorf("nobody listens there: %d: %s", got.status, mainOf(got.body))
	}
	if got := l.send("inteam/mute", url.Values{"author": {"ben"}, "back": {"team"}}); !strings.Contains(got.body,
		"No agent here is told what ben wrote") || !strings.Contains(got.body, "Unmute ben") {
		t.Errorf("%d: %s", got.status, mainOf(got.body))
	}
	if got := l.send("inteam/unmute", url.Values{"author": {"ben"}, "back": {"team"}}); strings.Contains(got.body,
		"Unmute ben") {
		t.Errorf("%d: %s", got.status, mainOf(got.body))
	}
	if got := l.send("inteam/leave", url.Values{}); got.status != http.StatusNotFound {
		t.Errorf("the page leaves a team: %d", got.status)
	}
}

// The daemon ends as one that is to be started again, also while a room is followed live; not
// with settings that its next start would refuse, nor where no program is known.
func TestTheDaemonIsRestartedFromThePage(t *testing.T) {
	unknown := openPage(t, startRig(t, t.TempDir()))
	if got := unknown.send("restart", url.Values{}); !strings.Contains(got.body, "mum restart") {
		t.Errorf("%d: %s", got.status, mainOf(got.body))
	}
	dir := t.TempDir()
	r := startWith(t, dir, Options{Program: os.Args[0]})
	l := openPage(t, r)
	for _, bad := range []string{"[context]\nbudget_tokens = \"many\"\n", "[privacy]\nexclude_paths = [\"[\"]\n"} {
		if err := os.WriteFile(config.File(dir), []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		l.sees("settings", "Restart now")
		if got := l.send("restart", url.Values{}); !strings.Contains(got.body, "the next start would fail") {
			t.Errorf("%s%d: %s", bad, got.status, mainOf(got.body))
		}
	}
	if err := os.WriteFile(config.File(dir), []byte("[context]\nbudget_tokens = 700\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	live, err := l.http.Get(l.base + "live?after=0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = live.Body.Close() }()
	if got := l.send("restart", url.Values{}); !strings.Contains(got.body, "The daemon is restarting") {
		t.Errorf("%d: %s", got.status, mainOf(got.body))
	}
	l.http.CloseIdleConnections()
	r.stop = nil
	if err := <-r.done; !errors.Is(err, ErrReplaced) {
		t.Errorf("it ended with %v", err)
	}
}
